import { createHash, type Hash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  type FileHandle,
  mkdir,
  open,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { MEGABYTE } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import { keepOwner } from '../keep-owner.ts';
import { syncFile } from '../sync-file.ts';
import { diskError, hasCode } from './disk-errors.ts';
import {
  type ByteRange,
  type FileStore,
  MissingBytesError,
  type StoredBytes,
} from './file-store.ts';
import { assertKey } from './keys.ts';
import { measure } from './measure.ts';

/** With less free space than this, the store refuses to write. */
const FREE_BYTES_MIN = 64 * MEGABYTE;
/** Node's default of 64 KiB halves the speed of a download. */
const READ_BYTES = MEGABYTE;
const TEMP = 'temp';
const AWAY_RETRY_SECONDS = 30;

/**
 * How many unfinished files keep their running hash in memory. Others are hashed again when they
 * are finished.
 */
const HASHES_KEPT = 200;

/**
 * Files in `root`, created when needed: `root/ab/<key with . for />`, spread over 256 folders. By
 * `root/temp/` the folder is known again.
 */
export function createDiskStore(root: string): FileStore {
  const temp = join(root, TEMP);
  let made: Promise<unknown> | null = null;
  const hashes = new Map<string, { at: number; hash: Hash }>();

  /**
   * Makes the folder once. If it is gone later, a disk was unmounted or the folder was moved, and
   * what is written into a new one would be lost when the old one is back. @throws UNAVAILABLE
   */
  async function assertThere(): Promise<void> {
    made ??= makeFolder(root).then(() => makeFolder(temp));
    await made.catch((error: unknown) => {
      made = null;
      throw error;
    });
    await stat(temp).catch((cause: unknown) => {
      throw new AppError('UNAVAILABLE', { retryAfter: AWAY_RETRY_SECONDS, cause });
    });
  }

  async function write(key: string, source: Readable): Promise<StoredBytes> {
    source.on('error', () => {});
    let written = key;
    try {
      // A full disk or a crash leaves the old one. The same name each time, so that nothing piles up.
      if ((await size(key)) !== null) written = `${key}-new`;
      const stored = await finish(written, await append(written, 0, source));
      if (written === key) return stored;
      await rename(pathOf(root, written), pathOf(root, key));
      await syncFile(dirname(pathOf(root, key)));
      return stored;
    } catch (error) {
      source.destroy();
      await remove([written]).catch(() => undefined);
      throw error;
    }
  }

  async function append(key: string, at: number, source: Readable): Promise<number> {
    source.on('error', () => {});
    const known = hashes.get(key);
    hashes.delete(key);
    try {
      await assertThere();
      const file = await openToAppend(pathOf(root, key), at);
      try {
        const hash = at === 0 ? createHash('sha256') : known?.at === at ? known.hash : null;
        const bytes = await writeAll(source, file, at, hash);
        if (hash) keepHash(key, { at: at + bytes, hash });
        return bytes;
      } finally {
        await file.close();
      }
    } catch (error) {
      source.destroy();
      throw diskError(error);
    }
  }

  function keepHash(key: string, running: { at: number; hash: Hash }): void {
    hashes.set(key, running);
    const [oldest] = hashes.keys();
    if (hashes.size > HASHES_KEPT && oldest !== undefined) hashes.delete(oldest);
  }

  async function finish(key: string, bytes: number): Promise<StoredBytes> {
    const known = hashes.get(key);
    hashes.delete(key);
    try {
      const file = await openOrMissing(pathOf(root, key));
      try {
        const { size } = await file.stat();
        if (size < bytes) throw new MissingBytesError(`${bytes - size} bytes are missing`);
        if (size > bytes) await file.truncate(bytes).then(() => file.sync());
        if (known?.at === bytes) return { bytes, sha256: known.hash.digest('hex') };
        return await measure(
          file.createReadStream({ autoClose: false, highWaterMark: READ_BYTES }),
        );
      } finally {
        await file.close();
      }
    } catch (error) {
      throw diskError(error);
    }
  }

  async function read(key: string, range?: ByteRange) {
    const path = pathOf(root, key);
    try {
      const file = await open(path);
      try {
        const { size } = await file.stat();
        const stream = file.createReadStream({ ...range, highWaterMark: READ_BYTES });
        return { stream, bytes: size };
      } catch (error) {
        await file.close();
        throw error;
      }
    } catch (error) {
      return nullIfMissing(error);
    }
  }

  async function size(key: string): Promise<number | null> {
    const path = pathOf(root, key);
    return stat(path).then((found) => found.size, nullIfMissing);
  }

  /** @throws UNAVAILABLE where all files are away, so that none of them is told to be lost */
  async function nullIfMissing(error: unknown): Promise<null> {
    if (!hasCode(error, 'ENOENT')) throw diskError(error);
    if (made) await assertThere();
    return null;
  }

  async function remove(keys: readonly string[]): Promise<Map<string, unknown>> {
    const paths = new Map(keys.map((key) => [key, pathOf(root, key)]));
    const failures = new Map<string, unknown>();
    for (const [key, path] of paths) {
      hashes.delete(key);
      await rm(path, { force: true }).catch((error: unknown) => failures.set(key, error));
    }
    return failures;
  }

  async function check(): Promise<void> {
    const probe = join(temp, randomUUID());
    try {
      await assertThere();
      const { bavail, bsize } = await statfs(root);
      if (bavail * bsize < FREE_BYTES_MIN) throw new AppError('STORAGE_FULL');
      await writeFile(probe, 'ok');
    } catch (error) {
      throw diskError(error);
    } finally {
      await rm(probe, { force: true });
    }
  }

  return { write, append, finish, read, size, delete: remove, check };
}

/** Keys have no dots, so a dot can stand for the slash and no folders are needed but the 256. */
function pathOf(root: string, key: string): string {
  assertKey(key);
  const folder = createHash('sha256').update(key).digest('hex').slice(0, 2);
  return join(root, folder, key.replaceAll('/', '.'));
}

/** Creates the file if `at` is 0, otherwise opens it. */
async function openToAppend(path: string, at: number): Promise<FileHandle> {
  if (at === 0) return create(path);
  const file = await openOrMissing(path);
  try {
    const { size } = await file.stat();
    if (size < at) throw new MissingBytesError(`${at - size} bytes are missing`);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Writes everything to its place in a file, and brings it to stable storage. Another server that still
 * writes the same part does no harm: the same bytes have the same place, and no failure cuts any off.
 * @returns how much
 */
async function writeAll(
  source: Readable,
  file: FileHandle,
  at: number,
  hash: Hash | null,
): Promise<number> {
  let end = at;
  for await (const chunk of source) {
    const piece: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    hash?.update(piece);
    for (let done = 0; done < piece.length; ) {
      const { bytesWritten } = await file.write(piece, done, piece.length - done, end);
      done += bytesWritten;
      end += bytesWritten;
    }
  }
  await file.sync();
  return end - at;
}

/** Creates a file whose name is durable. What is there stays: another server may have finished it. */
async function create(path: string): Promise<FileHandle> {
  const folder = await makeFolder(dirname(path));
  const file = await open(path, constants.O_CREAT | constants.O_WRONLY, 0o600);
  try {
    await keepOwner(folder, path);
    await syncFile(folder);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** @throws {MissingBytesError} when there is no such file */
async function openOrMissing(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new MissingBytesError('the file is missing');
    throw error;
  }
}

/** Creates a folder that is not there yet, and makes it durable. */
async function makeFolder(folder: string): Promise<string> {
  if (await mkdir(folder, { recursive: true })) {
    await keepOwner(dirname(folder), folder);
    await syncFile(dirname(folder));
  }
  return folder;
}
