import { addDays, type Day } from '../../../shared/day.ts';

interface CalendarEvent {
  /** Of the capsule: importing the event twice makes one event. */
  id: string;
  day: Day;
  /** Where the capsule can be opened. */
  url: string;
  now: Date;
}

/**
 * An all-day event for a calendar, as the text of an .ics file (RFC 5545). It says nothing of the
 * capsule's title or people: calendars are shared, and lie open on desks.
 */
export function calendarEvent({ id, day, url, now }: CalendarEvent): string {
  const stamp = now.toISOString().replace(/\.\d+/, '');
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Time Capsule//EN',
    'BEGIN:VEVENT',
    `UID:${id}@time-capsule`,
    `DTSTAMP:${basic(stamp)}`,
    `DTSTART;VALUE=DATE:${basic(day)}`,
    `DTEND;VALUE=DATE:${basic(addDays(day, 1))}`,
    'SUMMARY:A time capsule opens',
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** Dates and times in their basic format: 20441122, 20261123T101500Z. */
function basic(iso: string): string {
  return iso.replaceAll(/[-:]/g, '');
}

/** A line has at most 75 octets; the rest follows after a line break and a space. All of ours is ASCII. */
function folded(line: string): string {
  return line.match(/^.{1,75}|.{1,74}/g)?.join('\r\n ') ?? line;
}
