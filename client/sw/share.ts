import { FILES_MAX } from '../../shared/limits.ts';
import { addAttachment, COPYING_LOCK, copyAttachment, newAttachment } from '../db/attachments.ts';
import { openDatabase } from '../db/database.ts';
import { readSession } from '../db/device.ts';
import { discardDraft, noteTold, readDrafts, saveDraft } from '../db/drafts.ts';
import { addFiles } from '../db/pick-files.ts';
import { type DraftRow, EMPTY_DRAFT, type OutboxFailure, randomUuid } from '../db/tables.ts';

/** The manifest's share target. */
export const SHARE_PATH = '/share';

/** Sizes are far more than a capsule takes, and not the whole device. */
const FILES_LIMITS = { maxFiles: FILES_MAX, maxFileMB: 2_048, maxCapsuleMB: 2_048 };
const TEXT_MAX = 1_000_000;

/**
 * Sets shared text, link and files aside, as a draft that waits for the person's "Add". Only the
 * newest one waits. @returns a redirect to the draft, or to where it's said that it couldn't be saved
 */
export async function receiveShare(request: Request): Promise<Response> {
  // The system shares without a referrer. A page may hide its own, so what comes is set aside too.
  if (request.referrer !== '' && !request.referrer.startsWith(`${self.location.origin}/`)) {
    return Response.redirect('/dashboard', 303);
  }
  try {
    const { userId } = await readSession();
    if (userId === null) return Response.redirect(NOT_SAVED, 303);
    await openDatabase(userId);
    return Response.redirect(`/create?draft=${await makeDraft(request)}`, 303);
  } catch (error) {
    reportError(error);
    return Response.redirect(NOT_SAVED, 303);
  }
}

/** The page says so, to who is signed in and to who is not. */
const NOT_SAVED = '/auth?shared';

/** @returns the id of the draft */
async function makeDraft(request: Request): Promise<string> {
  const form = await request.formData();
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const title = text('title').replace(/\s+/g, ' ');
  const message = [text('text'), text('url')].filter((part) => part !== '').join('\n\n');
  if (title.length + message.length > TEXT_MAX) throw new Error('The shared text is too long.');
  const shared = form.getAll('files').filter((value) => value instanceof File);
  const { files, refused } = addFiles([], shared, FILES_LIMITS);
  for (const earlier of await readDrafts()) if (earlier.isSetAside) await discardDraft(earlier);
  const draft: DraftRow = {
    id: randomUuid(),
    files: [],
    // What is too long is not cut: the form says so, and the person shortens it.
    fields: { ...EMPTY_DRAFT, title, personalMessage: message },
    updatedAt: Date.now(),
    isSetAside: true,
    // Saved before the files are copied, because the browser may stop this worker at any time.
    ...(refused.length > 0 && { failure: failureFor(refused) }),
  };
  await saveDraft(draft);
  const notCopied = await navigator.locks.request(COPYING_LOCK, { mode: 'shared' }, () =>
    copyAll(draft, files),
  );
  if (notCopied.length > 0) {
    const names = notCopied.map(({ name }) => `“${name}”`).join(', ');
    const notSaved = `${names} couldn't be saved on this device.`;
    await noteTold(draft.id, { failure: failureFor([...refused, notSaved]) });
  }
  return draft.id;
}

/** The note about files that are not in the draft. */
function failureFor(sentences: readonly string[]): OutboxFailure {
  const files = sentences.join(' ');
  return { code: 'LEFT_OUT', message: `${files} ${REST}`, errors: { files } };
}

/** @returns the files that could not be saved */
async function copyAll({ id: draftId }: DraftRow, files: readonly File[]): Promise<File[]> {
  const copies = files.map((file) => ({ file, row: newAttachment(randomUuid(), file) }));
  // Add all rows first, because the browser may stop this worker at any time.
  for (const { row } of copies) await addAttachment(draftId, row).catch(() => undefined);
  const leftOut: File[] = [];
  for (const { file, row } of copies) {
    await copyAttachment(row, file).catch(() => void leftOut.push(file));
  }
  return leftOut;
}

const REST = 'Everything else is here.';
