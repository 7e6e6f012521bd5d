import type { DashboardSummary } from '../../../shared/api/capsules.ts';
import { daysRemaining } from '../../../shared/capsule-time.ts';
import { dayAt, knownZone, startOfDay } from '../../../shared/day.ts';
import { MEGABYTE, NEXT_UNLOCKS } from '../../../shared/limits.ts';
import type { Actor } from '../../auth/sessions.ts';
import { findDashboard } from '../../db/capsules/dashboard.ts';
import type { Deps } from '../../deps.ts';
import { storageLimitMB } from '../storage/storage-limit.ts';

/** @param input the zone in which months and days are counted: UTC if it is unknown and its offset, too */
export async function getDashboardSummary(
  { config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>,
  actor: Actor,
  input: { year?: number | undefined; timeZone: string; utcOffset?: number | undefined },
): Promise<DashboardSummary> {
  const now = clock.now();
  const zone = knownZone(input.timeZone, input.utcOffset);
  const today = dayAt(now, zone);
  const year = input.year ?? Number(today.slice(0, 4));
  const found = await findDashboard(db, {
    userId: actor.userId,
    now,
    today,
    year,
    monthStarts: monthStartsOf(year, zone),
    next: NEXT_UNLOCKS,
  });
  return {
    totalCapsules: found.total,
    createdCapsules: found.created,
    receivedCapsules: found.received,
    lockedCapsules: found.locked,
    upcomingUnlocks: { thisWeek: found.thisWeek, thisMonth: found.thisMonth },
    storageUsed: storageUsed(found.bytes, storageLimitMB({ config }, found.ownLimitMB)),
    nextUnlocks: found.next.map((capsule) => ({
      ...capsule,
      daysRemaining: daysRemaining(
        { dateToUnlock: capsule.unlockDate, timeZone: capsule.timeZone },
        now,
      ),
    })),
    monthlyStats: found.months.map((counts, index) => ({ ...counts, month: monthOf(year, index) })),
  };
}

/** @param index 0 for January */
function monthOf(year: number, index: number): string {
  return `${year}-${String(index + 1).padStart(2, '0')}`;
}

const monthStarts = new Map<string, Date[]>();
const REMEMBERED = 500;

/**
 * The first instants of the months of a year and of the next January. Cached, because Intl is
 * slow.
 */
function monthStartsOf(year: number, timeZone: string): Date[] {
  const key = `${year} ${timeZone.toLowerCase()}`;
  let starts = monthStarts.get(key);
  if (!starts) {
    const months = Array.from({ length: 12 }, (_, index) => monthOf(year, index));
    starts = [...months, monthOf(year + 1, 0)].map((month) => startOfDay(`${month}-01`, timeZone));
    if (monthStarts.size >= REMEMBERED) monthStarts.clear();
    monthStarts.set(key, starts);
  }
  return starts;
}

function storageUsed(bytes: number, limitMB: number): DashboardSummary['storageUsed'] {
  const oneDecimal = (value: number) => Math.round(value * 10) / 10;
  const totalMB = bytes / MEGABYTE;
  return {
    // An operator can set the limit to nothing.
    percentageUsed: limitMB === 0 ? 100 : oneDecimal((totalMB / limitMB) * 100),
    totalMB: oneDecimal(totalMB),
    limitMB: oneDecimal(limitMB),
  };
}
