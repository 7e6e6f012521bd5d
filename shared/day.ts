import { DAY_MS } from './limits.ts';

/**
 * Calendar days and the instants at which they begin.
 *
 * A `Day` is `YYYY-MM-DD` and means a square on a wall calendar, nothing else;
 * it becomes an instant only together with a time zone.
 */
export type Day = string;

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;
const MS_PER_HOUR = 3_600_000;
const MS_PER_MINUTE = 60_000;

/** True for a `YYYY-MM-DD` that exists in the calendar (so not `2026-02-30`). */
export function isDay(value: string): value is Day {
  const match = DAY_PATTERN.exec(value);
  if (!match || match[1] === '0000') return false;
  const at = utcMidnight(value);
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === value;
}

/**
 * Short names that JavaScript engines have taken from elsewhere: some know them still, others never
 * did, and to a reader they mean several places.
 */
const NOT_OF_IANA =
  /^(ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*)$/i;

/** True for an IANA zone name that this runtime knows. Offsets such as `+02:00` are refused. */
export function isTimeZone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value) || value.length > 64 || NOT_OF_IANA.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** The day on the wall calendar of `zone` at `instant`. */
export function dayAt(instant: Date | number, zone: string): Day {
  return new Date(wallClock(instant, zone)).toISOString().slice(0, 10);
}

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((utcMidnight(to) - utcMidnight(from)) / DAY_MS);
}

export function addDays(day: Day, days: number): Day {
  return new Date(utcMidnight(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The same month and day `years` later; 29 February becomes 28 where it must. */
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
 * Usually midnight. Where clocks jump over midnight it is the instant after the
 * jump, where midnight happens twice it is the first one, and where a zone left
 * out the whole day (Samoa, 30 December 2011) it is the start of the next.
 */
export function startOfDay(day: Day, zone: string): Date {
  const midnight = utcMidnight(day);
  // No zone is further than 15 h from UTC, so the answer lies in this window.
  const from = midnight - 15 * MS_PER_HOUR;
  const to = midnight + 15 * MS_PER_HOUR;
  // The same offset on both sides: no clock was changed on the way.
  const offset = wallClock(from, zone) - from;
  if (wallClock(to, zone) - to === offset) return new Date(midnight - offset);
  const reached = (at: number) => wallClock(at, zone) >= midnight;

  // Steps of 15 minutes find the first place where the day has begun even when
  // it then is left again for a while; every real transition lies on such a step
  // or is found by the bisection within it.
  const step = MS_PER_HOUR / 4;
  let high = from;
  while (high < to + 24 * MS_PER_HOUR && !reached(high)) high += step;
  let low = high - step;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (reached(middle)) high = middle;
    else low = middle;
  }
  return new Date(high);
}

/** The wall clock of `zone` at `instant`, written as if it were UTC, in milliseconds. */
function wallClock(instant: Date | number, zone: string): number {
  const at = typeof instant === 'number' ? instant : instant.getTime();
  // Zones are named without regard to case, and a caller must not fill the memory with spellings.
  const name = zone.toLowerCase();
  const minute = at < WHOLE_MINUTES_SINCE ? Number.NaN : Math.floor(at / MS_PER_MINUTE);
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

/** Since 1972 clocks are changed at whole minutes; before, at any second. */
const WHOLE_MINUTES_SINCE = Date.UTC(1973, 0);

/** By zone, the offset that was reckoned last: what asks is nearly always about now. */
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
    // A zone that is younger than this runtime, of somebody else's capsule: a day off is better than no page.
    if (timeZone === 'UTC') throw error;
    return formatter('UTC');
  }
}

function utcMidnight(day: Day): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}
