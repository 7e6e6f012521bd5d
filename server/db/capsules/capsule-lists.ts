import { type SQL, sql } from 'drizzle-orm';
import type { CapsuleType, CapsuleView } from '../../../shared/api/capsules.ts';
import { isUnseen } from '../schema.ts';
import { blockedFrom, hiddenFrom } from './capsules.ts';

/** A list of one person, see `capsuleViewSchema` for the views. */
export interface ListOf {
  type: CapsuleType;
  view: CapsuleView;
  /** Of the received capsules, those that were put away instead of the others. */
  hidden: boolean;
  now: Date;
  /** Filters by title, description, sender and recipients. */
  text?: string | undefined;
}

/** The order of each view. The columns are those of a list's ids and of the capsules themselves. */
export const ORDERS: Record<CapsuleView, SQL> = {
  newest: sql`created_at desc, id desc`,
  opening: sql`unlock_at, id`,
  sealed: sql`unlock_at, id`,
  ready: sql`unlock_at desc, id desc`,
  opened: sql`unlock_at desc, id desc`,
};

/** The ids of a list, without their order; all of it is in an index. */
export function idsOf({ type, view, hidden }: ListOf, user: unknown, now: unknown): SQL {
  const own =
    type === 'created'
      ? sql`select id, created_at, unlock_at from capsules where creator_id = ${user}`
      : sql`select capsule_id as id, created_at, unlock_at from capsule_recipients
          where user_id = ${user} and ${hidden ? sql`hidden and capsule_id not in ${blockedFrom(user)}` : sql`capsule_id not in ${hiddenFrom(user)}`}`;
  const ready = sql`(select capsule_id from capsule_recipients where user_id = ${user}
    and unlock_at <= ${now} and ${isUnseen({ seenAt: sql`seen_at`, unlockAt: sql`unlock_at` })})`;
  const shown = {
    newest: sql``,
    opening: sql``,
    sealed: sql`where unlock_at > ${now}`,
    ready: sql`where unlock_at <= ${now} and id in ${ready}`,
    opened: sql`where unlock_at <= ${now} and id not in ${ready}`,
  };
  return sql`select id, created_at, unlock_at from (${own}) own ${shown[view]}`;
}
