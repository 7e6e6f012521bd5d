import {
  type EmailChoices,
  getNoticeChoices,
  setNoticeChoices,
} from '../../shared/api/email-choices.ts';
import { call } from '../api/client.ts';
import { EMAIL_CHOICES_KEY, putResponse } from '../db/cache.ts';
import { type Resource, useKey, useResource } from './use-resource.ts';

/** Which emails about capsules the person wants. */
export function useEmailChoices(): Resource<EmailChoices> {
  return useResource(useKey(EMAIL_CHOICES_KEY), (signal) => call(getNoticeChoices, { signal }));
}

/** What is not changed stays as the server has it; it wants two of them in any case. @throws {CallError} */
export async function saveEmailChoices(
  { waiting, opened }: EmailChoices,
  changed: Partial<EmailChoices>,
): Promise<void> {
  const saved = await call(setNoticeChoices, { body: { waiting, opened, ...changed } });
  // On a full device the page knows it all the same.
  await putResponse(EMAIL_CHOICES_KEY, saved, Date.now()).catch(() => undefined);
}
