import { Temporal } from 'temporal-polyfill';
import { describe, expect, it, vi } from 'vitest';
import {
  addDays,
  addYears,
  dayAt,
  daysBetween,
  isDay,
  isTimeZone,
  knownZone,
  minutesOf,
  startOfDay,
  utcOffsetOf,
} from './day.ts';

describe('isDay', () => {
  it.each(['2026-11-20', '2028-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])(
    'takes %s',
    (day) => {
      expect(isDay(day)).toBe(true);
    },
  );

  it.each([
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '10000-01-01',
    '0000-01-01',
    '2026-1-1',
    '2026-11-20T00:00:00Z',
    ' 2026-11-20',
    '2026-11-20\n',
    '',
    'today',
  ])('refuses %j', (day) => {
    expect(isDay(day)).toBe(false);
  });
});

describe('isTimeZone', () => {
  it('takes IANA names and nothing else', () => {
    expect(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'].every(isTimeZone)).toBe(true);
    expect(['Japan', 'EST', 'CET', 'GB', 'NZ-CHAT'].every(isTimeZone)).toBe(true);
    // Node knows these, Firefox does not.
    expect(['CST', 'jst', 'IET', 'SystemV/EST5'].some(isTimeZone)).toBe(false);
    expect(['', '+02:00', 'Mars/Olympus', 'x'.repeat(70), '../etc'].some(isTimeZone)).toBe(false);
  });
});

describe('arithmetic', () => {
  it('counts days over months, leap days and clock changes', () => {
    expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
    expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2);
    expect(daysBetween('2026-11-20', '2026-11-19')).toBe(-1);
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  });

  it('ends in February where a leap day has no twin', () => {
    expect(addYears('2028-02-29', 1)).toBe('2029-02-28');
    expect(addYears('2028-02-29', 100)).toBe('2128-02-29');
    expect(addYears('2026-11-20', 18)).toBe('2044-11-20');
  });
});

describe('startOfDay', () => {
  it('is midnight where nothing special happens', () => {
    expect(startOfDay('2027-01-01', 'UTC').toISOString()).toBe('2027-01-01T00:00:00.000Z');
    expect(startOfDay('2027-07-01', 'Europe/Berlin').toISOString()).toBe(
      '2027-06-30T22:00:00.000Z',
    );
    expect(startOfDay('2027-01-01', 'Pacific/Kiritimati').toISOString()).toBe(
      '2026-12-31T10:00:00.000Z',
    );
    expect(startOfDay('2027-01-01', 'Asia/Kathmandu').toISOString()).toBe(
      '2026-12-31T18:15:00.000Z',
    );
  });

  it('comes after the jump where clocks skip midnight', () => {
    // Santiago goes from 23:59:59 to 01:00 on this day.
    expect(startOfDay('2026-09-06', 'America/Santiago').toISOString()).toBe(
      '2026-09-06T04:00:00.000Z',
    );
  });

  it('is the start of the next day where a whole day was left out', () => {
    expect(startOfDay('2011-12-30', 'Pacific/Apia')).toEqual(
      startOfDay('2011-12-31', 'Pacific/Apia'),
    );
  });

  it('agrees with Temporal in every zone, on every day around every clock change of three years', () => {
    const disagreements: string[] = [];
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      for (const day of daysAroundTransitions(zone, '2025-01-01', '2028-01-01')) {
        const ours = startOfDay(day, zone).getTime();
        const theirs = Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;
        if (ours !== theirs) disagreements.push(`${zone} ${day}`);
        if (dayAt(ours, zone) !== day || dayAt(ours - 1, zone) >= day) {
          disagreements.push(`${zone} ${day} is not the first instant`);
        }
      }
    }
    expect(disagreements).toEqual([]);
  }, 60_000);
});

it('sees a clock that is changed a minute after midnight', () => {
  const back = Date.UTC(2008, 10, 2, 3, 1);
  const days = [back - 1, back, back - 1].map((at) => dayAt(at, 'America/Goose_Bay'));
  expect(days).toEqual(['2008-11-02', '2008-11-01', '2008-11-02']);
});

it('reckons by UTC where a zone is younger than what reckons', () => {
  const at = Date.parse('2030-01-01T23:59:59Z');
  expect(dayAt(at, 'America/Not_Yet')).toBe('2030-01-01');
  expect(startOfDay('2030-01-02', 'America/Not_Yet').getTime()).toBe(at + 1_000);
});

it.each([
  ['2036-01-01', 'America/Santiago', -180],
  ['2036-07-01', 'America/Santiago', -240],
  ['2036-01-01', 'Asia/Kathmandu', 345],
])('finds the fixed offset at which %s begins in %s', (day, zone, minutes) => {
  expect(utcOffsetOf(day, zone)).toBe(minutes);
  const fixed = knownZone('America/Not_Yet', minutes);
  expect(startOfDay(day, fixed)).toEqual(startOfDay(day, zone));
  expect(dayAt(startOfDay(day, zone), fixed)).toBe(day);
  expect(minutesOf(fixed)).toBe(minutes);
  expect(knownZone(zone, 0)).toBe(zone);
});

it('has no offset of a zone that it does not know', () => {
  expect(utcOffsetOf('2036-01-01', 'America/Not_Yet')).toBeUndefined();
  // Not by its name: callers could send many, and each would stay in memory.
  expect(knownZone('America/Not_Yet', undefined)).toBe('+00:00');
  expect(minutesOf('Etc/GMT+3')).toBeNull();
});

it('keeps one calendar for each zone, however its name is written', () => {
  expect(dayAt(0, 'Africa/Accra')).toBe('1970-01-01');
  const { DateTimeFormat } = Intl;
  const made = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function make(...given) {
    return new DateTimeFormat(...given);
  });
  for (const zone of ['AFRICA/Accra', 'africa/ACCRA']) {
    expect(dayAt(0, zone)).toBe('1970-01-01');
  }
  expect(made).not.toHaveBeenCalled();
});

function daysAroundTransitions(zone: string, from: string, to: string): string[] {
  const days = new Set([from, to]);
  const end = Temporal.Instant.from(`${to}T00:00Z`).epochMilliseconds;
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.from(
    `${from}T00:00Z`,
  ).toZonedDateTimeISO(zone);
  while (at && at.epochMilliseconds < end) {
    const day = at.toPlainDate();
    for (const shift of [-1, 0, 1]) days.add(day.add({ days: shift }).toString());
    at = at.getTimeZoneTransition('next');
  }
  return [...days];
}
