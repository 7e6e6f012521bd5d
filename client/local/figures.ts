import type { DashboardSummary } from '../../shared/api/capsules.ts';
import type { SiteLimits } from '../../shared/api/site.ts';
import { db, type LimitsRow, type ProfileRow, type SummaryRow } from './db.ts';
import { writeAs } from './owner.ts';

export async function readSummary(owner: string, year: number): Promise<SummaryRow | null> {
  return (await db.summaries.get([owner, year])) ?? null;
}

/** The figures of the year that was asked for last, whichever it was: totals are the same in all. */
export async function readLatestSummary(owner: string): Promise<SummaryRow | null> {
  const rows = await db.summaries.where('owner').equals(owner).sortBy('fetchedAt');
  return rows.at(-1) ?? null;
}

export async function writeSummary(
  owner: string,
  year: number,
  summary: DashboardSummary,
  now: number,
): Promise<void> {
  await writeAs(owner, [db.summaries], async () => {
    await db.summaries.put({ owner, year, summary, fetchedAt: now });
  });
}

export async function readProfile(owner: string): Promise<ProfileRow | null> {
  return (await db.profiles.get(owner)) ?? null;
}

export async function writeProfile({ owner, user, fetchedAt }: ProfileRow): Promise<void> {
  await writeAs(owner, [db.profiles], async () => {
    await db.profiles.put({ owner, user, fetchedAt });
  });
}

export async function readLimits(owner: string): Promise<LimitsRow | null> {
  return (await db.limits.get(owner)) ?? null;
}

export async function writeLimits(owner: string, limits: SiteLimits, now: number): Promise<void> {
  await writeAs(owner, [db.limits], async () => {
    await db.limits.put({ owner, limits, fetchedAt: now });
  });
}
