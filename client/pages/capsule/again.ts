import { useEffect, useRef } from 'react';

/** No event tells when a restarted server or a network without internet is back. */
const AGAIN_MS = 10_000;

/**
 * Calls `again` when the device is back online, and after a while.
 * @param failure why something could not be fetched; a new object for each failure, null for none
 */
export function useAgain(failure: object | null, again: () => void): void {
  const latest = useRef(again);
  useEffect(() => {
    latest.current = again;
  });
  useEffect(() => {
    if (failure === null) return;
    const run = () => latest.current();
    window.addEventListener('online', run);
    const timer = setTimeout(() => navigator.onLine && run(), AGAIN_MS);
    return () => {
      window.removeEventListener('online', run);
      clearTimeout(timer);
    };
  }, [failure]);
}
