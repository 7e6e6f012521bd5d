import { useEffect } from 'react';
import {
  type AddedList,
  endContributionLink,
  listAdded,
  makeContributionLink,
  type NewContributionLink,
  putBackAdded,
  removeAdded,
} from '../../shared/api/contributions.ts';
import { call } from '../api/client.ts';
import { networkError } from '../api/errors.ts';
import { revalidate } from '../db/cache.ts';
import { readDraft } from '../db/drafts.ts';
import type { DraftRow } from '../db/tables.ts';
import { addedKey, readAdded } from './added-list.ts';
import { ownTimeZone } from './use-now.ts';
import { useResource } from './use-resource.ts';

/* What others add to a draft of this person, and the link by which they do. */

/** Others can add to no other draft. */
export function isOnAccount({ onlyHere, account }: DraftRow): boolean {
  return !onlyHere && account !== undefined && account.revision > 0;
}

const ask = (id: string, signal?: AbortSignal) => call(listAdded, { params: { id }, signal });

/** Follows the list while the page is looked at: another device may make the link, and others add by it. */
export function useAdded(draft: DraftRow) {
  const isAsked = isOnAccount(draft);
  const added = useResource<AddedList>(isAsked ? addedKey(draft.id) : null, (signal) =>
    ask(draft.id, signal),
  );
  const { isRefreshing, refresh } = added;
  useEffect(() => {
    // Asking again would give up an answer that is still on its way.
    if (!isAsked || isRefreshing) return;
    const look = () => {
      if (document.visibilityState === 'visible' && navigator.onLine) void refresh();
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isAsked, isRefreshing, refresh]);
  return added;
}

const LOOK_EVERY_MS = 8_000;

/**
 * Makes the link of a draft. One that another device has made stays as it is.
 * @throws {CallError} NOT_FOUND while the draft isn't saved to the account
 */
export async function makeLink(
  id: string,
  link: Pick<NewContributionLink, 'words' | 'isSurprise' | 'until'>,
): Promise<void> {
  const signal = AbortSignal.timeout(MAKING_MAX_MS);
  const here = { timeZone: ownTimeZone(), utcOffset: -new Date().getTimezoneOffset() };
  try {
    const draft = await readDraft(id);
    // A draft that was just begun: its words don't wait for files that are on their way.
    if (draft && !isOnAccount(draft)) {
      await (await import('../sync/sync-drafts.ts')).saveWords(id, signal);
    }
    await call(makeContributionLink, { params: { id }, body: { ...link, ...here }, signal });
  } catch (error) {
    // The connection is as good as none.
    throw signal.aborted ? networkError() : error;
  }
  await revalidate(addedKey(id), () => ask(id, signal)).catch(() => undefined);
}

/** Somebody looks at a button that turns. */
const MAKING_MAX_MS = 15_000;

/** How many have added, as the server says, or as this device knows where that takes long. */
export async function countAddedNow(id: string): Promise<number> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  await revalidate(addedKey(id), () => ask(id, signal)).catch(() => undefined);
  return (await readAdded(id)).length;
}

/** Somebody waits for the question that the answer belongs to. */
const PATIENCE_MS = 3_000;

/** What others have added stays. @throws {CallError} */
export async function endLink(id: string): Promise<void> {
  await call(endContributionLink, { params: { id } });
}

/** @throws {CallError} */
export async function putBack(id: string, contributionId: string): Promise<void> {
  await call(putBackAdded, { params: { id, contributionId } });
}

/** Removes what somebody has added, unread. @throws {CallError} */
export async function removeUnread(id: string, contributionId: string): Promise<void> {
  await call(removeAdded, { params: { id, contributionId } });
}
