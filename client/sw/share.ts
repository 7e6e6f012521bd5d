import { isAcceptedFile } from '../../shared/file-types.ts';
import { FILES_MAX, TITLE_MAX } from '../../shared/limits.ts';
import { addAttachment, COPYING_LOCK, copyAttachment, newAttachment } from '../db/attachments.ts';
import { openDatabase } from '../db/database.ts';
import { readSession } from '../db/device.ts';
import { discardDraft, readDrafts, saveDraft } from '../db/drafts.ts';
import { type DraftRow, EMPTY_DRAFT, randomUuid } from '../db/tables.ts';

/** The manifest's share target. */
export const SHARE_PATH = '/share';

/** Together, in bytes and in characters: far more than a capsule takes, and not the whole device. */
const FILES_TOTAL_MAX = 2_147_483_648;
const TEXT_MAX = 1_000_000;

/**
 * Sets shared text, link and files aside, as a draft that waits for the person's "Add". Only the
 * newest one waits. @returns a redirect to the draft, or to the sign-in if nobody is signed in
 */
export async function receiveShare(request: Request): Promise<Response> {
  // The system shares without a referrer. A page may hide its own, so what comes is set aside too.
  if (request.referrer !== '' && !request.referrer.startsWith(`${self.location.origin}/`)) {
    return Response.redirect('/dashboard', 303);
  }
  try {
    const { userId } = await readSession();
    if (userId === null) return Response.redirect('/auth?shared', 303);
    await openDatabase(userId);
    return Response.redirect(`/create?draft=${await makeDraft(request)}`, 303);
  } catch (error) {
    if (error instanceof TooLongError) return notSaved(413, error.message);
    reportError(error);
    return notSaved(507, NO_ROOM);
  }
}

class TooLongError extends Error {
  override readonly message =
    `It has more than ${TEXT_MAX.toLocaleString('en')} characters. Please share only part of it.`;
}

const NO_ROOM =
  "Your device is out of space, or your browser won't let us save anything. Please free some space, then share it again.";

/** A page of its own, because the app may not start with a full or broken database. */
function notSaved(status: number, reason: string): Response {
  const headers = { 'Content-Type': 'text/html; charset=utf-8' };
  return new Response(notSavedPage(reason), { status, headers });
}

const notSavedPage = (reason: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<meta name="color-scheme" content="light dark" />
<title>Not saved · Time Capsule</title>
</head>
<body>
<h1>We couldn't save what you shared</h1>
<p>${reason}</p>
<p><a href="/dashboard">Go to your dashboard</a></p>
</body>
</html>`;

/** @returns the id of the draft */
async function makeDraft(request: Request): Promise<string> {
  const form = await request.formData();
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const title = text('title').replace(/\s+/g, ' ');
  // A title that is too long is also copied into the message, so that nothing is lost.
  const long = title.length > TITLE_MAX ? title : '';
  const message = [long, text('text'), text('url')].filter((part) => part !== '').join('\n\n');
  if (message.length > TEXT_MAX) throw new TooLongError();
  const files = form.getAll('files').filter((value) => value instanceof File);
  const accepted = withinBounds(files.filter((file) => isAcceptedFile(file) && file.size > 0));
  const refused = files.filter((file) => !accepted.includes(file));
  for (const earlier of await readDrafts()) if (earlier.isSetAside) await discardDraft(earlier);
  const draft: DraftRow = {
    id: randomUuid(),
    files: [],
    fields: {
      ...EMPTY_DRAFT,
      title: cut(title, TITLE_MAX),
      // A text that is too long is not cut: the form says so, and the person shortens it.
      personalMessage: message,
    },
    updatedAt: Date.now(),
    isSetAside: true,
    // Saved before the files are copied, because the browser may stop this worker at any time.
    ...failureFor(refused),
  };
  await saveDraft(draft);
  const notCopied = await navigator.locks.request(COPYING_LOCK, { mode: 'shared' }, () =>
    copyAll(draft, accepted),
  );
  if (notCopied.length === 0) return draft.id;
  try {
    await saveDraft(draft, failureFor([...refused, ...notCopied]));
  } catch (error) {
    // If the note of missing files cannot be saved, discard the draft, so that sharing again does
    // not make a second one.
    await discardDraft(draft).catch(() => undefined);
    throw error;
  }
  return draft.id;
}

/** The first of the files, as many as a capsule takes. */
function withinBounds(files: readonly File[]): File[] {
  let bytes = 0;
  return files.slice(0, FILES_MAX).filter((file) => {
    const fits = bytes + file.size <= FILES_TOTAL_MAX;
    if (fits) bytes += file.size;
    return fits;
  });
}

/** The note about files that could not be saved, or nothing. */
function failureFor(leftOut: readonly File[]): Pick<DraftRow, 'failure'> {
  if (leftOut.length === 0) return {};
  const names = leftOut.map(({ name }) => `“${name}”`).join(', ');
  const files = `${names} couldn't be saved on this device.`;
  return { failure: { code: 'LEFT_OUT', message: `${files} ${REST}`, errors: { files } } };
}

/** @returns the files that could not be saved */
async function copyAll({ id: draftId }: DraftRow, files: File[]): Promise<File[]> {
  const copies = files.map((file) => ({ file, row: newAttachment(randomUuid(), file) }));
  // Add all rows first, because the browser may stop this worker at any time.
  for (const { row } of copies) await addAttachment(draftId, row).catch(() => undefined);
  const leftOut: File[] = [];
  for (const { file, row } of copies) {
    if (!(await succeeds(copyAttachment(row, file)))) leftOut.push(file);
  }
  return leftOut;
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

const REST = 'Everything else is here.';

/** Cuts a text without splitting a surrogate pair. */
function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}
