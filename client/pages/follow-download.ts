import { FILE_DAMAGED } from '../../shared/sentences.ts';
import { isDamaged } from '../api/download.ts';
import { toasts } from '../components/toast.tsx';

/** Specified. */
export const NOT_DOWNLOADED = 'Failed to download file. Please try again.';

/** Waits for a download, and says so if it fails. */
export async function followDownload(
  download: Promise<void>,
  explain = (error: unknown): string => (isDamaged(error) ? FILE_DAMAGED : NOT_DOWNLOADED),
): Promise<void> {
  await download.catch((error: unknown) => void toasts.failure(explain(error)));
}
