import {
  type CapsuleType,
  getCapsule,
  getDashboardSummary,
  listCreated,
  listReceived,
} from '../../shared/api/capsules.ts';
import { type CurrentUser, getMe } from '../../shared/api/user.ts';
import { CAPSULES_PER_PAGE } from '../../shared/limits.ts';
import { call } from '../http/call.ts';
import { CallError } from '../http/call-error.ts';
import { forgetCapsule, writeCapsule } from '../local/capsules.ts';
import type { CapsuleRow, SummaryRow } from '../local/db.ts';
import { writeSummary } from '../local/figures.ts';
import { type ListKey, writeList } from '../local/lists.ts';
import { claimDevice, readKnownPerson } from '../local/owner.ts';
import type { CachedPage } from '../local/page-memory.ts';

/*
 * Each of these asks the server for one thing and writes the answer to the device,
 * where the screens read it. They return null then, and the answer itself where the device
 * could not take it (it is full): it is shown all the same. They throw the CallError of the
 * call that failed; what the device already keeps then stays as it is.
 */

/** Null when it is kept, else the value itself. */
export async function kept<Value>(write: Promise<void>, value: Value): Promise<Value | null> {
  try {
    await write;
    return null;
  } catch {
    return value;
  }
}

const LISTS = { created: listCreated, received: listReceived } satisfies Record<
  CapsuleType,
  unknown
>;

export async function refreshList(key: ListKey, signal?: AbortSignal): Promise<CachedPage | null> {
  const search = key.query === '' ? {} : { query: key.query };
  const query = { page: key.page, limit: CAPSULES_PER_PAGE, ...search };
  const answer = await call(LISTS[key.type], { query, ...stoppable(signal) });
  const fetchedAt = Date.now();
  return kept(writeList(key, answer, fetchedAt), { ...answer, fetchedAt });
}

export async function refreshCapsule(
  owner: string,
  id: string,
  signal?: AbortSignal,
): Promise<CapsuleRow | null> {
  try {
    const capsule = await call(getCapsule, { params: { id }, ...stoppable(signal) });
    const fetchedAt = Date.now();
    const row: CapsuleRow = { owner, id, capsule, lists: [], fetchedAt };
    return await kept(writeCapsule(owner, capsule, fetchedAt), row);
  } catch (error) {
    // Deleted by its sender: it must not live on here.
    if (error instanceof CallError && error.status === 404) await forgetCapsule(owner, id);
    throw error;
  }
}

export async function refreshSummary(
  owner: string,
  year: number,
  signal?: AbortSignal,
): Promise<SummaryRow | null> {
  const query = { year, timeZone: ownTimeZone() };
  const summary = await call(getDashboardSummary, { query, ...stoppable(signal) });
  const fetchedAt = Date.now();
  const row = { owner, year, summary, fetchedAt };
  return kept(writeSummary(owner, year, summary, fetchedAt), row);
}

/** Learns who is signed in, and makes the device theirs, as far as it can be written down there. */
export async function refreshMe(
  signal?: AbortSignal,
): Promise<{ user: CurrentUser; isKept: boolean }> {
  const before = await readKnownPerson();
  const user = await call(getMe, stoppable(signal));
  return { user, isKept: await claimDevice(user, Date.now(), before) };
}

/** Not in TypeScript's library, nor in every browser. */
const { Temporal } = globalThis as { Temporal?: { Now: { timeZoneId: () => string } } };

/** The zone this person's calendar is in. */
export function ownTimeZone(): string {
  // The first formatter of a page takes a phone a tenth of a second, and it is not needed here.
  const timeZone = Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return /^(?!Etc\/Unknown$)[A-Za-z]/.test(timeZone) ? timeZone : 'UTC';
}

function stoppable(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {};
}
