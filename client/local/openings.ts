import { listOf, shape, text } from './checks.ts';
import { db } from './db.ts';
import { OPENINGS } from './names.ts';
import { readOwner, writeAs } from './owner.ts';

/** Which capsules have opened since a person came to this device, and which of them they have looked at. */
export interface Openings {
  owner: string;
  /** By the server's clock, when this device first asked: what had opened before is not new here. */
  since: string;
  /** As the server last said. */
  opened: string[];
  /** The last one last; looked at without a connection too. */
  lookedAt: string[];
}

/** Far more than the server names at once. */
const LOOKED_AT_MAX = 500;

const sound = shape({
  owner: text,
  since: text,
  opened: listOf(text),
  lookedAt: listOf(text),
});

function isOpenings(value: unknown): value is Openings {
  return sound(value);
}

/** How many have opened that the person has not looked at here. */
export function countNew({ opened, lookedAt }: Openings): number {
  return opened.filter((id) => !lookedAt.includes(id)).length;
}

/** Null until this person's device has asked; a damaged row is as good as none. */
export async function readOpenings(owner: string): Promise<Openings | null> {
  const value: unknown = (await db.meta.get(OPENINGS))?.value;
  if (typeof value !== 'string') return null;
  try {
    const openings: unknown = JSON.parse(value);
    return isOpenings(openings) && openings.owner === owner ? openings : null;
  } catch {
    return null;
  }
}

/**
 * What the server answered. The first answer only says from when on to count.
 * @returns what is known then; null when the device is this person's no more
 */
export async function noteOpened(
  owner: string,
  { asOf, ids }: { asOf: string; ids: string[] },
): Promise<Openings | null> {
  let after: Openings | null = null;
  await writeAs(owner, [], async () => {
    const before = await readOpenings(owner);
    after = before ? { ...before, opened: ids } : { owner, since: asOf, opened: [], lookedAt: [] };
    await write(after);
  });
  return after;
}

/** The person looks at what is in an opened capsule. @returns what is known then; null when nothing is */
export async function noteLook(id: string): Promise<Openings | null> {
  return db.transaction('rw', db.meta, async () => {
    const owner = await readOwner();
    const before = owner === null ? null : await readOpenings(owner);
    if (!before) return null;
    const others = before.lookedAt.filter((other) => other !== id);
    const openings = { ...before, lookedAt: [...others, id].slice(-LOOKED_AT_MAX) };
    await write(openings);
    return openings;
  });
}

async function write(openings: Openings): Promise<void> {
  await db.meta.put({ key: OPENINGS, value: JSON.stringify(openings) });
}
