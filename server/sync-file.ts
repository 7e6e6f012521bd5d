import { open } from 'node:fs/promises';

/** Brings a file, or the names in a folder, to stable storage. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
