import type { Opened, ReadyCapsule } from '../../shared/api/opened.ts';
import { db } from './database.ts';
import type { OpeningsRow } from './tables.ts';

/** Far more ids than one answer of the server names. */
const LOOKED_AT_MAX = 500;

const NOTHING: OpeningsRow = { key: 'ready', total: 0, capsules: [], lookedAt: [], untold: [] };

/** What waits to be opened, and what this device has looked at. */
export async function readOpenings(): Promise<OpeningsRow> {
  return (await db.openings.get('ready')) ?? NOTHING;
}

/** The capsules that have opened and were not looked at. */
export function waitingIn({ capsules, lookedAt }: OpeningsRow): ReadyCapsule[] {
  return capsules.filter(({ id }) => !lookedAt.includes(id));
}

/** How many those are, also beyond those that the server has named. */
export function countWaiting(openings: OpeningsRow): number {
  return openings.total - openings.capsules.length + waitingIn(openings).length;
}

/** Stores what the server answered when it was asked at this time, in milliseconds. */
export function noteOpened({ total, capsules }: Opened, askedAt: number): Promise<OpeningsRow> {
  return change((before) => ({ ...before, total, capsules, askedAt }));
}

/** Notes that the person looks at an opened capsule. */
export function noteLook(id: string): Promise<OpeningsRow> {
  return change((before) => ({
    ...before,
    lookedAt: lastOf(before.lookedAt, id),
    untold: lastOf(before.untold, id),
  }));
}

/** Notes that the server has heard of a look. */
export function noteTold(id: string): Promise<OpeningsRow> {
  return change((before) => ({ ...before, untold: before.untold.filter((other) => other !== id) }));
}

function lastOf(ids: string[], id: string): string[] {
  return [...ids.filter((other) => other !== id), id].slice(-LOOKED_AT_MAX);
}

function change(to: (before: OpeningsRow) => OpeningsRow): Promise<OpeningsRow> {
  return db.transaction('rw', db.openings, async () => {
    const after = to(await readOpenings());
    await db.openings.put(after);
    return after;
  });
}
