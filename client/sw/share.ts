import { isAcceptedFile } from '../../shared/file-types.ts';
import { TITLE_MAX } from '../../shared/limits.ts';
import type { DraftRow } from '../local/db.ts';
import { discardDraft, EMPTY_DRAFT, saveDraft } from '../local/drafts.ts';
import { COPYING_LOCK, keepFile, noteWaiting } from '../local/keep-file.ts';
import { readOwner } from '../local/owner.ts';
import { randomUuid } from '../local/uuid.ts';

/** Where the manifest lets the system send what a person shares with the app. */
export const SHARE_PATH = '/share';

/**
 * Makes a draft of what was shared: the title, the text and the link, the files copied to this
 * device. @returns the way to it; to the sign-in when nobody is signed in here
 */
export async function receiveShare(request: Request): Promise<Response> {
  try {
    const owner = await readOwner();
    if (owner === null) return Response.redirect('/auth?shared', 303);
    return Response.redirect(`/create?draft=${await makeDraft(owner, request)}`, 303);
  } catch (error) {
    reportError(error);
    return new Response(NOT_KEPT, {
      status: 507,
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    });
  }
}

/** Without the app, which may not start either where the database is full or away. */
const NOT_KEPT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<meta name="color-scheme" content="light dark" />
<title>Not kept · Time Capsule</title>
</head>
<body>
<h1>What you shared could not be kept</h1>
<p>This device has no room for it, or lets Time Capsule keep nothing. Please free some space, then share it again.</p>
<p><a href="/dashboard">Go to your dashboard</a></p>
</body>
</html>`;

/** @returns its id */
async function makeDraft(owner: string, request: Request): Promise<string> {
  const form = await request.formData();
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const title = text('title').replace(/\s+/g, ' ');
  // A title that is too long stays whole in the message.
  const long = title.length > TITLE_MAX ? title : '';
  const message = [long, text('text'), text('url')].filter((part) => part !== '').join('\n\n');
  const files = form.getAll('files').filter((value) => value instanceof File);
  const refused = files.filter((file) => !isAcceptedFile(file));
  const draft: DraftRow = {
    owner,
    id: randomUuid(),
    fields: {
      ...EMPTY_DRAFT,
      title: cut(title, TITLE_MAX),
      // Too long a text is whole too: the form says so, and what is taken out is the person's choice.
      personalMessage: message,
    },
    updatedAt: Date.now(),
    // What is known to be missing, from the first moment on: the browser may stop this worker.
    ...failureFor(refused),
  };
  await saveDraft(draft);
  const accepted = files.filter(isAcceptedFile);
  const unkept = await navigator.locks.request(COPYING_LOCK, { mode: 'shared' }, () =>
    keepAll(draft, accepted),
  );
  if (unkept.length === 0) return draft.id;
  try {
    await saveDraft({ ...draft, ...failureFor([...refused, ...unkept]) }, draft);
  } catch (error) {
    // Without the sentence not everything that is missing would be known. Sharing it again must
    // not make two.
    await discardDraft(draft).catch(() => undefined);
    throw error;
  }
  return draft.id;
}

/** What is missing of what was shared, in words; nothing when it is all there. */
function failureFor(leftOut: readonly File[]): Pick<DraftRow, 'failure'> {
  if (leftOut.length === 0) return {};
  const names = leftOut.map(({ name }) => `“${name}”`).join(', ');
  const files = `${names} could not be kept on this device.`;
  return { failure: { code: 'LEFT_OUT', message: `${files} ${REST}`, errors: { files } } };
}

/** @returns those that were left out */
async function keepAll({ owner, id: draftId }: DraftRow, files: File[]): Promise<File[]> {
  const now = Date.now();
  const places = files.map((file, at) => ({ file, id: randomUuid(), addedAt: now + at }));
  // First all of them: the browser may stop this worker at any time.
  for (const { file, ...place } of places) {
    await noteWaiting(owner, draftId, file, place).catch(() => undefined);
  }
  const leftOut: File[] = [];
  for (const { file, ...place } of places) {
    if (!(await succeeds(keepFile(owner, draftId, file, place)))) leftOut.push(file);
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

/** At most so much, and no half of a character. */
function cut(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}
