import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';

import { users } from './accounts.ts';
import { instant } from './columns.ts';

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
  /**
   * Where `npm run move` has copied this database to, for a person to read, or that it is a copy which
   * is not finished: it is not used any more, or not yet.
   */
  movedTo: text('moved_to'),
  /** Written by versions before 1.0.0. */
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
