import { type SQLWrapper, sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

import { KIND_NAMES } from '../../mail/kinds.ts';
import { users } from './accounts.ts';
import { capsules } from './capsules.ts';
import { instant, oneOf } from './columns.ts';

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
