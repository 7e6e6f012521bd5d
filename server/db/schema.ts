import { type SQLWrapper, sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

import { REPORT_REASONS } from '../../shared/report-reasons.ts';
import { KIND_NAMES } from '../mail/kinds.ts';

/** The whole database. SQL migrations are made from this file with `npm run migration`. */

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const bytes = (name: string) => bigint(name, { mode: 'number' });

/** For a CHECK: a text column holds one of these words. */
const oneOf = (column: SQLWrapper, values: readonly string[]) =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`;

const CAPSULE_FATES = ['deliver', 'destroy'] as const;

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** Always as `normalizeEmail` spells it: uniqueness is the database's job. */
    email: text('email').notNull(),
    name: text('name').notNull(),
    bio: text('bio').notNull().default(''),
    /** Key of the avatar in the file store; null for none. */
    avatarKey: text('avatar_key'),
    /** Null for an invited person, who has no account yet. */
    passwordHash: text('password_hash'),
    emailVerifiedAt: instant('email_verified_at'),
    /** Since when emails to the address come back. Null while they arrive. */
    emailBouncedAt: instant('email_bounced_at'),
    /** A confirmed address for when the other one fails. */
    secondEmail: text('second_email'),
    /** When they were last asked whether the address is still theirs, or showed it. Null: as the account was made. */
    addressAskedAt: instant('address_asked_at'),
    /** The kinds of email they have turned off. */
    unwantedEmails: text('unwanted_notices').array().notNull().default(sql`'{}'`),
    /** Whether creators always or never learn that they have read a capsule. Null: they are asked. */
    tellsWhenRead: boolean('tells_when_read'),
    /**
     * Since when they are asked for a passkey on new devices, and for the passkeys of which host:
     * where the site moves, those end, and so does the choice. Null for who is not asked.
     */
    passkeyAskedSince: instant('passkey_asked_since'),
    passkeyAskedAtHost: text('passkey_asked_at_host'),
    /**
     * Which marks of known devices count: those that were made in this round. It is raised whenever all
     * sessions are ended. 0: nobody has signed in yet.
     */
    deviceRound: integer('device_round').notNull().default(0),
    /** Whether new drafts stay on the device that begins them. */
    draftsOnlyOnDevice: boolean('drafts_only_on_device').notNull().default(false),
    /** Since when an operator keeps them out. Null for everybody else. */
    suspendedAt: instant('suspended_at'),
    /** When an operator invited them: they can make their account even where registration is closed. */
    admittedAt: instant('admitted_at'),
    /** When an operator's order deletes them, and what becomes of capsules that they have sealed for others. */
    deletionDueAt: instant('deletion_due_at'),
    deletionCapsules: text('deletion_capsules', { enum: CAPSULE_FATES }),
    /** What an operator allows this person, in place of the site's limits. Null: those. */
    storageLimitMB: integer('storage_limit_mb'),
    capsulesADay: integer('capsules_a_day'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('users_email').on(t.email),
    uniqueIndex('users_second_email').on(t.secondEmail).where(sql`${t.secondEmail} is not null`),
    index('users_address_asked')
      .on(sql`coalesce(${t.addressAskedAt}, ${t.createdAt})`)
      .where(sql`${t.passwordHash} is not null`),
    index('users_deletion').on(t.deletionDueAt).where(sql`${t.deletionDueAt} is not null`),
    index('users_email_trigrams').using('gin', sql`${t.email} gin_trgm_ops`),
    index('users_avatar').on(t.avatarKey).where(sql`${t.avatarKey} is not null`),
    index('users_name_trigrams').using('gin', sql`lower(${t.name}) gin_trgm_ops`),
    // In the order of bytes, which is the same in every database and serves beginnings of names.
    index('users_name').on(sql`(lower(${t.name}) collate "C")`, t.id),
    check('users_limits', sql`${t.storageLimitMB} >= 0 and ${t.capsulesADay} >= 0`),
    check('users_deletion_capsules', oneOf(t.deletionCapsules, CAPSULE_FATES)),
    check('users_deletion', sql`(${t.deletionDueAt} is null) = (${t.deletionCapsules} is null)`),
  ],
);

/** How somebody has shown who they are. */
export const SIGN_IN_WAYS = ['password', 'passkey', 'provider'] as const;

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the token in the cookie. The token itself is not stored. */
    id: text('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
    /** A session ends 90 days after this, however often it is used. */
    createdAt: instant('created_at').notNull(),
    /** Browser and system in words, as it was signed in. Empty where it did not say. */
    device: text('device').notNull().default(''),
    signedInBy: text('signed_in_by', { enum: SIGN_IN_WAYS }).notNull().default('password'),
    /** The last day on which it was used, in UTC. Null: not since the day it began. */
    lastUsedOn: date('last_used_on', { mode: 'string' }),
    /** Until when it counts, once, that its person has just shown at the identity provider that it is them. */
    confirmedUntil: instant('confirmed_until'),
  },
  (t) => [
    index('sessions_user').on(t.userId),
    index('sessions_expiry').on(t.expiresAt),
    check('sessions_way', oneOf(t.signedInBy, SIGN_IN_WAYS)),
  ],
);

/** What a link in an email is for. */
const LINK_PURPOSES = [
  'reset',
  'verify',
  'invitation',
  'confirm',
  'undo',
  'answer-password',
] as const;

/**
 * Links in emails, and those shown to who invites somebody: whoever has the token may do what the
 * link is for. Only a hash of it is stored.
 */
export const linkTokens = pgTable(
  'link_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    purpose: text('purpose', { enum: LINK_PURPOSES }).notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The change or the invitation that it is about. Null for an invitation in an email about a capsule. */
    subjectId: uuid('subject_id'),
    /**
     * Where it was emailed to: it proves that address, as long as that is the person's. Null for an
     * invitation that was shown and not emailed.
     */
    sentTo: text('sent_to'),
    /** Which client asked for it, as a hash: a new reset link voids the older ones of the same client. */
    requestedBy: text('requested_by'),
    expiresAt: instant('expires_at').notNull(),
    /** An invitation stays after it was used, to say that there is an account. Others are deleted. */
    usedAt: instant('used_at'),
  },
  (t) => [
    index('link_tokens_user').on(t.userId, t.purpose),
    index('link_tokens_expiry').on(t.expiresAt),
    check('link_tokens_purpose', oneOf(t.purpose, LINK_PURPOSES)),
    check('link_tokens_reset', sql`(${t.purpose} = 'reset') = (${t.requestedBy} is not null)`),
    check(
      'link_tokens_proof',
      sql`${t.sentTo} is not null or ${t.purpose} not in ('reset', 'verify')`,
    ),
    check('link_tokens_used', sql`${t.usedAt} is null or ${t.purpose} = 'invitation'`),
  ],
);

/**
 * Who invited which address. A row outlives both of them, so that nobody is invited more often than
 * they may be by deleting an account, or after they refused.
 */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey(),
    inviterId: uuid('inviter_id').references(() => users.id, { onDelete: 'set null' }),
    /** Who was invited. Null once they have refused, or deleted their account. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Their address, hashed with the database's id. */
    addressHash: text('address_hash').notNull(),
    /** What the inviter calls them, for the greeting. */
    name: text('name'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('invitations_once').on(t.addressHash, t.inviterId),
    index('invitations_inviter').on(t.inviterId),
    index('invitations_user').on(t.userId),
  ],
);

/**
 * What others may object to: a change of an address, or a new password that was set by a link. Of
 * each slot one change can wait. An address that has taken effect stays as long as it can be undone,
 * and nobody else can have the one that it replaced.
 */
export const accountChanges = pgTable(
  'account_changes',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What changes. */
    slot: text('slot', { enum: ['main', 'second', 'password'] }).notNull(),
    /** Null where the second address is removed, and for a password. */
    newAddress: text('new_address'),
    passwordHash: text('password_hash'),
    /** Where the link that set the password was emailed to: this address is not asked. */
    sentTo: text('sent_to'),
    createdAt: instant('created_at').notNull(),
    /** Until then the new address can confirm it. Null where there is nothing to confirm. */
    confirmUntil: instant('confirm_until'),
    /** Null until then, and for a password. */
    confirmedAt: instant('confirmed_at'),
    /** When it takes effect unless somebody objects, or did. A new address has to be confirmed as well. */
    takesEffectAt: instant('takes_effect_at').notNull(),
    /**
     * Until then it can be undone. If it was: until then the new address is asked about new passwords.
     * Null while it waits.
     */
    objectionUntil: instant('objection_until'),
    undoneAt: instant('undone_at'),
    /** The addresses from before it took effect, for an undo. */
    previousMain: text('previous_main'),
    /** Whether the earlier main address was confirmed. An undo brings it back as it was. */
    previousMainConfirmed: boolean('previous_main_confirmed'),
    previousSecond: text('previous_second'),
  },
  (t) => [
    uniqueIndex('account_changes_waiting')
      .on(t.userId, t.slot)
      .where(sql`${t.objectionUntil} is null`),
    index('account_changes_user').on(t.userId),
    index('account_changes_main').on(t.previousMain),
    index('account_changes_second').on(t.previousSecond),
    check(
      'account_changes_password',
      sql.raw(`case when slot = 'password'
        then num_nulls(password_hash, sent_to) = 0
          and num_nonnulls(new_address, confirm_until, confirmed_at, objection_until) = 0
        else num_nonnulls(password_hash, sent_to) = 0 end`),
    ),
    check(
      'account_changes_address',
      sql.raw(`slot = 'password' or slot in ('main', 'second')
        and (new_address is not null or slot = 'second' and objection_until is not null)
        and (confirm_until is not null or objection_until is not null)`),
    ),
    check(
      'account_changes_effect',
      sql.raw(`case when objection_until is null
        then num_nonnulls(previous_main, previous_main_confirmed, previous_second, undone_at) = 0
        else num_nulls(confirmed_at, previous_main, previous_main_confirmed) = 0 end`),
    ),
  ],
);

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

/** Whom people have blocked. Seen by nobody but who has blocked. */
export const blocks = pgTable(
  'blocks',
  {
    /** Who has blocked the other one. */
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    blockedId: uuid('blocked_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.blockedId] }),
    index('blocks_blocked').on(t.blockedId),
    check('blocks_another', sql`${t.userId} <> ${t.blockedId}`),
  ],
);

/** Whether this person has blocked that one. */
export const hasBlocked = (userId: SQLWrapper, blockedId: SQLWrapper) =>
  sql<boolean>`exists (select 1 from blocks b where b.user_id = ${userId} and b.blocked_id = ${blockedId})`;

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

const DRAFT_ENDS = ['sealed', 'discarded'] as const;

export interface DraftWrite {
  id: string;
  /** What it made. */
  revision: number;
}

/**
 * What is not sealed yet, as all devices of a person have it. Of one that is gone a row stays, so that
 * each device hears of it.
 */
export const drafts = pgTable(
  'drafts',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Made by a device, and so unique for one person only. Also the idempotency key of its capsule. */
    id: uuid('id').notNull(),
    /** Grows with each change of any draft of the person. */
    revision: bigint('revision', { mode: 'number' }).notNull(),
    /** As JSON: `jsonb` has no place for some of the characters that a half-typed text may have. */
    content: text('content'),
    /**
     * The title that stands in it, for what needs no more of it. Null where a version before this one
     * has written it, and once it is gone.
     */
    title: text('title'),
    /** The names of the others it is for, and its day, as they stand in it. As with the title. */
    recipientNames: text('recipient_names').array(),
    dateToUnlock: text('date_to_unlock'),
    /** The last writes by their own ids, so that a repeat is told from another device's words. */
    writes: jsonb('writes').$type<DraftWrite[]>().notNull().default([]),
    /** How many links to add by it has had: each token is signed with its own number. */
    linkNumber: integer('link_number').notNull().default(0),
    gone: text('gone', { enum: DRAFT_ENDS }),
    /** Browser and system in words. Empty where it did not say. */
    writtenOn: text('written_on').notNull(),
    writtenAt: instant('written_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    uniqueIndex('drafts_changes').on(t.userId, t.revision),
    index('drafts_ended').on(t.writtenAt).where(sql`${t.gone} is not null`),
    check('drafts_gone', oneOf(t.gone, DRAFT_ENDS)),
    check('drafts_content', sql`(${t.content} is null) = (${t.gone} is not null)`),
  ],
);

/** The link by which others add to a draft: one of each. Only a hash of its token is stored. */
export const contributionLinks = pgTable(
  'contribution_links',
  {
    userId: uuid('user_id').notNull(),
    draftId: uuid('draft_id').notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    /** The organiser's, to those who are asked. */
    words: text('words').notNull(),
    /** Whom the capsule is for, and its day, are not told to those who are asked. */
    isSurprise: boolean('is_surprise').notNull().default(false),
    /** The last day on which somebody can begin to add, as the organiser chose it, and its end. */
    until: date('until', { mode: 'string' }),
    endsAt: instant('ends_at'),
    madeAt: instant('made_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.draftId] }),
    foreignKey({
      name: 'contribution_links_draft',
      columns: [t.userId, t.draftId],
      foreignColumns: [drafts.userId, drafts.id],
    }).onDelete('cascade'),
    check('contribution_links_until', sql`(${t.until} is null) = (${t.endsAt} is null)`),
  ],
);

/** What somebody without an account adds to a draft. Once that is sealed, it belongs to the capsule. */
export const contributions = pgTable(
  'contributions',
  {
    /** Made by their device. */
    id: uuid('id').primaryKey(),
    /** The organiser, for whom its text counts. It may outlive their account, with the capsule. */
    userId: uuid('user_id').notNull(),
    /** Null once it is sealed. */
    draftId: uuid('draft_id'),
    capsuleId: uuid('capsule_id').references(() => capsules.id, { onDelete: 'cascade' }),
    /** Of who adds it, as they wrote it. */
    name: text('name').notNull(),
    letter: text('letter').notNull(),
    /** What they have chosen, in display order, as JSON. The bytes come as uploads of the same ids. */
    files: text('files').notNull(),
    revision: integer('revision').notNull(),
    /** Of what only the device has that added it, or the one that has gone on with it. */
    secretHash: text('secret_hash').notNull(),
    /** Of what the device had that wrote before another one went on. */
    formerSecretHash: text('former_secret_hash'),
    /** When its organiser removed it. Until it is sealed or a week has passed, it can be put back. */
    removedAt: instant('removed_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('contributions_draft').on(t.userId, t.draftId),
    index('contributions_capsule').on(t.capsuleId),
    foreignKey({
      name: 'contributions_of_draft',
      columns: [t.userId, t.draftId],
      foreignColumns: [drafts.userId, drafts.id],
    }).onDelete('cascade'),
    check('contributions_place', sql`num_nonnulls(${t.draftId}, ${t.capsuleId}) = 1`),
    check('contributions_revision', sql`${t.revision} >= 1`),
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

/**
 * Stored files that no other row names: each from before its first byte until a transaction names it,
 * and again once its row is deleted. A job removes their bytes, and then these rows.
 */
export const pendingFiles = pgTable('pending_files', {
  storageKey: text('storage_key').primaryKey(),
  /** When it was begun. Null once nothing may name it any more, so that its bytes can go at once. */
  since: instant('since'),
});

/**
 * What people are told by email, written in the transaction of the event. Texts and tokens are made
 * when an email is sent, so that a copy of this table opens nothing.
 */
export const emails = pgTable(
  'emails',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: KIND_NAMES }).notNull(),
    /** Whom it is for. Null where the address may be unknown (a new password), and for the last email of an account. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The one address it is for. Null for what goes to the person, wherever they are reached. */
    toAddress: text('to_address'),
    /** Whether it tells about the capsules of its notices, and stays as long as they do. */
    isAboutCapsules: boolean('is_about_capsules').notNull(),
    /**
     * What it is about besides: a change of addresses, a deletion of a capsule, an invitation, a session
     * by its public id, a report. If that is gone when the email is due, there is nothing to tell.
     */
    aboutId: uuid('about_id'),
    /** Of a link for a new password: which client asked for it, as a hash. */
    requestedBy: text('requested_by'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    // Also how many of a kind one person got lately.
    index('emails_user').on(t.userId, t.kind, t.createdAt),
    index('emails_address').on(t.toAddress).where(sql`${t.toAddress} is not null`),
    index('emails_about').on(t.aboutId).where(sql`${t.aboutId} is not null`),
    // What the sweep deletes, so that it does not read all others every hour.
    index('emails_old').on(t.createdAt).where(sql`not ${t.isAboutCapsules}`),
    check('emails_for_somebody', sql`${t.userId} is not null or ${t.toAddress} is not null`),
  ],
);

/** That a person is told about a capsule, once for each kind, and by which email. One email may carry several. */
export const notices = pgTable(
  'notices',
  {
    capsuleId: uuid('capsule_id')
      .notNull()
      .references(() => capsules.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: KIND_NAMES }).notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    emailId: uuid('email_id')
      .notNull()
      .references(() => emails.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.capsuleId, t.kind, t.userId] }),
    index('notices_user').on(t.userId),
    index('notices_email').on(t.emailId),
  ],
);

/**
 * What became of a sending, in the order in which a later one replaces an earlier one, whichever is
 * told first. `dropped`: when it was due, there was nobody or nothing to tell any more. `withheld`: its
 * reader has blocked who causes it, who sees it as sent. `unknown`: it may have arrived. `failed` and
 * `bounced`: it could not be handed over, or was and did not arrive, as the provider has told.
 */
export const OUTCOMES = [
  'dropped',
  'withheld',
  'unknown',
  'sent',
  'delivered',
  'failed',
  'bounced',
  'complained',
] as const;

/** Why an email goes out: as queued, or again after an earlier sending of it. */
const CAUSES = [
  'first',
  /** The earlier one came back from the person's main address. */
  'second-address',
  /** Written by versions before this one, for what `is_second_try` says now. */
  'unanswered',
  /** The creator of the capsule asked for it. */
  'repeat',
] as const;

/** One row for each time an email is to go out, whatever number of attempts that takes. */
export const sendings = pgTable(
  'sendings',
  {
    /**
     * Names it to providers, and in their reports. Where it goes by a call of its own, also the key of
     * that call, with the number of the attempt if each has another text.
     */
    id: uuid('id').primaryKey(),
    emailId: uuid('email_id')
      .notNull()
      .references(() => emails.id, { onDelete: 'cascade' }),
    /** Counts the sendings of an email from 1, so that each is followed by one other at most. */
    number: smallint('number').notNull(),
    cause: text('cause', { enum: CAUSES }).notNull(),
    /** Which go first, as in the table of kinds. */
    urgency: smallint('urgency').$type<0 | 1 | 2>().notNull(),
    /** Which address of the person it is for. Null where the email names one address. */
    slot: text('slot', { enum: ['main', 'second'] }),
    /** Where it goes. Set anew at each attempt, unless an earlier one may have arrived. Null before the first. */
    address: text('address'),
    /**
     * The sendings it goes together with, by one call of the provider, and the key of that call. A
     * later attempt is made with the same ones under the same key, so that none goes twice.
     */
    batchId: uuid('batch_id'),
    attempts: integer('attempts').notNull().default(0),
    /** Due at this time. During an attempt, the end of its lease. Null once it has ended. */
    nextAttemptAt: instant('next_attempt_at'),
    /** Since when the provider may have it, by this try. Null while it cannot. */
    begunAt: instant('begun_at'),
    /** The answer to the first try was lost for good, so that it may have arrived. There is no third one. */
    isSecondTry: boolean('is_second_try').notNull().default(false),
    /** When the provider has taken it. */
    sentAt: instant('sent_at'),
    /** What the provider calls it. */
    providerId: text('provider_id'),
    outcome: text('outcome', { enum: OUTCOMES }),
    outcomeAt: instant('outcome_at'),
    /** Of the last attempt that failed, or of what was told since, in the words of the provider. */
    reason: text('reason'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('sendings_due').on(t.urgency, t.nextAttemptAt).where(sql`${t.outcome} is null`),
    index('sendings_batch')
      .on(t.batchId)
      .where(sql`${t.outcome} is null and ${t.batchId} is not null`),
    uniqueIndex('sendings_number').on(t.emailId, t.number),
    index('sendings_provider').on(t.providerId).where(sql`${t.providerId} is not null`),
    index('sendings_given_up').on(t.outcomeAt).where(isGivenUp(t)),
    check('sendings_cause', oneOf(t.cause, CAUSES)),
    check('sendings_slot', oneOf(t.slot, ['main', 'second'])),
    check('sendings_outcome', oneOf(t.outcome, OUTCOMES)),
    check('sendings_urgency', sql`${t.urgency} between 0 and 2`),
    check('sendings_open', sql`(${t.outcome} is null) = (${t.nextAttemptAt} is not null)`),
    check('sendings_ended', sql`(${t.outcome} is null) = (${t.outcomeAt} is null)`),
    check(
      'sendings_sent',
      sql`${t.sentAt} is not null or ${t.outcome} not in ('sent', 'delivered', 'complained')`,
    ),
    check('sendings_counts', sql`${t.number} >= 1 and ${t.attempts} >= 0`),
    check('sendings_addressed', sql`${t.address} is not null or ${t.sentAt} is null`),
  ],
);

/** That the provider may have taken a sending, now or at an earlier try. */
export const mayHaveArrived = sql`(${sendings.begunAt} is not null or ${sendings.isSecondTry})`;

/** It ended without the provider having taken it, as far as is known. */
export function isGivenUp(sending: { sentAt: SQLWrapper; outcome: SQLWrapper }) {
  return sql`${sending.sentAt} is null and ${sending.outcome} in ('unknown', 'failed', 'bounced')`;
}

/** What signs people in without a password. The private key never leaves their device. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What the authenticator calls it, in base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE, in base64url. */
    publicKey: text('public_key').notNull(),
    /** The highest one it has sent. Nothing depends on it. */
    counter: bytes('counter').notNull(),
    /** How browsers reach it, as they said. */
    transports: text('transports').array().notNull(),
    name: text('name').notNull(),
    isBackedUp: boolean('is_backed_up').notNull(),
    createdAt: instant('created_at').notNull(),
    /** In UTC. Null for never. */
    lastUsedOn: date('last_used_on', { mode: 'string' }),
  },
  (t) => [index('passkeys_user').on(t.userId), check('passkeys_counter', sql`${t.counter} >= 0`)],
);

/**
 * Who somebody is at an identity provider. Its issuer and subject alone say whose account it is: an
 * address at the provider may be anybody's.
 */
export const identities = pgTable(
  'identities',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    createdAt: instant('created_at').notNull(),
    /**
     * From when on a new password does not remove it. Null for never: whoever made the account by it had
     * not shown that its address is theirs.
     */
    settledAt: instant('settled_at'),
    /** In UTC. Null for never. */
    lastUsedOn: date('last_used_on', { mode: 'string' }),
  },
  (t) => [
    uniqueIndex('identities_subject').on(t.issuer, t.subject),
    uniqueIndex('identities_user').on(t.userId, t.issuer),
  ],
);

/**
 * Challenges that passkeys have answered, and states with which an identity provider has sent somebody
 * back. Each counts once, on whichever server.
 */
export const usedChallenges = pgTable('used_challenges', {
  id: text('id').primaryKey(),
  expiresAt: instant('expires_at').notNull(),
});

/** Codes with which a new password need not wait for another address. Each works once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    codeHash: text('code_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('recovery_codes_user').on(t.userId)],
);

/** Browsers that are told when a capsule opens. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /**
     * The session that subscribed last. Signing out ends both. A session that only expires leaves
     * the subscription: a capsule may open years after the last visit.
     */
    sessionId: text('session_id').notNull(),
    endpoint: text('endpoint').notNull().unique(),
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    /** When it subscribed, or last said that it still is. */
    touchedAt: instant('touched_at').notNull(),
  },
  (t) => [
    index('push_subscriptions_user').on(t.userId),
    index('push_subscriptions_session').on(t.sessionId),
  ],
);

/**
 * What is still to be told to a browser, written in the transaction of the event. The row goes when
 * it is sent or given up. Its text is made when it is sent.
 */
export const pushMessages = pgTable(
  'push_messages',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    subscriptionId: uuid('subscription_id')
      .notNull()
      .references(() => pushSubscriptions.id, { onDelete: 'cascade' }),
    /** Which capsules have opened. */
    capsuleIds: uuid('capsule_ids').array().notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Due at this time. During an attempt, the end of its lease. */
    nextAttemptAt: instant('next_attempt_at').notNull(),
  },
  (t) => [
    index('push_messages_due').on(t.nextAttemptAt),
    index('push_messages_subscription').on(t.subscriptionId),
    check('push_messages_counts', sql`${t.attempts} >= 0 and cardinality(${t.capsuleIds}) > 0`),
  ],
);

/**
 * What people have reported to the operator. What was reported is looked up when it is read, as the
 * reporter may see it, and never copied.
 */
export const reports = pgTable(
  'reports',
  {
    id: uuid('id').primaryKey(),
    /** Null once they have deleted their account. */
    reporterId: uuid('reporter_id').references(() => users.id, { onDelete: 'set null' }),
    /** Null where it is about a person. The ids outlive what they name. */
    capsuleId: uuid('capsule_id'),
    /** What somebody has added to that capsule, where the report is about that. */
    contributionId: uuid('contribution_id'),
    /** Who is reported, or who created the capsule. Null for a creator who had left. */
    userId: uuid('user_id'),
    reason: text('reason', { enum: REPORT_REASONS }).notNull(),
    /** In the reporter's words. */
    text: text('text').notNull(),
    createdAt: instant('created_at').notNull(),
    answeredAt: instant('answered_at'),
    /** The operator's, of what was done. Nobody else sees it. */
    note: text('note'),
  },
  (t) => [
    uniqueIndex('reports_open_once')
      .on(reportedThing(t), t.reporterId)
      .where(sql`${t.answeredAt} is null`),
    index('reports_reporter').on(t.reporterId),
    check('reports_reason', oneOf(t.reason, REPORT_REASONS)),
    check('reports_about', sql`num_nonnulls(${t.capsuleId}, ${t.userId}) > 0`),
  ],
);

/** The contribution that is reported, or the capsule, or the person. */
export function reportedThing(
  report: Record<'contributionId' | 'capsuleId' | 'userId', SQLWrapper>,
) {
  return sql`(coalesce(${report.contributionId}, ${report.capsuleId}, ${report.userId}))`;
}

/** What operators have done to people's accounts, and why. It says nothing of capsules. */
export const operatorActions = pgTable(
  'operator_actions',
  {
    id: uuid('id').primaryKey(),
    at: instant('at').notNull(),
    /** Of `npm run admin`. */
    command: text('command').notNull(),
    /** Whose account it was. Null once they have deleted it. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** In the operator's words. */
    reason: text('reason').notNull(),
  },
  (t) => [index('operator_actions_user').on(t.userId)],
);

/** One row with what the server remembers between runs. */
export const serverState = pgTable('server_state', {
  id: integer('id').primaryKey(),
  /** The latest instant any run has seen; the clock guard compares with it. */
  lastSeenAt: instant('last_seen_at').notNull(),
  /** What the file store is marked with, so that no other database takes it for its own. */
  storeId: uuid('store_id').notNull().defaultRandom(),
  storeIsMarked: boolean('store_is_marked').notNull().default(false),
  /**
   * Keys the stored hashes of addresses, which nobody could make again. Null as long as the store has
   * its first id, which is the key then.
   */
  addressKey: uuid('address_key'),
  /** Since when nothing can be sealed, because an operator said so. */
  maintenanceSince: instant('maintenance_since'),
  /** Where `npm run move` has copied this database to, for a person to read: it is not used any more. */
  movedTo: text('moved_to'),
  /** What the store was marked with before the move, and is still known by there. */
  movedStoreId: uuid('moved_store_id'),
  /** Whether addresses have to be confirmed before they count, as the last start was told. */
  confirmsAddresses: boolean('confirms_addresses').notNull().default(false),
  /** Signs what lasts without a row: links in emails, and cookies of known devices (`linkSigner`). */
  signingKey: text('notice_link_key'),
  /** Made when the first browser asks, unless the environment has them. */
  vapidPublicKey: text('vapid_public_key'),
  vapidPrivateKey: text('vapid_private_key'),
  /** Up to which message the bounce mailbox has been read, as its reader writes it. */
  bouncesReadTo: text('bounces_read_to'),
});

/** Attempts by client and account that all processes count together, as rate-limiter-flexible wants them. */
export const rateLimits = pgTable('rate_limits', {
  /** What is counted, and a hash of whose attempts they are. */
  key: text('key').primaryKey(),
  points: integer('points').notNull(),
  /** The count begins again at this time. */
  expire: instant('expire').notNull(),
});
