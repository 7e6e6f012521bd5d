import { FILE_DAMAGED } from '../../shared/sentences.ts';
import { isDamaged } from '../api/download.ts';
import { toasts } from '../components/toast.tsx';

/** Specified. */
export const NOT_DOWNLOADED = 'Failed to download file. Please try again.';

/** The messages of downloads that have failed. */
const failures = new Map<string, number>();

/**
 * Waits for a download, and says that it has failed until it is tried again.
 * @param id of what is downloaded
 */
export async function followDownload(
  id: string,
  download: Promise<void>,
  explain = (error: unknown): string => (isDamaged(error) ? FILE_DAMAGED : NOT_DOWNLOADED),
): Promise<void> {
  toasts.dismiss(failures.get(id) ?? 0);
  failures.delete(id);
  try {
    await download;
  } catch (error) {
    failures.set(id, toasts.failure(explain(error)));
  }
}
