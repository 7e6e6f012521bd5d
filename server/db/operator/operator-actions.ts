import { desc, eq } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { operatorActions, users } from '../schema.ts';

export type NewOperatorAction = typeof operatorActions.$inferInsert;

/** @param tx the transaction of the action itself, so that neither is there without the other */
export async function insertOperatorAction(tx: Queryable, action: NewOperatorAction) {
  await tx.insert(operatorActions).values(action);
}

/** The newest first. */
export function findOperatorActions(db: Queryable) {
  const { id, at, command, reason } = operatorActions;
  return (
    db
      // Without an address once they have deleted their account.
      .select({ at, command, address: users.email, reason })
      .from(operatorActions)
      .leftJoin(users, eq(users.id, operatorActions.userId))
      // Ids begin with the time.
      .orderBy(desc(id))
  );
}
