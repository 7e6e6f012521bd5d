import { Dexie, type Table } from 'dexie';
import type { CapsuleType } from '../../shared/api/capsules.ts';
import { switchedFactory, switchedRanges } from './engine.ts';
import { DATABASE_NAME } from './names.ts';
import type {
  AbandonedRow,
  CapsuleRow,
  ChunkRow,
  DraftRow,
  KeptChunk,
  KeptFileRow,
  KnownPersonRow,
  LimitsRow,
  ListRow,
  MetaRow,
  OutboxRow,
  ProfileRow,
  SummaryRow,
} from './tables.ts';

export type * from './tables.ts';

export interface Database extends Dexie {
  capsules: Table<CapsuleRow, [string, string]>;
  lists: Table<ListRow, [string, CapsuleType, string, number]>;
  summaries: Table<SummaryRow, [string, number]>;
  profiles: Table<ProfileRow, string>;
  limits: Table<LimitsRow, string>;
  drafts: Table<DraftRow, [string, string]>;
  files: Table<KeptFileRow, [string, string]>;
  /** Read and written through local/chunks.ts. The key is owner, file and number. */
  bytes: Table<KeptChunk, [string, string, number]>;
  chunks: Table<ChunkRow, [string, number]>;
  outbox: Table<OutboxRow, [string, string]>;
  abandoned: Table<AbandonedRow, [string, string]>;
  people: Table<KnownPersonRow, [string, string]>;
  meta: Table<MetaRow, string>;
}

// Live queries ask nothing where the browser has no IndexedDB of its own.
Object.assign(Dexie.dependencies, { indexedDB: switchedFactory, IDBKeyRange: switchedRanges });

/** A new version of the tables is a new `version(n)` below the older ones, which stay as they are. */
export function createDatabase(name: string): Database {
  // Strict: what a person has typed is on the disk when a save is done, not just on its way.
  const database = new Dexie(name, {
    chromeTransactionDurability: 'strict',
    // What is worth remembering is in page-memory.ts; the build leaves Dexie's own memory out.
    cache: 'disabled',
    indexedDB: switchedFactory,
    IDBKeyRange: switchedRanges,
  });
  database.version(1).stores({
    capsules: '[owner+id], owner',
    lists: '[owner+type+query+page], owner',
    summaries: '[owner+year], owner',
    profiles: 'owner',
    limits: 'owner',
    drafts: '[owner+id], owner',
    meta: 'key',
  });
  database.version(2).stores({
    files: '[owner+id], owner, [owner+capsuleId]',
    chunks: '[fileId+index], fileId, owner',
    outbox: '[owner+id], owner',
  });
  database.version(3).stores({ people: '[owner+id], owner' });
  database.version(4).stores({ bytes: '' });
  // Chunks may be blobs from here on: an older version must not take them for damaged ones.
  database.version(5).stores({ abandoned: '[owner+id], owner' });
  // Dexie adds the tables that stores() names as properties.
  return database as Database;
}

export const db = createDatabase(DATABASE_NAME);

/** The tables that only repeat what the server knows. */
export function cacheTables(database: Database = db) {
  const { capsules, lists, summaries, profiles, limits, people } = database;
  return [capsules, lists, summaries, profiles, limits, people];
}
