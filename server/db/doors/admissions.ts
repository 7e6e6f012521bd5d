import { eq } from 'drizzle-orm';
import type { Queryable } from '../open.ts';
import { admissions } from '../schema.ts';

/** Whether an operator has invited this person. */
export async function isAdmitted(db: Queryable, userId: string): Promise<boolean> {
  return (await db.$count(admissions, eq(admissions.userId, userId))) > 0;
}

/** Notes that an operator has invited this person. A second time changes nothing. */
export async function admit(tx: Queryable, userId: string, now: Date): Promise<void> {
  await tx.insert(admissions).values({ userId, createdAt: now }).onConflictDoNothing();
}
