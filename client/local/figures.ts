import type { DashboardSummary } from '../../shared/api/capsules.ts';
import { soundProfile, soundSummary } from './cached.ts';
import { db, type ProfileRow, type SummaryRow } from './db.ts';
import { writeAs } from './owner.ts';

export async function readSummary(owner: string, year: number): Promise<SummaryRow | null> {
  return soundSummary(await db.summaries.get([owner, year]));
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
  return soundProfile(await db.profiles.get(owner));
}

export async function writeProfile({ owner, user, fetchedAt }: ProfileRow): Promise<void> {
  await writeAs(owner, [db.profiles], async () => {
    await db.profiles.put({ owner, user, fetchedAt });
  });
}
