import { type SQLWrapper, sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

import { REPORT_REASONS } from '../../../shared/report-reasons.ts';
import { users } from './accounts.ts';
import { bytes, instant, oneOf } from './columns.ts';

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
