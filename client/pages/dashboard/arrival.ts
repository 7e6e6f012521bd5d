import { useEffect, useState } from 'react';
import { useOnline } from '../../hooks/device-state.ts';
import type { Openings } from '../../hooks/openings.ts';
import type { Resource } from '../../hooks/use-resource.ts';

/** Longer than the first answers take on a slow phone network. */
const WAIT_MAX_MS = 6_000;
/** How long a page with saved answers waits for what has opened, and for the drafts of other devices. */
const NEWS_WAIT_MS = 1_500;

/** Everything that has a place of its own on the page. */
interface Parts {
  resources: readonly Resource<unknown>[];
  /** Read from the device; undefined or null before. */
  device: readonly unknown[];
  openings: Openings | null;
  /** When the account last said what other devices have written. */
  draftsAskedAt: number | undefined;
}

/**
 * Null until the page can be shown without moving again: all of it has come from the device or the
 * server, or has failed. The first visit on a device waits for the server, a later one for a moment:
 * for what has opened, and for the drafts of other devices.
 * @param top what stands above the cards now @returns what stood there when the page was shown; the
 *   rest has come later, and moves nothing that is being read
 */
export function useArrival<Top>(parts: Parts, top: Top): Top | null {
  const { resources, device, openings, draftsAskedAt } = parts;
  const online = useOnline();
  const [waited, setWaited] = useState(0);
  const [first, setFirst] = useState<Top | null>(null);
  useEffect(() => {
    const timers = [NEWS_WAIT_MS, WAIT_MAX_MS].map((ms) => setTimeout(setWaited, ms, ms));
    return () => timers.forEach(clearTimeout);
  }, []);
  const isRead = openings !== null && device.every((part) => part !== undefined && part !== null);
  const isSettled = resources.every(({ isLoading }) => !isLoading);
  // Without an answer to anything there is none about what has opened.
  const isCutOff = !online || resources.some(({ error }) => error !== null);
  const isTold =
    isCutOff ||
    (openings !== null &&
      (openings.askedAt > performance.timeOrigin || (waited > 0 && openings.askedAt !== 0)));
  // On its first visit a device has nothing else to show.
  const areDraftsTold =
    isCutOff ||
    (draftsAskedAt ?? 0) > performance.timeOrigin ||
    (waited > 0 && draftsAskedAt !== 0);
  const isWhole = isRead && isSettled && isTold && areDraftsTold;
  if (first === null && (waited === WAIT_MAX_MS || isWhole)) setFirst(top);
  return first;
}
