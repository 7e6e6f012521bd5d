import { useState } from 'react';
import {
  getNoticeChoices,
  type NoticeChoices,
  setNoticeChoices,
} from '../../shared/api/notices.ts';
import { call } from '../api/client.ts';
import { NOTICE_CHOICES_KEY, putResponse } from '../db/cache.ts';
import { useKey, useResource } from './use-resource.ts';

/** Which emails about capsules the person wants; null until it is known. */
export function useNoticeChoices(): {
  choices: NoticeChoices | null;
  /** Shown at once, and taken back if it can't be saved. @throws {CallError} */
  choose: (changed: Partial<NoticeChoices>) => Promise<void>;
} {
  const { data } = useResource<NoticeChoices>(useKey(NOTICE_CHOICES_KEY), (signal) =>
    call(getNoticeChoices, { signal }),
  );
  const [chosen, setChosen] = useState<NoticeChoices | null>(null);
  return {
    choices: chosen ?? data,
    async choose(changed) {
      // What could not be loaded is asked for again, and fails with the reason.
      const choices = { ...(chosen ?? data ?? (await call(getNoticeChoices))), ...changed };
      setChosen(choices);
      // A later choice may have been made meanwhile, and stays.
      const settle = (on: NoticeChoices | null) =>
        setChosen((newest) => (newest === choices ? on : newest));
      try {
        const askedAt = Date.now();
        const saved = await call(setNoticeChoices, { body: choices });
        await putResponse(NOTICE_CHOICES_KEY, saved, askedAt);
        // Not null: what is stored is read a moment later, and the next choice builds on this one.
        settle(saved);
      } catch (error) {
        settle(null);
        throw error;
      }
    },
  };
}
