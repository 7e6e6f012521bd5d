import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { chown, readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { StartError } from '../start-error.ts';
import type { Binaries } from './binaries.ts';

/** The user the PostgreSQL programs run as, because they refuse to run as root. */
export interface Identity {
  /** Command line in front of the program. */
  prefix: string[];
  uid?: number;
  gid?: number;
}

interface User {
  name: string;
  uid: number;
  gid: number;
}

/**
 * An ordinary user is itself. Root becomes, in this order: the owner of a database, or of the
 * directory for a new one, if that is another user; root under another name (a user namespace: the files stay root's and
 * may lie anywhere); an unprivileged user that gets `directory` as its own.
 * @param cluster the data directory of PostgreSQL, which may not exist yet.
 * @throws StartError when there is no way.
 */
export async function chooseIdentity(
  binaries: Binaries,
  directory: string,
  cluster: string,
): Promise<Identity> {
  if (process.getuid?.() !== 0) return { prefix: [] };

  const made = await stat(cluster).catch(() => null);
  const { uid: owner, gid: group } = made ?? (await stat(directory));
  const theirs = { prefix: [], uid: owner, gid: group };
  if (owner !== 0 && (made || (await works(theirs, binaries)))) return theirs;

  const user = await findUnprivilegedUser();
  if (user) {
    const { uid, gid } = user;
    const renamed = renamedTo(user);
    if (await works(renamed, binaries)) return renamed;

    const dropped = { prefix: [], uid, gid };
    if (!made && (await works(dropped, binaries))) {
      await chown(directory, uid, gid);
      return dropped;
    }
  }
  throw new StartError(
    'The embedded database cannot run as root here. Start Time Capsule as an ordinary user, or set DATABASE_URL.',
  );
}

/**
 * Who makes the cluster: initdb looks its user up by number. One without a name, as in a container that
 * was given a number alone, takes another's in a user namespace. @throws StartError when there is no way
 */
export async function withName(identity: Identity, binaries: Binaries): Promise<Identity> {
  if (hasName()) return identity;
  const user = await findUnprivilegedUser();
  const renamed = user && renamedTo(user);
  if (renamed && (await works(renamed, binaries))) return renamed;
  const ids = `${process.getuid?.()}:${process.getgid?.()}`;
  throw new StartError(
    `The user id ${process.getuid?.()} has no name here, which PostgreSQL needs to make its database. Start Time Capsule as a user with a name (in our image: node), add the line "capsules:x:${ids}::/:/bin/false" to /etc/passwd, or set DATABASE_URL.`,
  );
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

function renamedTo({ uid, gid }: User): Identity {
  return { prefix: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`] };
}

async function findUnprivilegedUser(): Promise<User | undefined> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const users = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid, gid }) => name !== '' && uid > 0 && gid > 0);
  return users.find(({ name }) => name === 'postgres' || name === 'nobody') ?? users[0];
}

/** Starts a program as `identity`, with an environment of its own: ours may hold secrets. */
export function spawnAs(
  { prefix, uid, gid }: Identity,
  program: string,
  args: string[],
  options: SpawnOptions = {},
): ChildProcess {
  const [command = program, ...rest] = [...prefix, program, ...args];
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_MESSAGES: 'C' };
  return spawn(command, rest, { ...options, env, uid, gid });
}

function works(identity: Identity, { postgres }: Binaries): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawnAs(identity, postgres, ['--version'], { stdio: 'ignore' });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}
