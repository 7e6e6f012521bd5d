import { describe, expect, it } from 'vitest';
import { calendarEvent } from './calendar-event.ts';

const event = {
  id: '6f1c9a52-1111-4222-8333-444455556666',
  day: '2044-12-31',
  url: 'https://capsules.example/dashboard?capsule=6f1c9a52-1111-4222-8333-444455556666',
  now: new Date('2026-11-23T10:15:07.123Z'),
};

describe('the calendar event of a capsule', () => {
  const lines = calendarEvent(event).split('\r\n');

  it('is one event that takes the whole day, and no more', () => {
    expect(lines.slice(0, 4)).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Time Capsule//EN',
      'BEGIN:VEVENT',
    ]);
    expect(lines).toContain('DTSTART;VALUE=DATE:20441231');
    expect(lines).toContain('DTEND;VALUE=DATE:20450101');
    expect(lines.slice(-3)).toEqual(['END:VEVENT', 'END:VCALENDAR', '']);
  });

  it('is stamped in UTC, and is the same event each time', () => {
    expect(lines).toContain('DTSTAMP:20261123T101507Z');
    expect(lines).toContain(`UID:${event.id}@time-capsule`);
  });

  it('folds lines of more than 75 octets, and loses nothing', () => {
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(75);
    expect(calendarEvent(event).replaceAll('\r\n ', '')).toContain(`URL:${event.url}\r\n`);
    const url = `https://capsules.example/${'a'.repeat(300)}`;
    const long = calendarEvent({ ...event, url });
    for (const line of long.split('\r\n')) expect(line.length).toBeLessThanOrEqual(75);
    expect(long.replaceAll('\r\n ', '')).toContain(`URL:${url}\r\n`);
  });
});
