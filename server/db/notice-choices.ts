import { eq, sql } from 'drizzle-orm';
import type { TurnOffKind } from '../../shared/api/notices.ts';
import type { Queryable } from './open.ts';
import { serverState, users } from './schema.ts';

/** Emails that come to everybody who has not turned them off. */
export const WANTED_KINDS = [
  'capsule-waiting',
  'capsule-opened',
  'capsule-reminder',
  'address-check',
] as const satisfies TurnOffKind[];
export type WantedKind = (typeof WANTED_KINDS)[number];

/** Emails that come only to who has asked for them. */
export const ASKED_KINDS = ['keepsake', 'still-sealed'] as const satisfies TurnOffKind[];
export type AskedKind = (typeof ASKED_KINDS)[number];

/** The kinds of email that a link in them turns off. */
export const TURN_OFF_KINDS = [...WANTED_KINDS, ...ASKED_KINDS] as const;

/** The kinds of email that a person has turned off, and those they have asked for. */
export async function findChoices(
  db: Queryable,
  userId: string,
): Promise<{ unwanted: string[]; asked: AskedKind[] }> {
  const [row] = await db
    .select({
      unwanted: users.unwantedNotices,
      keepsake: users.keepsakeDueAt,
      'still-sealed': users.stillSealedDueAt,
    })
    .from(users)
    .where(eq(users.id, userId));
  return {
    unwanted: row?.unwanted ?? [],
    asked: ASKED_KINDS.filter((kind) => row?.[kind]),
  };
}

export async function setWanted(
  db: Queryable,
  userId: string,
  { kind, isWanted }: { kind: WantedKind; isWanted: boolean },
): Promise<void> {
  const others = sql`array_remove(${users.unwantedNotices}, ${kind})`;
  await db
    .update(users)
    .set({ unwantedNotices: isWanted ? others : sql`array_append(${others}, ${kind})` })
    .where(eq(users.id, userId));
}

/**
 * The key that signs links which turn notices off. It is kept, since an email may be read decades
 * later. @param fresh becomes the key if there is none
 */
export async function findNoticeLinkKey(db: Queryable, fresh: string): Promise<string> {
  const [known] = await db.select({ key: serverState.noticeLinkKey }).from(serverState);
  if (known?.key) return known.key;
  const [row] = await db
    .update(serverState)
    .set({ noticeLinkKey: sql`coalesce(${serverState.noticeLinkKey}, ${fresh})` })
    .returning({ key: serverState.noticeLinkKey });
  if (!row?.key) throw new Error('The server has not been started on this database yet.');
  return row.key;
}
