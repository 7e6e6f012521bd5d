import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Capsule } from '../../shared/api/capsules.ts';

/** The time, renewed every minute: for countdowns on a screen that stays open. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Calls back in the minute in which one of these capsules opens. */
export function useOpeningOnTime(
  capsules: readonly (Capsule | null)[] | undefined,
  now: Date,
  onOpening: () => void,
): void {
  const isDue = capsules?.some(
    (capsule) => capsule?.locked && Date.parse(capsule.unlockAt) <= now.getTime(),
  );
  useEffect(() => {
    if (isDue && now) onOpening();
  }, [isDue, now, onOpening]);
}

/** The time zone of this person's calendar. */
export function ownTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  // Some browsers name no zone, or an offset that no other system knows.
  return /^(?!Etc\/Unknown$)[A-Za-z]/.test(timeZone) ? timeZone : 'UTC';
}

const never = () => () => undefined;
const today = () => new Date().toISOString().slice(0, 10);

/** On the prerendered landing page: the day of the build. */
function renderedOn(): string {
  const root = typeof document === 'undefined' ? null : document.getElementById('root');
  return root?.dataset.day ?? today();
}

/** The day in UTC, YYYY-MM-DD. */
export function useToday(): string {
  return useSyncExternalStore(never, today, renderedOn);
}
