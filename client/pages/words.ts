import type { Capsule } from '../../shared/api/capsules.ts';
import { daysRemaining, remainingText } from '../../shared/capsule-time.ts';
import type { Day } from '../../shared/day.ts';
import { MEGABYTE } from '../../shared/limits.ts';
import { LOCALE } from '../ui/locale.ts';

/**
 * A way to write dates, made once: making one takes longer than everything else about a card.
 * One that follows the device's clock is made anew where the device has gone to another zone.
 */
function dateFormat(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let made: Intl.DateTimeFormat | undefined;
  let offset = Number.NaN;
  return (date) => {
    const now = new Date().getTimezoneOffset();
    if (now !== offset) made = undefined;
    offset = now;
    made ??= new Intl.DateTimeFormat(LOCALE, options);
    return made.format(date);
  };
}

const utcDay = dateFormat({ dateStyle: 'long', timeZone: 'UTC' });
const utcMonth = dateFormat({ month: 'long', timeZone: 'UTC' });
const localDay = dateFormat({ dateStyle: 'long' });
const localShortDay = dateFormat({ day: 'numeric', month: 'short' });
const localTime = dateFormat({ timeStyle: 'short' });

/** '12 March 2031', or as the reader's English has it. A day is a square on a calendar: no time zone may move it. */
export function longDay(day: Day): string {
  return utcDay(new Date(`${day}T00:00:00Z`));
}

/** 'March' @param month `YYYY-MM` */
export function monthName(month: string): string {
  return utcMonth(new Date(`${month}-01T00:00:00Z`));
}

/** The day of an instant on this device's calendar: '12 March 2031'. */
export function longDate(instant: string): string {
  return localDay(new Date(instant));
}

/** '14:05' */
export function timeText(instant: number): string {
  return localTime(new Date(instant));
}

/** '14:05', with the day when it is not today: '3 Jun, 14:05'. */
export function dayAndTimeText(instant: number, now: Date): string {
  const at = new Date(instant);
  if (at.toDateString() === now.toDateString()) return timeText(instant);
  return `${localShortDay(at)}, ${timeText(instant)}`;
}

/** 'Updated 14:05', with the day when it was not today. */
export function updatedText(fetchedAt: number, now: Date): string {
  return `Updated ${dayAndTimeText(fetchedAt, now)}`;
}

/**
 * The remaining time of a capsule. The server says whether it is locked; where this
 * device's clock has reached the day and the server has not been heard since, neither
 * 'Unlocked' nor a number of days would be true.
 */
export function waitText(
  capsule: Pick<Capsule, 'locked' | 'dateToUnlock' | 'timeZone'>,
  now: Date,
): string {
  if (!capsule.locked) return remainingText(0);
  const days = daysRemaining(capsule, now);
  return days > 0 ? remainingText(days) : 'Opening today';
}

/** '3.42 MB': what a person picks and sends is always in megabytes. */
export function megabytesText(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(2)} MB`;
}
