import { type Day, dayAt, daysBetween, isTimeZone, minutesOf, startOfDay, timeAt } from './day.ts';

/** The times of a capsule that its texts are computed from. */
export interface CapsuleTimes {
  /** The day it opens, in `timeZone`. */
  dateToUnlock: Day;
  /** IANA name, or an offset such as '-03:00'. */
  timeZone: string;
  /** ISO 8601 instant. */
  createdAt: string;
  /** ISO 8601 instant at which that day begins in that zone. */
  unlockAt: string;
}

/** Where no server has said yet when it opens, the device computes it. */
export type Opening = Pick<CapsuleTimes, 'dateToUnlock' | 'timeZone'> &
  Partial<Pick<CapsuleTimes, 'unlockAt'>>;

/** The lock. Only the server, with its own clock, decides by it; the client shows its result. */
export function isLocked(unlockAt: Date, now: Date): boolean {
  return now.getTime() < unlockAt.getTime();
}

/** Calendar days in the capsule's time zone until it opens. 0 or less once it has opened. */
export function daysRemaining(times: Pick<CapsuleTimes, 'dateToUnlock' | 'timeZone'>, now: Date) {
  return daysBetween(dayAt(now, times.timeZone), times.dateToUnlock);
}

/** 'Unlocked', '1 day remaining' or 'N days remaining' (specification §4). */
export function remainingText(days: number): string {
  if (days <= 0) return 'Unlocked';
  return days === 1 ? '1 day remaining' : `${days} days remaining`;
}

/** 'Berlin', 'UTC', 'UTC−3', 'UTC+5:30' */
export function placeName(zone: string): string {
  const minutes = minutesOf(zone);
  if (minutes === null) return zone.replace(/^.*\//, '').replaceAll('_', ' ');
  const [hours, rest] = zone.slice(1).split(':');
  return `UTC${minutes < 0 ? '−' : '+'}${Number(hours)}${rest === '00' ? '' : `:${rest}`}`;
}

/** 'Berlin time', 'UTC' */
export function placeText(zone: string): string {
  const name = placeName(zone);
  return name.startsWith('UTC') ? name : `${name} time`;
}

/** The instant at which a capsule opens. */
function opensAt({ dateToUnlock, timeZone, unlockAt }: Opening): Date {
  return unlockAt === undefined ? startOfDay(dateToUnlock, timeZone) : new Date(unlockAt);
}

/** 'midnight', or the time in the capsule's zone where clocks skip midnight on that day: '01:00' */
export function openingTimeText(opening: Opening): string {
  // The times of a zone that this runtime does not know would be those of UTC.
  if (!isTimeZone(opening.timeZone) && minutesOf(opening.timeZone) === null) return 'midnight';
  const time = timeAt(opensAt(opening), opening.timeZone);
  return time === '00:00' ? 'midnight' : time;
}

/** How many months a number of days is said to be: of thirty days, rounded up (specification §4). */
function monthsFor(days: number): number {
  return Math.ceil(days / 30);
}

/** The text of an upcoming card: 'Unlocked!', 'Tomorrow!', 'N days' or 'N months' (specification §4). */
export function unlockCardText(days: number): string {
  if (days <= 0) return 'Unlocked!';
  if (days === 1) return 'Tomorrow!';
  return days <= 30 ? `${days} days` : `${monthsFor(days)} months`;
}

export type UnlockColour = 'red' | 'orange' | 'yellow' | 'indigo';

export function unlockColour(days: number): UnlockColour {
  if (days <= 1) return 'red';
  if (days <= 7) return 'orange';
  return days <= 30 ? 'yellow' : 'indigo';
}

/** How much of the waiting time has passed, 0 to 100 percent. */
export function progressPercent(
  times: Pick<CapsuleTimes, 'createdAt' | 'unlockAt'>,
  now: Date,
): number {
  const start = Date.parse(times.createdAt);
  const end = Date.parse(times.unlockAt);
  if (now.getTime() >= end || end <= start) return 100;
  return Math.max(0, Math.min(100, ((now.getTime() - start) / (end - start)) * 100));
}
