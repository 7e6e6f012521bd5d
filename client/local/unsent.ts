import { db } from './db.ts';

export interface Unsent {
  drafts: number;
  /** Queued, on their way or waiting for the person. */
  queued: number;
}

/** What would be lost if this person's rows were removed now. */
export async function countUnsent(owner: string): Promise<Unsent> {
  const [drafts, queued] = await Promise.all([
    db.drafts.where('owner').equals(owner).count(),
    db.outbox.where('owner').equals(owner).count(),
  ]);
  return { drafts, queued };
}
