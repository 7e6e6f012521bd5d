import { useLiveQuery } from 'dexie-react-hooks';
import { setDraftChoice } from '../../shared/api/drafts.ts';
import { call } from '../api/client.ts';
import * as stored from '../db/draft-sync.ts';
import { readDrafts } from '../db/drafts.ts';
import { noteExchange, readExchange } from '../db/due.ts';
import type { DraftRow } from '../db/tables.ts';
import { askNow, sendNow } from '../sync/scheduler.ts';

/* Drafts of the account as the screens see them, and what a person can choose. */

/** What became of drafts on other devices, until {@link stored.dismissNews}. */
export function useDraftNews(userId: string | null): stored.DraftNews[] | undefined {
  return useLiveQuery(async () => (userId === null ? [] : stored.readNews()), [userId]);
}

/** Whether new drafts stay on the device that begins them; undefined until it is known. */
export function useOnlyOnDevice(userId: string | null): boolean | undefined {
  const sync = useLiveQuery(async () => (userId === null ? undefined : readExchange()), [userId]);
  return sync?.onlyOnDevice;
}

/** Asks at once what other devices have made of the drafts of the account. */
export function askAccount(): void {
  void noteExchange({ asksAnew: true }).then(askNow, reportError);
}

export interface ToldDrafts {
  drafts?: DraftRow[];
  /** When the account gave the answer that they are from, in milliseconds; 0 for none. */
  askedAt?: number;
}

/** A person's drafts, newest first; nothing until the device has been read. */
export function useToldDrafts(userId: string | null): ToldDrafts {
  const read = async (): Promise<ToldDrafts> => {
    if (userId === null) return {};
    // First, so that the drafts are never of before it.
    const { askedAt } = await readExchange();
    return { drafts: await readDrafts(), askedAt };
  };
  return useLiveQuery(read, [userId]) ?? {};
}

/** For drafts that are begun from now on, on any device. @throws {CallError} */
export async function chooseOnlyOnDevice(onlyOnDevice: boolean): Promise<void> {
  await call(setDraftChoice, { body: { onlyOnDevice } });
  // A full device can't note what the server has saved.
  await noteExchange({ onlyOnDevice }).catch(() => undefined);
}

/** For a draft that has stayed on this device. */
export async function saveToAccount(draft: DraftRow): Promise<void> {
  await stored.saveToAccount(draft);
  sendNow();
}
