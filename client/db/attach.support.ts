import { addAttachment, copyAttachment, newAttachment } from './attachments.ts';
import { type Attachment, randomUuid } from './tables.ts';

/** Adds a file to a draft or contribution and copies it. @returns its row as it is then */
export async function attach(
  rowId: string,
  file: File,
  options: Parameters<typeof copyAttachment>[2] = {},
): Promise<Attachment> {
  const row = newAttachment(randomUuid(), file);
  await addAttachment(rowId, row);
  await copyAttachment(row, file, options);
  return { ...row, complete: true };
}
