import { and, desc, eq, exists, gt, inArray, lte, ne, not, sql } from 'drizzle-orm';
import { later } from '../../clock/clock.ts';
import type { PushKeys, PushTarget } from '../../push/push-sender.ts';
import type { Database, Queryable } from '../open.ts';
import { anyRow } from '../rows.ts';
import {
  capsules,
  isBinned,
  pushMessages,
  pushSubscriptions,
  serverState,
  sessions,
} from '../schema.ts';

/** The key pair of this database. @param make returns a new one, if there is none yet */
export async function findPushKeys(db: Queryable, make: () => PushKeys): Promise<PushKeys> {
  const { vapidPublicKey: publicKey, vapidPrivateKey: privateKey } = serverState;
  const [known] = await db.select({ publicKey, privateKey }).from(serverState);
  if (known?.publicKey && known.privateKey) return known as PushKeys;
  const fresh = make();
  // Of two processes that make one at the same time, both get the same.
  const [row] = await db
    .update(serverState)
    .set({
      vapidPublicKey: sql`coalesce(${publicKey}, ${fresh.publicKey})`,
      vapidPrivateKey: sql`coalesce(${privateKey}, ${fresh.privateKey})`,
    })
    .returning({ publicKey, privateKey });
  if (!row?.publicKey || !row.privateKey) {
    throw new Error('The server has not been started on this database yet.');
  }
  return row as PushKeys;
}

export interface NewSubscription extends PushTarget {
  id: string;
  userId: string;
  sessionId: string;
  now: Date;
}

/**
 * Saves a browser's subscription, or that it still is one. Beyond `max`, the person's oldest ones go.
 * @returns false when the session has ended meanwhile
 */
export function saveSubscription(
  db: Database,
  { now, ...row }: NewSubscription,
  max: number,
): Promise<boolean> {
  const { endpoint, userId, sessionId, p256dh, auth } = row;
  return db.transaction(async (tx) => {
    // A sign-out that comes now waits, and then removes what is inserted here.
    const [session] = await tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions.id, sessionId))
      .for('update');
    if (!session) return false;
    // What waits for the person who used this browser before is not for this one.
    await tx
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.endpoint, endpoint), ne(pushSubscriptions.userId, userId)));
    const values = { userId, sessionId, p256dh, auth, touchedAt: now };
    await tx
      .insert(pushSubscriptions)
      .values({ ...row, ...values })
      .onConflictDoUpdate({ target: pushSubscriptions.endpoint, set: values });
    const beyond = tx
      .select({ id: pushSubscriptions.id })
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, userId))
      .orderBy(desc(pushSubscriptions.touchedAt), desc(pushSubscriptions.id))
      .offset(max);
    await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, beyond));
    return true;
  });
}

export async function removeSubscription(
  db: Queryable,
  { userId, endpoint }: { userId: string; endpoint: string },
): Promise<void> {
  await db
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.endpoint, endpoint), eq(pushSubscriptions.userId, userId)));
}

/** Queues one message to each browser of these people. @param opened each capsule of each person */
export async function queuePushes(
  tx: Queryable,
  opened: { userId: string; capsuleId: string }[],
  now: Date,
): Promise<void> {
  if (opened.length === 0) return;
  const userIds = sql.param(opened.map(({ userId }) => userId));
  const capsuleIds = sql.param(opened.map(({ capsuleId }) => capsuleId));
  // A subscription that a sign-out removes at this moment is left out, and the sign-out not waited for.
  const reached = tx
    .$with('reached')
    .as(
      tx
        .select({ id: pushSubscriptions.id, userId: pushSubscriptions.userId })
        .from(pushSubscriptions)
        .where(sql`${pushSubscriptions.userId} = any(${userIds}::uuid[])`)
        .for('key share', { skipLocked: true }),
    );
  const told = tx
    .with(reached)
    .select({
      id: sql<string>`gen_random_uuid()`.as('id'),
      subscriptionId: reached.id,
      capsuleIds: sql<string[]>`array_agg(told.capsule_id)`.as('capsule_ids'),
      attempts: sql<number>`0`.as('attempts'),
      nextAttemptAt: sql<Date>`${now.toISOString()}::timestamptz`.as('next_attempt_at'),
    })
    .from(reached)
    .innerJoin(
      sql`unnest(${userIds}::uuid[], ${capsuleIds}::uuid[]) told (user_id, capsule_id)`,
      sql`told.user_id = ${reached.userId}`,
    )
    .groupBy(reached.id);
  await tx.insert(pushMessages).select(told);
}

export type DuePush = Awaited<ReturnType<typeof claimDuePushes>>[number];

/** Leases due messages and counts the attempt. No two callers get the same row. */
export function claimDuePushes(
  db: Database,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
) {
  const due = db
    .select({ id: pushMessages.id })
    .from(pushMessages)
    .where(lte(pushMessages.nextAttemptAt, now))
    .orderBy(pushMessages.nextAttemptAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  return (
    db
      .update(pushMessages)
      .set({
        attempts: sql`${pushMessages.attempts} + 1`,
        nextAttemptAt: later(now, leaseMs),
      })
      .from(pushSubscriptions)
      // By its name: PostgreSQL may run a subquery more than once, and each run would lock other rows.
      .where(
        and(
          sql`${pushMessages.id} in (with due as materialized (${due}) select id from due)`,
          eq(pushSubscriptions.id, pushMessages.subscriptionId),
        ),
      )
      .returning({
        id: pushMessages.id,
        userId: pushSubscriptions.userId,
        subscriptionId: pushMessages.subscriptionId,
        capsuleIds: pushMessages.capsuleIds,
        attempts: pushMessages.attempts,
        endpoint: pushSubscriptions.endpoint,
        p256dh: pushSubscriptions.p256dh,
        auth: pushSubscriptions.auth,
      })
  );
}

/** Of a message that was sent or given up. */
export async function removePush(db: Queryable, id: string): Promise<void> {
  await db.delete(pushMessages).where(eq(pushMessages.id, id));
}

export async function postponePush(db: Queryable, id: string, until: Date): Promise<void> {
  await db.update(pushMessages).set({ nextAttemptAt: until }).where(eq(pushMessages.id, id));
}

/** How many of the capsules of this message have not been deleted meanwhile. */
export async function countLeft(
  db: Queryable,
  { capsuleIds }: Pick<DuePush, 'capsuleIds'>,
): Promise<number> {
  return db.$count(capsules, and(inArray(capsules.id, capsuleIds), not(isBinned)));
}

/**
 * Takes back what is queued about capsules that open after `instant`, with all else that the same
 * messages say. Reads all that is queued: it is needed only after a clock was ahead.
 */
export async function takeBackPushes(tx: Queryable, instant: Date): Promise<void> {
  const isAbout = eq(capsules.id, sql`any(${pushMessages.capsuleIds})`);
  const early = anyRow(tx, capsules, and(isAbout, gt(capsules.unlockAt, instant)));
  await tx.delete(pushMessages).where(exists(early));
}

/** The browser has ended it. All that is queued for it goes along. */
export async function removeGone(db: Queryable, subscriptionId: string): Promise<void> {
  await db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, subscriptionId));
}
