import { db } from './database.ts';
import type { OpeningsRow } from './tables.ts';

/** Far more ids than one answer of the server names. */
const LOOKED_AT_MAX = 500;

/** How many capsules have opened that the person has not looked at on this device. */
export function countNew({ opened, lookedAt }: OpeningsRow): number {
  return opened.filter((id) => !lookedAt.includes(id)).length;
}

/** Null until this device has asked the server. */
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

/** Notes that the person looks at an opened capsule. @returns null until this device has asked the server */
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
