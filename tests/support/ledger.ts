import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { capsuleFiles, capsuleKeys, capsules, uploads } from '../../server/db/schema.ts';
import { isNamed } from '../../server/db/storage/stored.ts';
import type { Deps } from '../../server/deps.ts';
import { storedKeys } from './stored-keys.ts';
import { until } from './until.ts';

/** The server's side of every promise: its database, and the bytes that it keeps. */
type Ledger = Pick<Deps, 'db' | 'files'>;

/** Files in a data directory. */
type Left = Pick<Deps, 'db'> & { config: { dataDir: string } };

export interface Sealed {
  title: string;
  /** SHA-256 of each file's bytes, read back from the store just now, in the order of the capsule. */
  files: string[];
}

/** What a person has created: one entry a capsule, however often it was sent. */
export async function sealedBy({ db, files }: Ledger, userId: string): Promise<Sealed[]> {
  const rows = await db
    .select({
      id: capsules.id,
      title: capsules.title,
      storageKey: capsuleFiles.storageKey,
      sha256: capsuleFiles.sha256,
    })
    .from(capsules)
    .leftJoin(capsuleFiles, eq(capsuleFiles.capsuleId, capsules.id))
    .where(eq(capsules.creatorId, userId))
    .orderBy(capsules.createdAt, capsules.id, capsuleFiles.position);
  const sealed = new Map<string, Sealed>();
  for (const { id, title, storageKey, sha256 } of rows) {
    const entry = sealed.get(id) ?? { title, files: [] };
    sealed.set(id, entry);
    if (storageKey === null) continue;
    const kept = await hashOf(files, storageKey);
    entry.files.push(kept === sha256 ? kept : `the store has ${kept}, its row says ${sha256}`);
  }
  return [...sealed.values()];
}

/** As soon as there is anything. */
export function untilSealed(ledger: Ledger, userId: string, seconds = 60): Promise<Sealed[]> {
  return until(
    async () => {
      const sealed = await sealedBy(ledger, userId);
      return sealed.length > 0 ? sealed : null;
    },
    { seconds, everyMs: 100 },
  );
}

/** Uploads that no capsule took, bytes that no row names, and keys that are held: a line each. */
export async function leftBehind({ db, config }: Left): Promise<string[]> {
  const waiting = await db.select().from(uploads);
  const held = await db.select().from(capsuleKeys).where(eq(capsuleKeys.state, 'receiving'));
  const orphaned: string[] = [];
  for (const key of await storedKeys(config)) if (!(await isNamed(db, key))) orphaned.push(key);
  return [
    ...waiting.map(
      ({ id, name, received, bytes }) => `upload ${id} ${name} (${received}/${bytes})`,
    ),
    ...held.map(({ key }) => `key ${key} is held`),
    ...orphaned.map((key) => `bytes ${key}`),
  ];
}

/**
 * Requests that were cut are cleared away a moment after their connection.
 * @param before what an earlier test has left behind
 */
export async function untilNothingIsLeftBehind(
  ledger: Left,
  before: readonly string[] = [],
): Promise<void> {
  let found: string[] = [];
  await until(
    async () => {
      found = (await leftBehind(ledger)).filter((line) => !before.includes(line));
      return found.length === 0 ? true : null;
    },
    { everyMs: 100 },
  ).catch(() => {
    throw new Error(`Left behind on the server: ${found.join('; ')}`);
  });
}

async function hashOf(files: Ledger['files'], key: string): Promise<string> {
  const stored = await files.read(key);
  if (!stored) return 'nothing';
  const hash = createHash('sha256');
  for await (const chunk of stored.stream) hash.update(chunk);
  return hash.digest('hex');
}
