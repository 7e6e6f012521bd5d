/*
 * When to offer the home screen: not at once, and not again for half a year. Kept on the
 * device; it says nothing of the person but that they were here, and that goes when they leave.
 */

const KEY = 'install-offer';
const HALF_A_YEAR_MS = 182 * 86_400_000;
/** Looking again within this time is the same visit. */
const VISIT_MS = 30 * 60_000;

interface InstallMemory {
  visits: number;
  /** Milliseconds since 1970, as all times here. */
  lastVisitAt: number;
  dismissedAt: number;
}

/** Counts a look at a dashboard that has a capsule. @returns how many visits that makes */
export function countVisit(now: number): number {
  const memory = read();
  const isNew = now - memory.lastVisitAt > VISIT_MS;
  const visits = memory.visits + (isNew ? 1 : 0);
  write({ ...memory, visits, lastVisitAt: now });
  return visits;
}

export function rememberDismissal(now: number): void {
  write({ ...read(), dismissedAt: now });
}

export function wasDismissed(now: number): boolean {
  return now - read().dismissedAt < HALF_A_YEAR_MS;
}

/** Whoever comes next begins anew, but is not asked what was just declined here. */
export function forgetVisits(): void {
  const { dismissedAt } = read();
  if (dismissedAt > 0) write({ ...NOTHING, dismissedAt });
  else remove();
}

const NOTHING: InstallMemory = { visits: 0, lastVisitAt: 0, dismissedAt: 0 };

function read(): InstallMemory {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return {
      visits: numberIn(kept, 'visits'),
      lastVisitAt: numberIn(kept, 'lastVisitAt'),
      dismissedAt: numberIn(kept, 'dismissedAt'),
    };
  } catch {
    // Forbidden or unreadable storage: every visit is the first.
    return NOTHING;
  }
}

function numberIn(kept: unknown, name: keyof InstallMemory): number {
  if (typeof kept !== 'object' || kept === null) return 0;
  const value: unknown = Reflect.get(kept, name);
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function write(memory: InstallMemory): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(memory));
  } catch {
    // Forbidden or full storage: the offer may come again.
  }
}

function remove(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Forbidden storage: there is nothing to remove.
  }
}
