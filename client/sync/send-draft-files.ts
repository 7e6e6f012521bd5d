import { getUpload } from '../../shared/api/uploads.ts';
import { call } from '../api/client.ts';
import { isAnswerOf } from '../api/errors.ts';
import { loseAttachment, nextToUpload, noteArrived, noteFileRefused } from '../db/attachments.ts';
import { AttachmentError } from '../db/chunks.ts';
import { readForAccount } from '../db/draft-sync.ts';
import { nextDue } from '../db/outbox.ts';
import type { StoredDraft } from '../db/receive-draft.ts';
import type { Attachment } from '../db/tables.ts';
import { refusalOf } from './retry-policy.ts';
import { savesData } from './saves-data.ts';
import { ownUpload, uploadFile } from './upload-file.ts';
import { REFUSED_MS } from './when-due.ts';

/* Files of drafts, after all words. They go ahead of the capsule that the draft may become. */

interface Sending {
  xsrf: string;
  signal: AbortSignal;
}

/** @returns nothing where the person pays for the connection: files then wait for the capsule */
export function nextFile({ draft, files }: StoredDraft): Attachment | undefined {
  if (savesData()) return undefined;
  return nextToUpload(files, draft.account?.content.files, Date.now() - REFUSED_MS);
}

/** @param onPart is called after each part of a file */
export async function sendDraftFiles(
  sending: Sending,
  onPart: () => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const stored = (await readForAccount()).find(nextFile);
    const file = stored && nextFile(stored);
    if (!file || sending.signal.aborted) return;
    if (!(await sendFile(stored.draft.id, file, sending, onPart))) return;
  }
}

/** @returns false when a capsule waits; the upload goes on later */
async function sendFile(
  draft: string,
  file: Attachment,
  { xsrf, signal }: Sending,
  onPart: () => Promise<unknown>,
): Promise<boolean> {
  let isInterrupted = false;
  try {
    await uploadFile(file, {
      ...{ calls: ownUpload(file, xsrf), signal, draft },
      mayGoOn: async () => {
        isInterrupted = (await nextDue(Date.now())) !== null;
        if (!isInterrupted) await onPart();
        return !isInterrupted;
      },
    });
    return true;
  } catch (error) {
    if (isInterrupted) return false;
    if (error instanceof AttachmentError) {
      await loseAttachment(file.id);
      return true;
    }
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    await noteFileRefused(file.id, refusal);
    return true;
  }
}

/** Whether files of other devices have arrived: that makes no new revision. One for each draft, in their order. */
export async function askWhetherArrived({ xsrf, signal }: Sending): Promise<void> {
  for (const { files } of await readForAccount()) {
    for (const { id } of files.filter((file) => file.isElsewhere && !file.hasArrived)) {
      const state = await call(getUpload, { params: { id }, xsrf, signal }).catch(
        (error: unknown) => {
          if (!isAnswerOf(error, 'UPLOAD_NOT_FOUND')) throw error;
        },
      );
      if (!state?.complete) break;
      await noteArrived(id);
    }
  }
}
