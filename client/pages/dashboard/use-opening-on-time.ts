import { useEffect } from 'react';
import type { Capsule } from '../../../shared/api/capsules.ts';

/** Asks again in the minute in which a capsule opens. */
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
