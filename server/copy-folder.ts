import { constants } from 'node:fs';
import { chmod, chown, copyFile, mkdir, open, opendir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

export interface CopyOptions {
  /** Entries of these names are left out, at any depth. */
  skip?: (name: string) => boolean;
  /** Folders, by their path below the copied one, that are made without their contents. */
  empty?: (path: string) => boolean;
}

export interface Copied {
  files: number;
  bytes: number;
}

/**
 * Copies a folder that is in use, with modes and, for root, owners; resolves when the copy is on
 * stable storage. What vanishes meanwhile is left out.
 */
export async function copyFolder(
  from: string,
  to: string,
  { skip = () => false, empty = () => false }: CopyOptions = {},
): Promise<Copied> {
  const copied: Copied = { files: 0, bytes: 0 };

  async function folder(source: string): Promise<void> {
    const path = relative(from, source);
    const target = join(to, path);
    await mkdir(target, { recursive: true });
    await keepOwner(source, target);
    if (!empty(path)) {
      for await (const entry of await opendir(source)) {
        if (skip(entry.name)) continue;
        const child = join(source, entry.name);
        if (entry.isDirectory()) await folder(child);
        else if (entry.isFile()) await file(child, join(target, entry.name));
      }
    }
    await syncFile(target);
  }

  async function file(source: string, target: string): Promise<void> {
    try {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
      throw error;
    }
    await keepOwner(source, target);
    await syncFile(target);
    copied.files += 1;
    copied.bytes += (await stat(target)).size;
  }

  await folder(from);
  return copied;
}

/** Brings a file, or the names in a folder, to stable storage. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function keepOwner(source: string, target: string): Promise<void> {
  const original = await stat(source).catch(() => null);
  if (!original) return;
  await chmod(target, original.mode);
  if (process.getuid?.() === 0) await chown(target, original.uid, original.gid);
}
