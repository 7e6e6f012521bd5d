import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useState } from 'react';
import { type ContributionLink, openContributionLink } from '../../../shared/api/contributions.ts';
import { CONTRIBUTION_TOKEN_HEADER } from '../../../shared/limits.ts';
import { call } from '../../api/client.ts';
import { toasts } from '../../components/toast.tsx';
import { readResponse, revalidate } from '../../db/cache.ts';
import {
  CONTRIBUTORS,
  type Contribution,
  EMPTY_PART,
  forgetContribution,
  give,
  mergePart,
  readContribution,
  readContributions,
  savePart,
  takeBack,
} from '../../db/contributions.ts';
import { isNoRoom, openDatabase, openedUserId, troubleOf } from '../../db/database.ts';
import { askAnew, readExchange } from '../../db/due.ts';
import { partFields } from '../../db/former-rows.ts';
import { patchOf, restoreSnapshots } from '../../db/snapshots.ts';
import type { ContributionRow } from '../../db/tables.ts';
import { cancelCopies, sweepCopies } from '../../hooks/attach-files.ts';
import { deviceState } from '../../hooks/device-state.ts';
import { pageStorage } from '../../hooks/page-storage.ts';
import { createRowForm, useRowForm } from '../../hooks/row-form.ts';
import { useQuery } from '../../hooks/use-query.ts';
import { ADDING } from '../../sync/locks.ts';
import { sendNow, startScheduler } from '../../sync/scheduler.ts';
import { contributionQueue } from '../../sync/send-contributions.ts';

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
      await openDatabase(
        CONTRIBUTORS,
        pageStorage(() => true),
      );
      await Promise.allSettled([restoreParts(), sweepCopies(), askAnew()]);
      if (isGone) return;
      setOpen(true);
      stop = startScheduler(contributionQueue, (error) => {
        if (isNoRoom(error)) toasts.failure(NO_ROOM);
      });
    };
    void start().catch((error) => deviceState.set({ trouble: troubleOf(error) }));
    return () => {
      isGone = true;
      stop();
    };
  }, []);
  return isOpen;
}

const NO_ROOM =
  "Your device is out of space, so we can't send what you added. Please free some space.";

/** Moves the last keys of pages that are gone into what this browser adds. */
function restoreParts(): Promise<void> {
  return restoreSnapshots<ContributionRow>(CONTRIBUTORS, async (id, left) => {
    const [base, written] = [partFields(left.base), partFields(left.written)];
    const row = (await readContribution(id))?.row ?? null;
    const patch = patchOf({ ...left, fields: partFields(left.fields) ?? {}, base, written }, row);
    const begun = row ?? left.begun;
    const fields = { ...EMPTY_PART, ...patch?.fields };
    if (patch && begun) await savePart({ ...begun, fields, updatedAt: left.takenAt }, patch);
  });
}

/** Newest first; undefined until they are read. */
export function useContributions(isOpen: boolean): Contribution[] | undefined {
  return useLiveQuery(async () => (isOpen ? readContributions() : undefined), [isOpen]);
}

/** Whether the last try to send something did not get through, whatever the device thinks of its network. */
export function useIsHeldUp(): boolean {
  return useLiveQuery(async () => (await readExchange()).attempts > 0) ?? false;
}

/** Who asks by a link, and what for; null while it is not known. */
export function useContributionLink(token: string, isOpen: boolean) {
  const key = isOpen && token !== '' ? `contribution-link/${token}` : null;
  const headers = { [CONTRIBUTION_TOKEN_HEADER]: token };
  const asked = useQuery(key, async (signal) => {
    if (key === null) return null;
    return revalidate(key, () => call(openContributionLink, { headers, signal }));
  });
  const cached = useLiveQuery(
    async () => (key === null ? null : readResponse<ContributionLink>(key)),
    [key],
  );
  return { link: (asked.data ?? cached)?.body ?? null, error: asked.error };
}

export type PartHandle = ReturnType<typeof usePart>;

/** A contribution that is open in the form. @param begin as it begins, where `isNew` says that it may */
export function usePart(begin: () => ContributionRow, isNew: boolean) {
  const [form] = useState(() =>
    createRowForm({
      ...{ begun: begin(), isNew, merge: mergePart, save: savePart },
      mayLeave: (userId) => userId === CONTRIBUTORS,
    }),
  );
  const { id } = form.store.get().row;
  const state = useRowForm(form, async () => (await readContribution(id))?.row ?? null);
  return { ...state, ...form.actions };
}

/** @param token of another link, by which it is added from now on */
export async function giveNow(id: string, token?: string): Promise<void> {
  await give(id, token);
  await askAnew();
  sendNow(ADDING);
}

export async function takeBackNow(id: string): Promise<void> {
  await takeBack(id);
  sendNow(ADDING);
}

/** Removes it from this browser, and from nowhere else. */
export async function removeHere(id: string): Promise<void> {
  cancelCopies((job) => job.rowId === id);
  await forgetContribution(id);
}
