import { calendarEvent, calendarFileName } from '../../shared/calendar-event.ts';
import type { Opening } from '../../shared/capsule-time.ts';
import { Button } from '../components/button.tsx';
import { CalendarDays } from '../components/icon.tsx';

interface AddToCalendarProps {
  variant?: 'quiet';
  capsule: Opening & { id: string };
  /** Where the capsule can be opened. */
  url: string;
}

/** Saves the day of a capsule as a file that calendars take. Made on the device, so it needs no network. */
export function AddToCalendar({ capsule, url, ...button }: AddToCalendarProps) {
  return (
    <Button
      {...button}
      icon={CalendarDays}
      onClick={() =>
        save(calendarEvent({ ...capsule, url, now: new Date() }), calendarFileName(capsule))
      }
    >
      Add to calendar
    </Button>
  );
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/calendar' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), SAVED_MS);
}

/** Browsers read what they save after the click. */
const SAVED_MS = 60_000;
