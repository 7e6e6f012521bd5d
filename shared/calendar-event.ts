import { type Opening, openingTimeText, placeText } from './capsule-time.ts';
import { addDays } from './day.ts';

type CalendarEvent = Opening & {
  /** Of the capsule: importing the event twice makes one event. */
  id: string;
  /** Where the capsule can be opened. */
  url: string;
  now: Date;
};

/**
 * The day of a capsule for a calendar, as the text of an .ics file (RFC 5545). The event takes the
 * whole day, which has no time zone there, and says when the capsule opens. It says nothing of the
 * capsule's title or people: calendars are shared, and lie open on desks.
 */
export function calendarEvent({ id, url, now, ...opening }: CalendarEvent): string {
  const { dateToUnlock } = opening;
  const when = `It opens at ${openingTimeText(opening)}, ${placeText(opening.timeZone)}.`;
  const stamp = now.toISOString().replace(/\.\d+/, '');
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Time Capsule//EN',
    'BEGIN:VEVENT',
    `UID:${id}@time-capsule`,
    `DTSTAMP:${basic(stamp)}`,
    `DTSTART;VALUE=DATE:${basic(dateToUnlock)}`,
    `DTEND;VALUE=DATE:${basic(addDays(dateToUnlock, 1))}`,
    'SUMMARY:A time capsule opens',
    `DESCRIPTION:${escaped(`${when}\n${url}`)}`,
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** The name of the file. */
export function calendarFileName({ dateToUnlock }: Pick<Opening, 'dateToUnlock'>): string {
  return `time-capsule-${dateToUnlock}.ics`;
}

/** Dates and times in their basic format: 20441122, 20261123T101500Z. */
function basic(iso: string): string {
  return iso.replaceAll(/[-:]/g, '');
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n');
}

const LINE_OCTETS = 75;

/** A line has at most 75 octets; the rest follows after a line break and a space. */
function folded(line: string): string {
  let text = '';
  let octets = 0;
  for (const character of line) {
    const more = new TextEncoder().encode(character).length;
    if (octets + more > LINE_OCTETS) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += more;
  }
  return text;
}
