import { type SQLWrapper, sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';

import { users } from './accounts.ts';
import { bytes, instant, oneOf } from './columns.ts';

/** What a search looks at, as its index has it. A search text is one line, so it is within one of them. */
export const CAPSULE_TEXTS = sql.raw(
  `(title || E'\\n' || description || E'\\n' || coalesce(departed_creator, ''))`,
);

export const capsules = pgTable(
  'capsules',
  {
    id: uuid('id').primaryKey(),
    /** Null once the creator has deleted the account but left the capsule to its recipients, and in the bin. */
    creatorId: uuid('creator_id').references(() => users.id, { onDelete: 'set null' }),
    /** The creator's name after their account was deleted, shown to the recipients. */
    departedCreator: text('departed_creator'),
    /** Their address, hashed with the database's id: what they left counts if they register again. */
    departedAddress: text('departed_address'),
    title: text('title').notNull(),
    description: text('description').notNull(),
    personalMessage: text('personal_message').notNull(),
    dateToUnlock: date('date_to_unlock', { mode: 'string' }).notNull(),
    timeZone: text('time_zone').notNull(),
    /** The first instant of that day in that zone, fixed at creation. */
    unlockAt: instant('unlock_at').notNull(),
    notifyRecipient: boolean('notify_recipient').notNull(),
    mediaCount: integer('media_count').notNull(),
    /** How many of its recipients have refused their invitation, and are none any more. */
    refusals: integer('refusals').notNull().default(0),
    /** Of the files. */
    totalBytes: bytes('total_bytes').notNull(),
    /** Of the texts, which count towards the storage limit too. */
    textBytes: integer('text_bytes')
      .notNull()
      .generatedAlwaysAs(
        sql`octet_length(title) + octet_length(description) + octet_length(personal_message)`,
      ),
    createdAt: instant('created_at').notNull(),
    /** When the "has opened" emails were queued. Null before. */
    openedNoticeAt: instant('opened_notice_at'),
  },
  (t) => [
    // Ascending, and read backwards: drizzle's `desc()` makes `desc nulls last`, which is another order.
    index('capsules_creator').on(t.creatorId, t.createdAt, t.id),
    // The order of what opens next, and all that the dashboard counts.
    index('capsules_creator_unlock').on(
      t.creatorId,
      t.unlockAt,
      t.id,
      t.createdAt,
      t.dateToUnlock,
      t.totalBytes,
      t.textBytes,
    ),
    index('capsules_texts').using('gin', sql`${CAPSULE_TEXTS} gin_trgm_ops`),
    index('capsules_departed').on(t.departedAddress).where(sql`${t.departedAddress} is not null`),
    index('capsules_due').on(t.unlockAt).where(sql`${t.openedNoticeAt} is null`),
    index('capsules_told').on(t.unlockAt).where(sql`${t.openedNoticeAt} is not null`),
    check(
      'capsules_counts',
      sql`${t.mediaCount} >= 0 and ${t.refusals} >= 0 and ${t.totalBytes} >= 0`,
    ),
    check(
      'capsules_departed',
      sql`${t.departedAddress} is null or ${t.departedCreator} is not null`,
    ),
  ],
);

/** The recipient has not looked at the capsule since it opened, or it is still locked. */
export const isUnseen = (recipient: { seenAt: SQLWrapper; unlockAt: SQLWrapper }) =>
  sql`(${recipient.seenAt} is null or ${recipient.seenAt} < ${recipient.unlockAt})`;

/** A person's place among the recipients of a capsule. */
const placeColumns = () => ({
  capsuleId: uuid('capsule_id')
    .notNull()
    .references(() => capsules.id, { onDelete: 'cascade' }),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Order in which the sender named them. */
  position: integer('position').notNull(),
  /**
   * Copies of the capsule's times, so that a recipient's list and figures are index scans. They
   * never change.
   */
  createdAt: instant('created_at').notNull(),
  unlockAt: instant('unlock_at').notNull(),
  dateToUnlock: date('date_to_unlock', { mode: 'string' }).notNull(),
  /** Whether they have sealed it themselves. */
  isCreator: boolean('is_creator').notNull(),
  /** The recipient has put it away. It opens and is announced all the same. */
  hidden: boolean('hidden').notNull().default(false),
  /**
   * It was sealed while the recipient had blocked its creator. It is put away as well, and does not
   * exist for the recipient until they unblock.
   */
  blocked: boolean('blocked').notNull().default(false),
  /** When they last put it away. Null for never, or long ago. */
  hiddenAt: instant('hidden_at'),
  /** When the recipient first looked at it. Only a time after the opening counts. */
  seenAt: instant('seen_at'),
  /** When they said whether the creator may know that they have read it. Null until then. */
  readAnsweredAt: instant('read_answered_at'),
  /** The day they let the creator know, where they were. Null if they have not. */
  toldOpenedOn: date('told_opened_on', { mode: 'string' }),
});

export const capsuleRecipients = pgTable('capsule_recipients', placeColumns(), (t) => [
  primaryKey({ columns: [t.capsuleId, t.userId] }),
  index('capsule_recipients_user').on(t.userId, t.createdAt, t.capsuleId),
  // Few rows: what lists leave out, and what nobody has looked at yet.
  index('capsule_recipients_hidden').on(t.userId, t.createdAt, t.capsuleId).where(sql`${t.hidden}`),
  index('capsule_recipients_blocked').on(t.userId, t.capsuleId).where(sql`${t.blocked}`),
  index('capsule_recipients_unseen').on(t.userId, t.unlockAt, t.capsuleId).where(isUnseen(t)),
  // All that the dashboard counts.
  index('capsule_recipients_dates').on(
    t.userId,
    t.unlockAt,
    t.capsuleId,
    t.createdAt,
    t.dateToUnlock,
    t.isCreator,
  ),
  check('capsule_recipients_position', sql`${t.position} >= 0`),
  check('capsule_recipients_put_away', sql`${t.hidden} or not ${t.blocked}`),
]);

/**
 * Deleted capsules that can still be brought back. Meanwhile such a capsule has neither a creator
 * nor recipients, and so it exists for nobody.
 */
export const binnedCapsules = pgTable(
  'binned_capsules',
  {
    /** Of this deletion: the link that brings it back names it, and serves no later deletion. */
    id: uuid('id').primaryKey(),
    capsuleId: uuid('capsule_id')
      .notNull()
      .unique()
      .references(() => capsules.id, { onDelete: 'cascade' }),
    /** Who created and deleted it. */
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    deletedAt: instant('deleted_at').notNull(),
  },
  (t) => [
    index('binned_capsules_owner').on(t.ownerId, t.deletedAt),
    index('binned_capsules_deleted').on(t.deletedAt),
  ],
);

/** Whether a capsule is in the bin, for the statements that find capsules by their ids alone. */
export const isBinned = sql`exists (select 1 from ${binnedCapsules} where ${binnedCapsules.capsuleId} = ${capsules.id})`;

/** The recipients of binned capsules, as they were. */
export const binnedRecipients = pgTable('binned_recipients', placeColumns(), (t) => [
  primaryKey({ columns: [t.capsuleId, t.userId] }),
  index('binned_recipients_user').on(t.userId),
  check('binned_recipients_position', sql`${t.position} >= 0`),
  check('binned_recipients_put_away', sql`${t.hidden} or not ${t.blocked}`),
]);

export const capsuleFiles = pgTable(
  'capsule_files',
  {
    id: uuid('id').primaryKey(),
    capsuleId: uuid('capsule_id')
      .notNull()
      .references(() => capsules.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    /** The name on the sender's device, for display only. */
    name: text('name').notNull(),
    /** MIME type, judged by content. */
    type: text('type').notNull(),
    bytes: bytes('bytes').notNull(),
    /** Lower-case hex. */
    sha256: text('sha256').notNull(),
    /** Key in the file store. */
    storageKey: text('storage_key').notNull().unique(),
    /** Since when its bytes are lost for good, because the operator has accepted it. */
    lostAt: instant('lost_at'),
    /** The upload session it came by, so that a repeated request that names it is recognised. */
    uploadId: uuid('upload_id'),
    /** By which contribution it came. Null for the creator's own. */
    contributionId: uuid('contribution_id'),
  },
  (t) => [
    index('capsule_files_capsule').on(t.capsuleId, t.position),
    check('capsule_files_counts', sql`${t.position} >= 0 and ${t.bytes} >= 0`),
  ],
);

const KEY_STATES = ['receiving', 'done'] as const;

/**
 * Idempotency keys. A row is claimed before the body is read, with a lease that the request
 * renews, so that a crash frees the key. The row of a deleted capsule stays, so that a late repeat
 * does not bring it back.
 */
export const capsuleKeys = pgTable(
  'capsule_keys',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: uuid('key').notNull(),
    state: text('state', { enum: KEY_STATES }).notNull(),
    /** End of the lease, while receiving. */
    leaseUntil: instant('lease_until').notNull(),
    /** Which request holds the claim. */
    claim: uuid('claim').notNull(),
    /** SHA-256 over the fields and the files' hashes; null while receiving. */
    fingerprint: text('fingerprint'),
    capsuleId: uuid('capsule_id').references(() => capsules.id, { onDelete: 'set null' }),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.key] }),
    index('capsule_keys_capsule').on(t.capsuleId),
    index('capsule_keys_held').on(t.leaseUntil).where(sql`${t.state} = 'receiving'`),
    check('capsule_keys_state', oneOf(t.state, KEY_STATES)),
    check('capsule_keys_done', sql`(${t.state} = 'done') = (${t.fingerprint} is not null)`),
    check('capsule_keys_sealed', sql`${t.capsuleId} is null or ${t.state} = 'done'`),
  ],
);
