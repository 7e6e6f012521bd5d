import { addAttachment, copyAttachment, newAttachment } from './attachments.ts';
import { type Attachment, randomUuid } from './tables.ts';

/** Adds a file to a draft and copies it. @returns its row as it is then */
export async function attach(
  capsuleId: string,
  file: File,
  options: Parameters<typeof copyAttachment>[2] = {},
): Promise<Attachment> {
  const row = newAttachment(capsuleId, file, { id: randomUuid(), addedAt: Date.now() });
  await addAttachment(row);
  await copyAttachment(row, file, options);
  return { ...row, complete: true };
}
