import { type SiteLimits, siteLimitsSchema } from '../../shared/api/site.ts';
import { db, type LimitsRow } from './db.ts';
import { writeAs } from './owner.ts';

/** What this server allows, as it was last said; a damaged row is as good as none. */
export async function readLimits(owner: string): Promise<LimitsRow | null> {
  const row = await db.limits.get(owner);
  return row && siteLimitsSchema.safeParse(row.limits).success ? row : null;
}

export async function writeLimits(owner: string, limits: SiteLimits, now: number): Promise<void> {
  await writeAs(owner, [db.limits], async () => {
    await db.limits.put({ owner, limits, fetchedAt: now });
  });
}
