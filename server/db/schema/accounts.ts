import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

import { instant, oneOf } from './columns.ts';

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
 * each slot one change can wait. An address that has taken effect stays until a month after it can be
 * undone. As long as it can be undone nobody else has the one that it replaced.
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
