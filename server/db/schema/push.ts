import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';

import { users } from './accounts.ts';
import { instant } from './columns.ts';

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
