import { soundSummary } from './cached.ts';
import { db, type SummaryRow } from './db.ts';

/** The figures of the year that was asked for last, whichever it was: totals are the same in all. */
export async function readLatestSummary(owner: string): Promise<SummaryRow | null> {
  const rows = await db.summaries.where('owner').equals(owner).sortBy('fetchedAt');
  return rows.findLast((row) => soundSummary(row) !== null) ?? null;
}
