import { downloadFile } from '../../shared/api/capsules.ts';
import { noteUnauthorized } from './call.ts';
import { failedAnswer, networkError } from './call-error.ts';
import { fileAddress, saveFile } from './download.ts';
import { askServer } from './session-gate.ts';

/**
 * Shows a PDF of an opened capsule in a tab of its own. The server hands files out as
 * downloads only, so the bytes go to the tab from here, as a PDF whatever they say.
 * Where a new tab is not allowed it is saved instead.
 * @throws {CallError} when it cannot be had
 */
export async function openPdf(file: { fileId: string; fileName: string }): Promise<void> {
  // Asked for before anything else: a moment later it would be a pop-up that nobody wanted.
  const tab = window.open('', '_blank');
  if (!tab) return saveFile(file);
  tab.opener = null;
  tab.document.title = file.fileName;
  try {
    const bytes = await fetchBytes(fileAddress(file));
    const address = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
    // It stays valid as long as this page does, so that the tab can be reloaded.
    tab.location.replace(address);
  } catch (error) {
    tab.close();
    throw error;
  }
}

async function fetchBytes(address: string): Promise<Blob> {
  let answer: Response;
  try {
    answer = await askServer(address, { credentials: 'include' });
    if (answer.ok) return await answer.blob();
  } catch {
    throw networkError();
  }
  const error = failedAnswer(answer.status, undefined, null);
  noteUnauthorized(downloadFile, error);
  throw error;
}
