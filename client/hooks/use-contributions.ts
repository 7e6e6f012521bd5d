import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useState } from 'react';
import { type ContributionLink, openContributionLink } from '../../shared/api/contributions.ts';
import { CONTRIBUTION_TOKEN_HEADER } from '../../shared/limits.ts';
import { call } from '../api/client.ts';
import { readResponse, revalidate } from '../db/cache.ts';
import {
  adoptContribution,
  CONTRIBUTORS,
  type Contribution,
  forgetContribution,
  give,
  readContributions,
  takeBack,
} from '../db/contributions.ts';
import { openDatabase, openedUserId, troubleOf } from '../db/database.ts';
import { isSnapshotKey, restoreSnapshots } from '../db/draft-snapshots.ts';
import { askAnew, readDraftSync } from '../db/due.ts';
import { ADDING_TAG } from '../sync/locks.ts';
import { startScheduler } from '../sync/scheduler.ts';
import { contributionQueue } from '../sync/send-contributions.ts';
import { sendNow } from '../sync/send-now.ts';
import { cancelCopies, sweepCopies } from './attach-files.ts';
import { deviceState } from './device-state.ts';
import { openAgain, pageStorage } from './page-storage.ts';
import { useExternalStore } from './store.ts';

/* What this browser adds to drafts of others, as its page sees it, and what can be done with it. */

/** Opens its database and keeps it on its way while the page is there. @returns whether it is open */
export function useContributors(): boolean {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    let isGone = false;
    let stop = () => {};
    const start = async () => {
      const before = openedUserId();
      // A page has one database. Somebody who is signed in came here within the app, and gets a new page.
      if (before !== null && before !== CONTRIBUTORS) return location.reload();
      await openDatabase(CONTRIBUTORS, pageStorage(reopen));
      await Promise.allSettled([restoreSnapshots(CONTRIBUTORS), sweepCopies(), askAnew()]);
      if (isGone) return;
      setOpen(true);
      stop = startScheduler(contributionQueue);
    };
    void start().catch((error) => deviceState.set({ trouble: troubleOf(error) }));
    // What a tab leaves as it closes.
    const onLeft = ({ key, newValue }: StorageEvent) => {
      const isLeft = key !== null && isSnapshotKey(key) && newValue !== null;
      if (isLeft) void restoreSnapshots(CONTRIBUTORS).catch(reportError);
    };
    window.addEventListener('storage', onLeft);
    return () => {
      isGone = true;
      stop();
      window.removeEventListener('storage', onLeft);
    };
  }, []);
  return isOpen;
}

const reopen = () => openAgain(CONTRIBUTORS, reopen);

/** Newest first; undefined until they are read. */
export function useContributions(isOpen: boolean): Contribution[] | undefined {
  const { losses } = useExternalStore(deviceState);
  return useLiveQuery(
    async () => (isOpen ? readContributions() : undefined),
    // Another database stands in for one that was lost.
    [isOpen, losses],
  );
}

/** Whether the last try to send something did not get through, whatever the device thinks of its network. */
export function useIsHeldUp(): boolean {
  const { losses } = useExternalStore(deviceState);
  return useLiveQuery(async () => (await readDraftSync()).attempts > 0, [losses]) ?? false;
}

interface OpenedLink {
  /** As this browser knew it last; null while it does not. */
  link: ContributionLink | null;
  /** Why it could not be opened now. */
  error: unknown;
}

/** Who asks by a link, and what for: cached, and asked for anew now and when the connection is back. */
export function useContributionLink(token: string, isOpen: boolean): OpenedLink {
  const key = `contribution-link/${token}`;
  const [answer, setAnswer] = useState<OpenedLink>({ link: null, error: null });
  const cached = useLiveQuery(
    async () => (isOpen && token !== '' ? readResponse<ContributionLink>(key) : undefined),
    [key, isOpen],
  );
  useEffect(() => {
    if (!isOpen || token === '') return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const headers = { [CONTRIBUTION_TOKEN_HEADER]: token };
    const ask = async () => {
      try {
        const uncached = await revalidate(key, () =>
          call(openContributionLink, { headers, signal }),
        );
        if (!signal.aborted) setAnswer({ link: uncached?.body ?? null, error: null });
      } catch (error) {
        if (!signal.aborted) setAnswer({ link: null, error });
      }
    };
    void ask();
    window.addEventListener('online', () => void ask(), { signal });
    return () => leaving.abort();
  }, [isOpen, token, key]);
  return { link: answer.link ?? cached?.body ?? null, error: answer.error };
}

/** @param token of another link, by which it is added from now on */
export async function giveNow(id: string, token?: string): Promise<void> {
  await give(id, token);
  await askAnew();
  sendNow(ADDING_TAG);
}

export async function takeBackNow(id: string): Promise<void> {
  await takeBack(id);
  sendNow(ADDING_TAG);
}

/** Begins with what the server has under a personal link. */
export async function openPersonalLink(id: string, secret: string): Promise<void> {
  await adoptContribution(id, secret);
  await askAnew();
  sendNow(ADDING_TAG);
}

/** Removes it from this browser, and from nowhere else. */
export async function removeHere(id: string): Promise<void> {
  cancelCopies((job) => job.draftId === id);
  await forgetContribution(id);
}
