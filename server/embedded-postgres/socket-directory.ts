import { createHash } from 'node:crypto';
import { chown, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';
import type { Identity } from './identity.ts';

/** PostgreSQL's name for a socket, at its default port. */
export const SOCKET_NAME = '.s.PGSQL.5432';

/** The kernel's limit for the path of a unix socket, in bytes. */
const PATH_MAX_BYTES = process.platform === 'darwin' ? 103 : 107;

/**
 * Where the socket is: in `directory` itself (which is 0700), or, where its path would be too
 * long, in a private directory under the system's temporary one, the same at every start.
 * @throws StartError when somebody else has that directory.
 */
export async function prepareSocketDirectory(
  directory: string,
  identity: Identity,
): Promise<string> {
  if (Buffer.byteLength(join(directory, SOCKET_NAME)) <= PATH_MAX_BYTES) return directory;
  const hash = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  const short = join(tmpdir(), `time-capsule-${hash}`);
  await mkdir(short, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const { uid = process.getuid?.(), gid } = identity;
  if (identity.uid !== undefined && gid !== undefined && (await lstat(short)).uid === 0) {
    await chown(short, identity.uid, gid);
  }
  // Anyone can create directories there, and the socket trusts everyone who can reach it.
  const found = await lstat(short);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new StartError(
      `The directory ${short} is not private to this server. Remove it, or choose a DATA_DIR with a shorter path.`,
    );
  }
  return short;
}
