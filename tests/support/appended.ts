import { onTestFinished, vi } from 'vitest';
import type { FileStore } from '../../server/files/file-store.ts';

/**
 * Watches, until the test ends, where in their files parts of uploads are written.
 * @returns the places so far, in bytes: an upload that goes on where it was has been at 0 once
 */
export function watchAppended(files: FileStore): () => number[] {
  const appended = vi.spyOn(files, 'append');
  onTestFinished(() => appended.mockRestore());
  return () => appended.mock.calls.map(([, at]) => at);
}
