import {
  type CapsuleType,
  getCapsule,
  getDashboardSummary,
  listCreated,
  listReceived,
} from '../../shared/api/capsules.ts';
import { getSiteLimits } from '../../shared/api/site.ts';
import { type CurrentUser, getMe } from '../../shared/api/user.ts';
import { isTimeZone } from '../../shared/day.ts';
import { CAPSULES_PER_PAGE } from '../../shared/limits.ts';
import { call } from '../http/call.ts';
import { CallError } from '../http/call-error.ts';
import { removeCapsule, writeCapsule } from '../local/capsules.ts';
import { writeLimits, writeSummary } from '../local/figures.ts';
import { type ListKey, writeList } from '../local/lists.ts';
import { claimDevice } from '../local/owner.ts';

/*
 * Each of these asks the server for one thing and writes the answer to the device,
 * where the screens read it. They throw the CallError of the call that failed; what
 * the device already keeps then stays as it is.
 */

const LISTS = { created: listCreated, received: listReceived } satisfies Record<
  CapsuleType,
  unknown
>;

export async function refreshList(key: ListKey, signal?: AbortSignal): Promise<void> {
  const search = key.query === '' ? {} : { query: key.query };
  const query = { page: key.page, limit: CAPSULES_PER_PAGE, ...search };
  const answer = await call(LISTS[key.type], { query, ...stoppable(signal) });
  await writeList(key, answer, Date.now());
}

export async function refreshCapsule(
  owner: string,
  id: string,
  signal?: AbortSignal,
): Promise<void> {
  try {
    const capsule = await call(getCapsule, { params: { id }, ...stoppable(signal) });
    await writeCapsule(owner, capsule, Date.now());
  } catch (error) {
    // Deleted by its sender: it must not live on here.
    if (error instanceof CallError && error.status === 404) await removeCapsule(owner, id);
    throw error;
  }
}

export async function refreshSummary(
  owner: string,
  year: number,
  signal?: AbortSignal,
): Promise<void> {
  const query = { year, timeZone: ownTimeZone() };
  const summary = await call(getDashboardSummary, { query, ...stoppable(signal) });
  await writeSummary(owner, year, summary, Date.now());
}

export async function refreshLimits(owner: string, signal?: AbortSignal): Promise<void> {
  await writeLimits(owner, await call(getSiteLimits, stoppable(signal)), Date.now());
}

/** Learns who is signed in, and makes the device theirs. */
export async function refreshMe(signal?: AbortSignal): Promise<CurrentUser> {
  const user = await call(getMe, stoppable(signal));
  await claimDevice(user, Date.now());
  return user;
}

/** The zone this person's calendar is in. */
export function ownTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone && isTimeZone(timeZone) ? timeZone : 'UTC';
}

function stoppable(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
