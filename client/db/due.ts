import { db } from './database.ts';
import type { ExchangeRow } from './tables.ts';

/* When this device asks and sends again. */

/** The longest pause. */
export const PAUSE_MAX_MS = 3_600_000;

/** A time further ahead was noted while the device's clock was wrong. */
export function isAhead(at: number, now: number): boolean {
  return at > now && at <= now + PAUSE_MAX_MS;
}

const NEVER_ASKED: ExchangeRow = {
  key: 'drafts',
  since: 0,
  onlyOnDevice: false,
  askedAt: 0,
  attempts: 0,
  nextTryAt: 0,
};

export async function readExchange(): Promise<ExchangeRow> {
  return (await db.draftSync.get('drafts')) ?? NEVER_ASKED;
}

export async function noteExchange(change: Partial<ExchangeRow>): Promise<void> {
  await db.transaction('rw', db.draftSync, async () => {
    await db.draftSync.put({ ...(await readExchange()), ...change });
  });
}

/** The account is asked what is new, and told what it lacks, as soon as that is possible. */
export function askAnew(): Promise<void> {
  return noteExchange({ asksAnew: true, attempts: 0, nextTryAt: 0 });
}

/** Drafts that are open on this page: another device may write in them. */
let openDrafts = 0;

/** Call when a draft is opened. @returns what to call when it is closed */
export function noteOpenDraft(): () => void {
  openDrafts += 1;
  return () => {
    openDrafts -= 1;
  };
}

export const hasOpenDraft = () => openDrafts > 0;
