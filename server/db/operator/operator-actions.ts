import { desc, eq } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { operatorActions, users } from '../schema.ts';

export type NewOperatorAction = typeof operatorActions.$inferInsert;

/** @param tx the transaction of the action itself, so that neither is there without the other */
export async function insertOperatorAction(tx: Queryable, action: NewOperatorAction) {
  await tx.insert(operatorActions).values(action);
}

export interface OperatorAction {
  at: Date;
  command: string;
  /** The person's address as it is now; null once they have deleted their account. */
  address: string | null;
  reason: string;
}

/** The newest first. */
export function findOperatorActions(db: Queryable): Promise<OperatorAction[]> {
  return (
    db
      .select({
        at: operatorActions.at,
        command: operatorActions.command,
        address: users.email,
        reason: operatorActions.reason,
      })
      .from(operatorActions)
      .leftJoin(users, eq(users.id, operatorActions.userId))
      // Ids begin with the time.
      .orderBy(desc(operatorActions.id))
  );
}
