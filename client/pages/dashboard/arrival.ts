import { useEffect, useState } from 'react';
import type { DashboardSummary } from '../../../shared/api/capsules.ts';
import { startOfDay } from '../../../shared/day.ts';
import { DAY_MS } from '../../../shared/limits.ts';
import { useOnline } from '../../hooks/device-state.ts';
import type { Openings } from '../../hooks/openings.ts';
import type { Resource } from '../../hooks/use-resource.ts';

/** Longer than the first answers take on a slow phone network. */
const WAIT_MAX_MS = 6_000;
/** Since an older answer, capsules may have been sealed and opened that this device never heard of. */
const TOLD_MAX_MS = DAY_MS;

/** How long a page with saved answers waits for the drafts of other devices. */
const DRAFTS_WAIT_MS = 1_500;
const DRAFTS_FRESH_MS = 60_000;

/** Everything that has a place of its own on the page. */
interface Parts {
  resources: readonly Resource<unknown>[];
  /** Read from the device; undefined or null before. */
  device: readonly unknown[];
  openings: Openings | null;
  /** When the account last said what other devices have written. */
  draftsAskedAt: number | undefined;
  summary: DashboardSummary | null;
  now: Date;
}

/**
 * Null until the page can be shown without moving again: all of it has come from the device or the
 * server, or has failed. The first visit on a device waits for the server, and one a day after the last
 * answer about what has opened. Drafts of other devices are waited for a moment.
 * @param top what stands above the cards now @returns what stood there when the page was shown; the
 *   rest has come later, and moves nothing that is being read
 */
export function useArrival<Top>(parts: Parts, top: Top): Top | null {
  const { resources, device, openings, draftsAskedAt, summary, now } = parts;
  const online = useOnline();
  const [begunAt] = useState(Date.now);
  const [waited, setWaited] = useState(0);
  const [first, setFirst] = useState<Top | null>(null);
  useEffect(() => {
    const timers = [DRAFTS_WAIT_MS, WAIT_MAX_MS].map((ms) => setTimeout(setWaited, ms, ms));
    return () => timers.forEach(clearTimeout);
  }, []);
  const isRead = openings !== null && device.every((part) => part !== undefined && part !== null);
  const isSettled = resources.every(({ isLoading }) => !isLoading);
  // Without an answer to anything there is none about what has opened.
  const isCutOff = !online || resources.some(({ error }) => error !== null);
  const unheard = Math.max(lastOpening(summary, now), now.getTime() - TOLD_MAX_MS);
  const isTold = isCutOff || (openings !== null && openings.askedAt >= unheard);
  // On its first visit a device has nothing else to show.
  const areDraftsTold =
    isCutOff ||
    (draftsAskedAt ?? 0) > begunAt - DRAFTS_FRESH_MS ||
    (waited > 0 && draftsAskedAt !== 0);
  const isWhole = isRead && isSettled && isTold && areDraftsTold;
  if (first === null && (waited === WAIT_MAX_MS || isWhole)) setFirst(top);
  return first;
}

/**
 * When one of these capsules opened last, in milliseconds; 1 if none has. An older answer about
 * what has opened, or none, can't have named it.
 */
function lastOpening(summary: DashboardSummary | null, now: Date): number {
  const opened = (summary?.nextUnlocks ?? [])
    .map(({ unlockDate, timeZone }) => startOfDay(unlockDate, timeZone).getTime())
    .filter((time) => time <= now.getTime());
  return Math.max(1, ...opened);
}
