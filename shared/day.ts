import { DAY_MS, HOUR_MS, MINUTE_MS } from './limits.ts';

/**
 * Calendar days and the instants at which they begin.
 *
 * A `Day` is a calendar date, `YYYY-MM-DD`. Only together with a time zone does it become an
 * instant.
 */
export type Day = string;

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

/** True for a date that exists in the calendar, so not for `2026-02-30`. */
export function isDay(value: string): value is Day {
  const match = DAY_PATTERN.exec(value);
  if (!match || match[1] === '0000') return false;
  const at = utcMidnight(value);
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === value;
}

/**
 * Short zone names such as `EST`. Only some JavaScript engines know them, and they mean several
 * places.
 */
const NOT_OF_IANA =
  /^(ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i;

/** True for an IANA zone name that this runtime knows. Offsets such as `+02:00` are refused. */
export function isTimeZone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value) || value.length > 64 || NOT_OF_IANA.test(value)) return false;
  const name = value.toLowerCase();
  if (knownZones.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    knownZones.add(name);
    return true;
  } catch {
    return false;
  }
}

/** The names that were asked for. Asking the runtime again is slow. */
const knownZones = new Set<string>();

/**
 * The offset from UTC at which `day` begins in `zone`, in minutes. Undefined if this runtime does
 * not know the zone.
 */
export function utcOffsetOf(day: Day, zone: string): number | undefined {
  if (!isTimeZone(zone)) return undefined;
  return Math.round((utcMidnight(day) - startOfDay(day, zone).getTime()) / MINUTE_MS);
}

/** A zone without clock changes, as capsules are stored with: '-03:00' */
function offsetZone(minutes: number): string {
  const whole = Math.abs(minutes);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(whole / 60))}:${twoDigits(whole % 60)}`;
}

/** The zone, if this runtime knows its name, else the zone of this offset, or UTC without one. */
export function knownZone(name: string, utcOffset = 0): string {
  return isTimeZone(name) ? name : offsetZone(utcOffset);
}

/** Minutes from UTC of what {@link offsetZone} makes; null of any other zone. */
export function minutesOf(zone: string): number | null {
  const match = /^([+-])(\d\d):(\d\d)$/.exec(zone);
  if (!match) return null;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === '-' ? -minutes : minutes;
}

/** The calendar date in `zone` at `instant`. */
export function dayAt(instant: Date | number, zone: string): Day {
  return new Date(wallClock(instant, zone)).toISOString().slice(0, 10);
}

/** The local time in `zone` at `instant`: '01:00'. */
export function timeAt(instant: Date, zone: string): string {
  return new Date(wallClock(instant, zone)).toISOString().slice(11, 16);
}

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((utcMidnight(to) - utcMidnight(from)) / DAY_MS);
}

export function addDays(day: Day, days: number): Day {
  return new Date(utcMidnight(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same month and day `years` later. 29 February becomes 28 if that year has no 29th. */
export function addYears(day: Day, years: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const lastOfMonth = new Date(Date.UTC(year + years, month, 0)).getUTCDate();
  return new Date(Date.UTC(year + years, month - 1, Math.min(date, lastOfMonth)))
    .toISOString()
    .slice(0, 10);
}

/**
 * The first instant of `day` in `zone`.
 *
 * Usually midnight. If clocks skip midnight, the instant after the jump. If midnight happens
 * twice, the first one. If the zone skipped the whole day (Samoa, 30 December 2011), the start of
 * the next day.
 */
export function startOfDay(day: Day, zone: string): Date {
  const midnight = utcMidnight(day);
  // No zone is more than 15 h away from UTC, so the answer is within this window.
  const from = midnight - 15 * HOUR_MS;
  const to = midnight + 15 * HOUR_MS;
  // The offset is the same at both ends of the window, so no clock changes within it.
  const offset = wallClock(from, zone) - from;
  if (wallClock(to, zone) - to === offset) return new Date(midnight - offset);
  const reached = (at: number) => wallClock(at, zone) >= midnight;

  // Search in steps of 15 minutes for the first instant of the day, then bisect within that step.
  // A plain bisection could miss it when a clock change leaves the day again for a while.
  const step = HOUR_MS / 4;
  let high = from;
  while (high < to + 24 * HOUR_MS && !reached(high)) high += step;
  let low = high - step;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (reached(middle)) high = middle;
    else low = middle;
  }
  return new Date(high);
}

/** The local time of `zone` at `instant`, as the milliseconds of the same UTC time. */
function wallClock(instant: Date | number, zone: string): number {
  const at = typeof instant === 'number' ? instant : instant.getTime();
  const fixed = minutesOf(zone);
  if (fixed !== null) return at + fixed * MINUTE_MS;
  // One cache entry for all spellings of a zone: names ignore case, and callers could send many.
  const name = zone.toLowerCase();
  const minute = at < WHOLE_MINUTES_SINCE ? Number.NaN : Math.floor(at / MINUTE_MS);
  const known = offsets.get(name);
  if (known?.minute === minute) return at + known.offset;
  const parts: Record<string, number> = {};
  for (const { type, value } of formatter(name).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, second = 0 } = parts;
  const millisecond = ((at % 1000) + 1000) % 1000;
  const clock = Date.UTC(year, month - 1, day, hour, parts.minute, second) + millisecond;
  offsets.set(name, { minute, offset: clock - at });
  return clock;
}

/** Since 1972, offsets change at whole minutes only. */
const WHOLE_MINUTES_SINCE = Date.UTC(1973, 0);

/** The last computed offset of each zone. Nearly all calls are about the current minute. */
const offsets = new Map<string, { minute: number; offset: number }>();

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(name: string): Intl.DateTimeFormat {
  let found = formatters.get(name);
  if (!found) {
    found = makeFormatter(name);
    formatters.set(name, found);
  }
  return found;
}

function makeFormatter(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (error) {
    // The zone of somebody else's capsule may be newer than this runtime. Showing the UTC day is
    // better than failing.
    if (timeZone === 'UTC') throw error;
    return formatter('UTC');
  }
}

function utcMidnight(day: Day): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}
