import { db } from './database.ts';
import type { OpeningsRow } from './tables.ts';

/** Far more than one answer of the server names. */
const LOOKED_AT_MAX = 500;

/** How many have opened that the person has not looked at here. */
export function countNew({ opened, lookedAt }: OpeningsRow): number {
  return opened.filter((id) => !lookedAt.includes(id)).length;
}

/** Null until this person's device has asked. */
export async function readOpenings(): Promise<OpeningsRow | null> {
  return (await db.openings.get('openings')) ?? null;
}

/** Stores what the server answered. The first answer only says from when on to count. */
export async function noteOpened(answer: { asOf: string; ids: string[] }): Promise<OpeningsRow> {
  const { asOf: since, ids: opened } = answer;
  return db.transaction('rw', db.openings, async () => {
    const before = await readOpenings();
    const first: OpeningsRow = { key: 'openings', since, opened: [], lookedAt: [] };
    const after = before ? { ...before, opened } : first;
    await db.openings.put(after);
    return after;
  });
}

/** The person looks at what is in an opened capsule. @returns what is known then; null when nothing is */
export async function noteLook(id: string): Promise<OpeningsRow | null> {
  return db.transaction('rw', db.openings, async () => {
    const before = await readOpenings();
    if (!before) return null;
    const others = before.lookedAt.filter((other) => other !== id);
    const openings = { ...before, lookedAt: [...others, id].slice(-LOOKED_AT_MAX) };
    await db.openings.put(openings);
    return openings;
  });
}
