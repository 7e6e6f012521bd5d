import type { Queryable } from '../open.ts';
import { serverState } from '../schema.ts';

/** Since when nothing can be sealed. Null while everything can. */
export async function findMaintenance(db: Queryable): Promise<Date | null> {
  const [row] = await db.select({ since: serverState.maintenanceSince }).from(serverState);
  return row?.since ?? null;
}

export async function setMaintenance(tx: Queryable, since: Date | null): Promise<void> {
  await tx.update(serverState).set({ maintenanceSince: since });
}
