import { downloadFile } from '../../shared/api/capsules.ts';
import { addressOf } from './address.ts';
import { noteUnauthorized } from './call.ts';
import { failedAnswer, networkError } from './call-error.ts';

/**
 * Saves a file of an opened capsule under its name.
 *
 * The browser's own download does it: a video of any size goes straight to disk,
 * with the browser's progress and resuming, and none of it through the page's memory.
 * A HEAD request goes first, because a download that the browser starts cannot tell
 * the page that it was refused.
 * @throws {CallError} when the file cannot be had
 */
export async function saveFile(file: { fileId: string; fileName: string }): Promise<void> {
  const address = addressOf(downloadFile, { params: { fileId: file.fileId } });
  const { status } = await head(address);
  if (status < 200 || status > 299) {
    const error = failedAnswer(status, undefined, null);
    noteUnauthorized(downloadFile, error);
    throw error;
  }
  const link = document.createElement('a');
  link.href = address;
  link.download = file.fileName;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}

async function head(address: string): Promise<Response> {
  try {
    return await fetch(address, { method: 'HEAD', credentials: 'include' });
  } catch {
    throw networkError();
  }
}
