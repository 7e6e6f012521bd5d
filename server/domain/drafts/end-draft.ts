import { type DraftContent, restOf } from '../../../shared/api/drafts.ts';
import { withoutControls } from '../../../shared/api/fields.ts';
import type { NewCapsule } from '../../../shared/api/new-capsule.ts';
import type { Actor } from '../../auth/sessions.ts';
import { type DraftWriting, sealDraft, writeDraft } from '../../db/drafts/drafts.ts';
import type { Queryable } from '../../db/open.ts';
import { nameUploads } from '../../db/storage/uploads.ts';
import { readStored, toStore } from './outside.ts';

interface Sealed extends DraftWriting {
  fields: NewCapsule;
  files: { name: string; bytes: number; uploadId?: string }[];
}

/**
 * Ends the draft that a capsule was until now, in the transaction that seals. What another device has
 * written in it meanwhile is not in the capsule, and stays as a draft of its own.
 */
export async function endDraft(
  tx: Queryable,
  { userId }: Actor,
  id: string,
  { fields, files, ...writing }: Sealed,
): Promise<void> {
  const before = await sealDraft(tx, { userId, id }, writing);
  if (!before?.content || !fields.draft) return;
  const { revision, unanswered } = fields.draft;
  const arrived = before.writes.find((write) => write.id === unanswered);
  if (before.revision <= Math.max(revision, arrived?.revision ?? 0)) return;
  const content = readStored(before.content);
  const left = {
    ...content,
    files: content.files.filter(
      (file) =>
        !files.some(
          ({ name, bytes, uploadId }) =>
            uploadId === file.id || (name === file.name && bytes === file.bytes),
        ),
    ),
  };
  if (left.files.length === 0 && !saysMore(left, fields)) return;
  const rest = restOf(id);
  const { writtenOn, writtenAt } = before;
  await writeDraft(tx, { userId, id: rest }, toStore(left), { writtenOn, writtenAt });
  const fileIds = left.files.map((file) => file.id);
  await nameUploads(tx, { userId, draftId: rest }, fileIds);
}

/** Whether a text of the draft is not the one of the capsule. */
function saysMore({ fields }: DraftContent, sealed: NewCapsule): boolean {
  const names = ['title', 'description', 'personalMessage'] as const;
  return names.some((name) => {
    const text = withoutControls(fields[name]).trim();
    return text !== '' && text !== sealed[name].trim();
  });
}
