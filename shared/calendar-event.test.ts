import { describe, expect, it } from 'vitest';
import { calendarEvent, calendarFileName } from './calendar-event.ts';

const event = {
  id: '6f1c9a52-1111-4222-8333-444455556666',
  dateToUnlock: '2044-12-31',
  timeZone: 'America/Argentina/Buenos_Aires',
  url: 'https://capsules.example/dashboard?capsule=6f1c9a52-1111-4222-8333-444455556666',
  now: new Date('2026-11-23T10:15:07.123Z'),
};

/** The properties of the event, as RFC 5545 reads them: unfolded, then undone of their escapes. */
function read(text: string): Map<string, string> {
  const lines = text.replaceAll(/\r\n[ \t]/g, '').split('\r\n');
  expect(lines.pop()).toBe('');
  return new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([A-Z-]+(?:;[^:]*)?):(.*)$/.exec(line) ?? [];
      const unescaped = value.replaceAll(/\\(.)/g, (_, one) => (one === 'n' ? '\n' : one));
      return [name, unescaped];
    }),
  );
}

describe('the calendar event of a capsule', () => {
  it('is one event in one calendar', () => {
    const lines = calendarEvent(event).split('\r\n');
    expect(lines.slice(0, 4)).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Time Capsule//EN',
      'BEGIN:VEVENT',
    ]);
    expect(lines.slice(-3)).toEqual(['END:VEVENT', 'END:VCALENDAR', '']);
  });

  it('takes the whole day, and says where that day begins', () => {
    const properties = read(calendarEvent(event));
    expect(properties.get('DTSTART;VALUE=DATE')).toBe('20441231');
    expect(properties.get('DTEND;VALUE=DATE')).toBe('20450101');
    expect(properties.get('DESCRIPTION')).toBe(
      `It opens at midnight, Buenos Aires time.\n${event.url}`,
    );
    expect(calendarFileName(event)).toBe('time-capsule-2044-12-31.ics');
  });

  it.each([
    ['America/Santiago', '2027-09-05', 'at 01:00, Santiago time.'],
    ['Africa/Cairo', '2027-04-30', 'at 01:00, Cairo time.'],
    ['Europe/Berlin', '2027-04-30', 'at midnight, Berlin time.'],
    ['UTC', '2027-04-30', 'at midnight, UTC.'],
  ])('says at which time the day begins in %s on %s', (timeZone, dateToUnlock, text) => {
    const description = read(calendarEvent({ ...event, timeZone, dateToUnlock })).get(
      'DESCRIPTION',
    );
    expect(description).toBe(`It opens ${text}\n${event.url}`);
  });

  it('goes by the instant that the server has fixed, whatever the zone has become since', () => {
    const unlockAt = '2044-12-31T02:30:00.000Z';
    expect(read(calendarEvent({ ...event, unlockAt })).get('DESCRIPTION')).toContain(
      'It opens at 23:30, Buenos Aires time.',
    );
  });

  it('is stamped in UTC, and is the same event each time', () => {
    const properties = read(calendarEvent(event));
    expect(properties.get('DTSTAMP')).toBe('20261123T101507Z');
    expect(properties.get('UID')).toBe(`${event.id}@time-capsule`);
  });

  it.each([
    event.url,
    `https://capsules.example/${'a'.repeat(300)}`,
    `https://capsules.example/${'湖🛶'.repeat(60)};,\\`,
  ])('folds lines of more than 75 octets, and loses nothing: %s', (url) => {
    const text = calendarEvent({ ...event, url });
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text).not.toContain('\uFFFD');
    expect(read(text).get('DESCRIPTION')).toContain(url);
    expect(text.replaceAll('\r\n ', '')).toContain(`\r\nURL:${url}\r\n`);
  });
});
