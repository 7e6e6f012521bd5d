import { createHash } from 'node:crypto';
import type { NewCapsule } from '../../../shared/api/new-capsule.ts';
import type { ReceivedFile } from './new-capsule.ts';

/**
 * Two requests are the same if all fields, and the names and bytes of all files in order, are
 * equal. Fingerprints are stored: a new field may only be added where it differs from its default,
 * or the repeat of an earlier request would be refused. The time zone is the one that was asked
 * for: the server may have learnt its name before the repeat.
 */
export function fingerprint(
  fields: NewCapsule,
  files: Pick<ReceivedFile, 'name' | 'sha256'>[],
): string {
  const canonical = JSON.stringify([
    fields.title,
    fields.description,
    fields.dateToUnlock,
    fields.timeZone,
    fields.recipientEmails,
    fields.personalMessage,
    fields.notifyRecipient,
    files.map((file) => [comparableName(file.name), file.sha256]),
  ]);
  return createHash('sha256').update(canonical).digest('hex');
}

/**
 * Normalises a file name for comparison. Multipart forms drop folders and escape quotes and line
 * ends, while an upload session has the original name.
 */
function comparableName(name: string): string {
  const last = name.replace(/^.*[/\\]/s, '');
  const plain = last.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return plain === '' ? 'file' : plain;
}
