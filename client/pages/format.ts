import type { Capsule } from '../../shared/api/capsules.ts';
import {
  daysRemaining,
  type Opening,
  openingTimeText,
  placeName,
  placeText,
  remainingText,
} from '../../shared/capsule-time.ts';
import { addYears, type Day, daysBetween, isDay } from '../../shared/day.ts';
import { fileSizeText, toMegabytes } from '../../shared/file-types.ts';
import { MEGABYTE } from '../../shared/limits.ts';

/**
 * The locale of dates: English like the interface, in the reader's own variant. Readers of other
 * languages get the day before the month, as nearly everywhere.
 */
export function localeFor([first]: readonly string[]): string {
  return first !== undefined && /^en\b/i.test(first) ? first : 'en-GB';
}

// Unit tests and the pre-rendering run where there may be no navigator.
const reader = globalThis as { navigator?: { languages?: readonly string[] } };
const LOCALE = localeFor(reader.navigator?.languages ?? []);

/** Made when it is first needed, because that is slow. */
function dateFormat(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let made: Intl.DateTimeFormat | undefined;
  return (date) => {
    made ??= new Intl.DateTimeFormat(LOCALE, options);
    return made.format(date);
  };
}

const utcDay = dateFormat({ dateStyle: 'long', timeZone: 'UTC' });
const utcMonth = dateFormat({ month: 'long', timeZone: 'UTC' });
const utcWeekday = dateFormat({ weekday: 'long', timeZone: 'UTC' });
const localDay = dateFormat({ dateStyle: 'long' });
const localShortDay = dateFormat({ day: 'numeric', month: 'short' });
const localTime = dateFormat({ timeStyle: 'short' });

/** '12 March 2031' or 'March 12, 2031', by the reader's language. A day has no time zone. */
export function longDay(day: Day): string {
  return utcDay(new Date(`${day}T00:00:00Z`));
}

/**
 * 'Opens tomorrow, Thursday, at the start of the day.', '…, in 18 years, at the start of the day in Berlin.'
 * @param here the reader's time zone, which goes without saying
 */
export function openingText(opening: Opening, today: Day, here: string): string {
  const { dateToUnlock: day, timeZone } = opening;
  const isHere = timeZone === here;
  const begins = `at the start of the day${isHere ? '' : ` in ${placeName(timeZone)}`}.`;
  if (!isDay(day)) return `Opens ${begins}`;
  const time = openingTimeText(opening);
  const other = `at ${time}${isHere ? '' : ` ${placeText(timeZone)}`}.`;
  const when = time === 'midnight' ? begins : other;
  if (day <= today) return `Opens ${when}`;
  const weekday = utcWeekday(new Date(`${day}T00:00:00Z`));
  const wait = fromNow(day, today);
  if (wait === 'tomorrow') return `Opens tomorrow, ${weekday}, ${when}`;
  // Within a week there is one only.
  const article = daysBetween(today, day) < 7 ? '' : 'a ';
  return `Opens on ${article}${weekday}, ${wait}, ${when}`;
}

/** 'in 18 years', 'in 6 months', 'in about a year', 'tomorrow'. @param day after today */
export function fromNow(day: Day, today: Day): string {
  const days = daysBetween(today, day);
  const years = Number(day.slice(0, 4)) - Number(today.slice(0, 4));
  if (years > 0 && addYears(today, years) === day)
    return years === 1 ? 'in a year' : `in ${years} years`;
  if (days === 1) return 'tomorrow';
  if (days < 60) return `in ${days} days`;
  const months = 12 * years + Number(day.slice(5, 7)) - Number(today.slice(5, 7));
  if (days < 700 && day.slice(8) === today.slice(8)) return `in ${months} months`;
  const about = Math.round(days / 30.4375);
  if (about === 12) return 'in about a year';
  if (days < 700) return `in about ${about} months`;
  return `in about ${Math.round(days / 365.25)} years`;
}

/** 'March' @param month `YYYY-MM` */
export function monthName(month: string): string {
  return utcMonth(new Date(`${month}-01T00:00:00Z`));
}

/** The day of an instant in this device's time zone: '12 March 2031'. */
export function longDate(instant: string): string {
  return localDay(new Date(instant));
}

/** The day and time of an instant, for a sentence: '12 March 2031 at 14:05'. */
export function longMoment(instant: string): string {
  return `${longDate(instant)} at ${timeText(Date.parse(instant))}`;
}

/** '14:05' */
export function timeText(instant: number): string {
  return localTime(new Date(instant));
}

/** '14:05', with the day when it is not today: '3 Jun, 14:05', and its year: '3 June 2025, 14:05'. */
export function dayAndTimeText(instant: number, now: Date): string {
  const at = new Date(instant);
  if (at.toDateString() === now.toDateString()) return timeText(instant);
  const day = at.getFullYear() === now.getFullYear() ? localShortDay(at) : localDay(at);
  return `${day}, ${timeText(instant)}`;
}

/** 'Updated 14:05', with the day when it was not today. */
export function updatedText(fetchedAt: number, now: Date): string {
  return `Updated ${dayAndTimeText(fetchedAt, now)}`;
}

/**
 * The remaining time of a capsule. If the day has come by this device's clock but the server has
 * not said so yet, it is 'Opening today', because neither 'Unlocked' nor a number of days would be
 * true.
 */
export function waitText(
  capsule: Pick<Capsule, 'locked' | 'dateToUnlock' | 'timeZone'>,
  now: Date,
): string {
  if (!capsule.locked) return remainingText(0);
  const days = daysRemaining(capsule, now);
  return days > 0 ? remainingText(days) : 'Opening today';
}

/** '0:07', '12:30' */
export function durationText(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** '31 KB', '3.42 MB' */
export function sizeText(bytes: number): string {
  return fileSizeText(toMegabytes(bytes));
}

/** '3.42 MB'. Picked files are always shown in megabytes (specification §2), and none as nothing. */
export function megabytesText(bytes: number): string {
  return `${Math.max(bytes / MEGABYTE, 0.01).toFixed(2)} MB`;
}

/** Shortens a text to at most this many characters, between words if possible, without the last word's punctuation. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most + 1).replace(/\s+\S*$/, '');
  return `${cut.slice(0, most).replace(/[\uD800-\uDBFF]$|[.,:;…]+$/, '')}…`;
}

/** '1 file', '3 files' */
export function fileCountText(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

/** The name, or the part of the email before the @, or 'User' (specification §2). */
export function displayName({ name, email }: { name: string; email: string }): string {
  return name.trim() || email.split('@')[0] || 'User';
}

/** What a friend calls them: 'Mia' for 'Mia Becker'. */
export function firstName({ name }: { name: string }): string {
  return name.trim().split(/\s+/, 1)[0] ?? name;
}

/** 'Mia', 'Mia and Tom', 'Mia, Tom and Karl' */
export function listText(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names);
}

/** The address of a new capsule for this person. */
export function createFor(email: string): string {
  return `/create?to=${encodeURIComponent(email)}`;
}

/** Specified. */
export const PROFILE_LOAD_HINT =
  'Please try to perform logout and login. Also make sure third party cookie is allowed.';
