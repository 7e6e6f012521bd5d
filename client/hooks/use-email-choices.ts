import { useState } from 'react';
import {
  type EmailChoices,
  getNoticeChoices,
  setNoticeChoices,
} from '../../shared/api/email-choices.ts';
import { call } from '../api/client.ts';
import { EMAIL_CHOICES_KEY, putResponse } from '../db/cache.ts';
import { useKey, useResource } from './use-resource.ts';

/** What was chosen on this page. */
interface Chosen {
  choices: EmailChoices;
  /** An answer that was asked for later counts instead; infinite until they are saved. */
  until: number;
}

/** Which emails about capsules the person wants; null until it is known. */
export function useEmailChoices(): {
  choices: EmailChoices | null;
  /** Shown at once, and taken back if it can't be saved. @throws {CallError} */
  choose: (changed: Partial<EmailChoices>) => Promise<void>;
} {
  const { data, fetchedAt } = useResource<EmailChoices>(useKey(EMAIL_CHOICES_KEY), (signal) =>
    call(getNoticeChoices, { signal }),
  );
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const choices = chosen && fetchedAt <= chosen.until ? chosen.choices : data;
  return {
    choices,
    async choose(changed) {
      // What could not be loaded is asked for again, and fails with the reason.
      const known = choices ?? (await call(getNoticeChoices));
      const choice: Chosen = { choices: { ...known, ...changed }, until: Infinity };
      setChosen(choice);
      // A later choice may have been made meanwhile, and stays.
      const settle = (on: Chosen | null) =>
        setChosen((newest) => (newest === choice ? on : newest));
      try {
        // The others stay as the server has them; it wants these two in any case.
        const { waiting, opened } = known;
        const saved = await call(setNoticeChoices, { body: { waiting, opened, ...changed } });
        // An answer that was asked for meanwhile may not have it yet.
        const savedAt = Date.now();
        // On a full device the page knows it all the same.
        await putResponse(EMAIL_CHOICES_KEY, saved, savedAt).catch(() => undefined);
        // Not null: what is stored is read a moment later, and the next choice builds on this one.
        settle({ choices: saved, until: savedAt });
      } catch (error) {
        settle(null);
        throw error;
      }
    },
  };
}
