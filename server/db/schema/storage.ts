import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';

import { users } from './accounts.ts';
import { bytes, instant } from './columns.ts';

/** Upload sessions: large files on their way, until a capsule uses them or they expire. */
export const uploads = pgTable(
  'uploads',
  {
    /** Made by the client, so that a repeat after a lost answer does not start a second upload. */
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Of the whole file. */
    bytes: bytes('bytes').notNull(),
    /** Bytes on stable storage, from the first one without a gap. */
    received: bytes('received').notNull(),
    /** Key of the growing file in the file store. */
    storageKey: text('storage_key').notNull().unique(),
    /** Set, like `sha256`, when the upload is complete. */
    type: text('type'),
    sha256: text('sha256'),
    /**
     * The draft of the same person that names it: while there is that draft, it is kept. It may come
     * before its draft.
     */
    draftId: uuid('draft_id'),
    /**
     * The contribution to that draft that it is for. It counts for the organiser, who can't read it.
     */
    contributionId: uuid('contribution_id'),
    createdAt: instant('created_at').notNull(),
    touchedAt: instant('touched_at').notNull(),
  },
  (t) => [
    index('uploads_user').on(t.userId),
    index('uploads_touched').on(t.touchedAt),
    check('uploads_received', sql`${t.received} between 0 and ${t.bytes}`),
    check(
      'uploads_complete',
      sql`(${t.type} is null) = (${t.sha256} is null)
        and (${t.sha256} is null or ${t.received} = ${t.bytes})`,
    ),
  ],
);

/**
 * Stored files that no other row names: each from before its first byte until a transaction names it,
 * and again once its row is deleted. A job removes their bytes, and then these rows.
 */
export const pendingFiles = pgTable('pending_files', {
  storageKey: text('storage_key').primaryKey(),
  /** When it was begun. Null once nothing may name it any more, so that its bytes can go at once. */
  since: instant('since'),
});
