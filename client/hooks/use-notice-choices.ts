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
  choose: (choices: NoticeChoices) => Promise<void>;
} {
  const { data } = useResource<NoticeChoices>(useKey(NOTICE_CHOICES_KEY), (signal) =>
    call(getNoticeChoices, { signal }),
  );
  const [chosen, setChosen] = useState<NoticeChoices | null>(null);
  return {
    choices: chosen ?? data,
    async choose(choices) {
      setChosen(choices);
      try {
        const askedAt = Date.now();
        const saved = await call(setNoticeChoices, { body: choices });
        await putResponse(NOTICE_CHOICES_KEY, saved, askedAt);
      } finally {
        setChosen(null);
      }
    },
  };
}
