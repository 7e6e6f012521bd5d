import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { keepOwner } from '../keep-owner.ts';
import { StartError } from '../start-error.ts';
import { spawnAs } from './identity.ts';

/** macOS takes the lock while it opens the file. Node has no name for this flag. */
const O_EXLOCK = 0x20;
const CONFLICT = 1;

/**
 * Takes the lock of `directory`, or null while somebody has it. It belongs to the open file, so each
 * program that is started with the file holds it on, and the system lets it go when the last of them
 * has ended, however that was. Containers have process ids of their own, but meet here.
 * @throws StartError where files can't be locked
 */
export async function lockDirectory(directory: string): Promise<FileHandle | null> {
  const path = join(directory, 'lock');
  if (process.platform === 'darwin') return openLocked(path);
  // A network drive locks only what may be written. The file stays: a new one would be another lock.
  const file = await open(path, 'a', 0o600);
  try {
    await keepOwner(directory, path);
    if (await lock(file, path)) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return null;
}

async function openLocked(path: string): Promise<FileHandle | null> {
  const { O_RDWR, O_CREAT, O_NONBLOCK } = constants;
  try {
    const file = await open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_EXLOCK, 0o600);
    await keepOwner(dirname(path), path);
    return file;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}

/** Node can't lock a file, but the program `flock` locks one that it was started with. */
function lock(file: FileHandle, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawnAs({ prefix: [] }, 'flock', ['-n', '3'], {
      stdio: ['ignore', 'ignore', 'pipe', file.fd],
    });
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.on('error', () =>
      reject(
        new StartError(
          'The embedded database needs the program flock. Install the package util-linux, or set DATABASE_URL.',
        ),
      ),
    );
    child.on('close', (code) => {
      if (code === 0 || code === CONFLICT) return resolve(code === 0);
      reject(
        new StartError(
          `The file ${path} can't be locked (${output.trim()}). Move the data directory to a local disk, or set DATABASE_URL.`,
        ),
      );
    });
  });
}
