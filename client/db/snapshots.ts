import type { CurrentUser } from '../../shared/api/user.ts';
import type { Patch } from './merge-draft.ts';
import { deviceStorage } from './web-storage.ts';

/*
 * The last keys before a page goes. A write to IndexedDB that begins then may not end; a write to
 * localStorage does, and the next page moves it into the row before any screen reads it.
 */

export interface Snapshot<Row extends { fields: object }> {
  userId: string;
  /** Only what was not written to the row. */
  fields: Partial<Row['fields']>;
  /** What stood there before; absent in snapshots of older versions. */
  base?: Partial<Row['fields']> | undefined;
  /** What was being written when the page went. It may stand there instead. */
  written?: Partial<Row['fields']> | undefined;
  /** The row was never written: that it is missing does not mean that it has gone. */
  isNew: boolean;
  takenAt: number;
  /** What a new row has besides. */
  begun?: Omit<Row, 'fields'> | undefined;
}

/** What a snapshot changes in a row as it is now; null for nothing. */
export function patchOf<Row extends { fields: object; updatedAt: number }>(
  { fields, base, written, isNew, takenAt }: Snapshot<Row>,
  row: Row | null,
): Patch<Row['fields']> | null {
  const isWanted = row ? base !== undefined || takenAt > row.updatedAt : isNew;
  if (!isWanted) return null;
  const isThere = ([name, text]: [string, unknown]) => Object(row?.fields)[name] === text;
  const arrived = Object.fromEntries(Object.entries(written ?? {}).filter(isThere));
  return { fields, base: base && { ...base, ...arrived } };
}

const PREFIX = 'draft:';

/** Where storage is full or forbidden, the write to IndexedDB that has begun may still succeed. */
export function writeSnapshot(id: string, snapshot: Snapshot<{ fields: object }>): void {
  deviceStorage.write(PREFIX + id, JSON.stringify(snapshot));
}

export function removeSnapshot(id: string): void {
  deviceStorage.write(PREFIX + id, null);
}

/** The ids of rows that pages have left a snapshot of. */
export function snapshotIds(): string[] {
  try {
    const names = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    return names.map((name) => name.slice(PREFIX.length));
  } catch {
    return [];
  }
}

/** Moves this person's snapshots into their rows. */
export async function restoreSnapshots<Row extends { fields: object }>(
  userId: string,
  restore: (id: string, snapshot: Snapshot<Row>) => Promise<unknown>,
): Promise<void> {
  for (const id of snapshotIds()) {
    const snapshot = readSnapshot<Row>(id);
    if (snapshot && snapshot.userId !== userId) continue;
    if (snapshot) await restore(id, snapshot);
    removeSnapshot(id);
  }
}

/** Removes what this person has typed last; another person's waits for them. */
export function removeSnapshotsOf(userId: string): void {
  writeTypedProfile(userId, null);
  for (const id of snapshotIds()) {
    if (readSnapshot(id)?.userId === userId) removeSnapshot(id);
  }
}

function readSnapshot<Row extends { fields: object }>(id: string): Snapshot<Row> | null {
  return deviceStorage.readJson(PREFIX + id) as Snapshot<Row> | null;
}

export type ProfileWords = Pick<CurrentUser, 'name' | 'bio'>;

/** Of localStorage. */
const typedProfileKey = (userId: string) => `typed-profile:${userId}`;

/** What a person has typed into their profile and not saved. */
export function readTypedProfile(userId: string): ProfileWords | null {
  return deviceStorage.readJson(typedProfileKey(userId)) as ProfileWords | null;
}

export function writeTypedProfile(userId: string, typed: ProfileWords | null): void {
  deviceStorage.write(typedProfileKey(userId), typed && JSON.stringify(typed));
}
