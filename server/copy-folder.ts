import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { keepOwner } from './keep-owner.ts';

export interface CopyOptions {
  /** Entries to skip, by name and by path below the copied folder. */
  skip?: (name: string, path: string) => boolean;
  /** Folders to create without their contents, by path below the copied folder. */
  empty?: (path: string) => boolean;
  /** Called for a file that cannot be read, which is then skipped. Without it the copy fails. */
  onUnreadable?: (path: string, code: string) => void;
}

/** Errors that concern one file only. Others, such as a full disk, end the copy. */
const UNREADABLE = new Set(['EACCES', 'EPERM', 'EIO']);

export interface Copied {
  files: number;
  bytes: number;
}

/**
 * Copies a folder in use, with modes and, for root, owners. Resolves when the copy is on stable
 * storage. Files deleted meanwhile are skipped.
 */
export async function copyFolder(
  from: string,
  to: string,
  { skip = () => false, empty = () => false, onUnreadable }: CopyOptions = {},
): Promise<Copied> {
  const copied: Copied = { files: 0, bytes: 0 };

  async function folder(source: string): Promise<void> {
    const path = relative(from, source);
    const target = join(to, path);
    await mkdir(target, { recursive: true });
    await keepModeAndOwner(source, target);
    if (!empty(path)) {
      for await (const entry of await opendir(source)) {
        const child = join(source, entry.name);
        if (skip(entry.name, relative(from, child))) continue;
        if (entry.isDirectory()) await pass(child, () => folder(child));
        else if (entry.isFile()) await pass(child, () => file(child, join(target, entry.name)));
      }
    }
    await syncFile(target);
  }

  async function pass(source: string, copy: () => Promise<void>): Promise<void> {
    try {
      await copy();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!onUnreadable || !UNREADABLE.has(code)) throw error;
      await rm(join(to, relative(from, source)), { recursive: true, force: true });
      onUnreadable(relative(from, source), code);
    }
  }

  async function file(source: string, target: string): Promise<void> {
    try {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
      throw error;
    }
    await keepModeAndOwner(source, target);
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

/** Of what was deleted meanwhile nothing is known. */
async function keepModeAndOwner(source: string, target: string): Promise<void> {
  try {
    await chmod(target, (await stat(source)).mode);
    await keepOwner(source, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
