import {
  type CapsuleFile,
  downloadFile,
  downloadFiles,
  getRendition,
  type RenditionSize,
} from '../../shared/api/capsules.ts';
import type { Endpoint } from '../../shared/api/endpoint.ts';
import { exportAccount } from '../../shared/api/user.ts';
import { hasRendition } from '../../shared/file-types.ts';
import { addressOf, noteUnauthorized } from './client.ts';
import { CallError, failedAnswer, networkError } from './errors.ts';
import { askServer } from './session.ts';

interface NamedFile {
  fileId: string;
  fileName: string;
}

/** The address of a file of an opened capsule; the server asks for the person's cookie. */
export function fileAddress({ fileId }: Pick<NamedFile, 'fileId'>): string {
  return addressOf(downloadFile, { params: { fileId } });
}

/** The address of a small copy of an image; null for images that come quickly as they are. */
export function renditionAddress(file: CapsuleFile, size: RenditionSize): string | null {
  const { fileId } = file;
  return hasRendition(file)
    ? addressOf(getRendition, { params: { fileId }, query: { size } })
    : null;
}

/** An answer to HEAD has no code, but 410 means FILE_DAMAGED alone here. */
export function isDamaged(error: unknown): boolean {
  return error instanceof CallError && error.status === 410;
}

/** Saves a file of an opened capsule under its name. @throws {CallError} when it cannot be had */
export function saveFile(file: NamedFile): Promise<void> {
  return save(downloadFile, fileAddress(file), file.fileName);
}

/** Saves all files of an opened capsule as a ZIP. @throws {CallError} when it cannot be had */
export function saveFiles(id: string): Promise<void> {
  return save(downloadFiles, addressOf(downloadFiles, { params: { id } }), '');
}

/** Saves everything of the person as a ZIP. @throws {CallError} when it cannot be had */
export function saveExport(): Promise<void> {
  return save(exportAccount, exportAccount.path, '');
}

/**
 * Leaves the download to the browser: a video of any size goes straight to disk, with the browser's
 * progress and resuming, and not through the page's memory.
 * A HEAD request goes first, because a download that the browser starts cannot tell
 * the page that it was refused.
 * @param name empty for the name that the server gives it
 */
async function save(endpoint: Endpoint, address: string, name: string): Promise<void> {
  await fetched(endpoint, address, { method: 'HEAD' });
  const link = document.createElement('a');
  Object.assign(link, { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}

/**
 * Shows a PDF of an opened capsule in a new tab. The server offers files as downloads only, so the
 * page fetches the bytes and gives them to the tab with the type of a PDF. Where a new tab is not
 * allowed, the file is saved instead.
 * @throws {CallError} when it cannot be had
 */
export async function openPdf(file: NamedFile): Promise<void> {
  // Opened first, within the click: a moment later the browser would block it as a pop-up.
  const tab = window.open('', '_blank');
  if (!tab) return saveFile(file);
  tab.opener = null;
  tab.document.title = file.fileName;
  try {
    const answer = await fetched(downloadFile, fileAddress(file));
    const bytes = await answer.blob().catch(noConnection);
    const address = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
    // Never revoked, so that the tab can be reloaded as long as this page is open.
    tab.location.replace(address);
  } catch (error) {
    tab.close();
    throw error;
  }
}

/** An answer that has what was asked for. @throws {CallError} */
async function fetched(
  endpoint: Endpoint,
  address: string,
  init: RequestInit = {},
): Promise<Response> {
  const answer = await askServer(address, { ...init, credentials: 'include' }).catch(noConnection);
  if (answer.ok) return answer;
  noteUnauthorized(endpoint, answer.status);
  throw failedAnswer(answer.status, undefined, null);
}

function noConnection(): never {
  throw networkError();
}
