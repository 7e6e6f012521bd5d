import {
  chown,
  type FileHandle,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EMBEDDED_USER } from '../db/client.ts';
import { StartError } from '../start-error.ts';
import { type Binaries, POSTGRES_MAJOR } from './binaries.ts';
import { type Identity, spawnAs, withName } from './identity.ts';

const UNFINISHED = 'new-cluster-';

interface ClusterOptions {
  binaries: Binaries;
  identity: Identity;
  /** The lock of the directory. `initdb` holds it on if this process is killed. */
  lock: FileHandle;
}

/**
 * Creates the cluster (PostgreSQL's data directory) if it does not exist. It is created under
 * another name and renamed, so that a killed first start leaves nothing half made.
 * @throws StartError on a full disk, or when the cluster is of another major version.
 */
export async function ensureCluster(cluster: string, options: ClusterOptions): Promise<void> {
  if (await hasUsableCluster(cluster)) return;
  const { binaries } = options;
  const identity = await withName(options.identity, binaries);
  const directory = dirname(cluster);
  await removeUnfinished(directory);
  const unfinished = join(directory, `${UNFINISHED}${process.pid}`);
  try {
    await mkdir(unfinished, { mode: 0o700 });
    if (identity.uid !== undefined && identity.gid !== undefined) {
      await chown(unfinished, identity.uid, identity.gid);
    }
    await initialise(unfinished, { ...options, identity });
    await rename(unfinished, cluster);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function hasUsableCluster(cluster: string): Promise<boolean> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw new StartError(`The database in ${cluster} cannot be read: ${error.message}.`);
    },
  );
  if (version === null) return false;
  const major = version.trim();
  if (major !== String(POSTGRES_MAJOR)) {
    throw new StartError(
      `The database in ${cluster} was made by PostgreSQL ${major}, and this version of Time Capsule brings PostgreSQL ${POSTGRES_MAJOR}. Dump it with PostgreSQL ${major} (pg_dump), move this directory and its files away (DATA_DIR/files; with a bucket, unset the S3_… variables), start Time Capsule, restore the dump beside it (psql --single-transaction --command "drop schema public, drizzle cascade; create schema public" --file <dump>), stop it, put the files back in place of the new ones, and start it anew.`,
    );
  }
  return true;
}

/** Removes what killed first starts left behind: whoever still made one would have the lock. */
async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith(UNFINISHED)) await rm(join(directory, name), { recursive: true });
  }
}

async function initialise(target: string, options: ClusterOptions) {
  const { code, output } = await runInitdb(options, [
    `--pgdata=${target}`,
    `--username=${EMBEDDED_USER}`,
    '--encoding=UTF8',
    '--no-instructions',
    '--lc-messages=C',
    // Letters of every script are letters (names are searched by trigrams), the same everywhere.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    `--locale=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
    // Only this user can reach the socket, through the directory's mode 0700, and there is no TCP
    // port.
    '--auth-local=trust',
    '--auth-host=reject',
  ]);
  if (code !== 0) throw new StartError(whyNot(target, output));
  await writeFile(join(target, 'pg_hba.conf'), 'local all all trust\n');
}

function runInitdb({ binaries, identity, lock }: ClusterOptions, args: string[]) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawnAs(identity, binaries.initdb, args, {
      stdio: ['ignore', 'pipe', 'pipe', lock.fd],
    });
    let output = '';
    const add = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout?.on('data', add);
    child.stderr?.on('data', add);
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });
}

function whyNot(target: string, output: string): string {
  const where = dirname(target);
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return `There is no space left on the disk for the database in ${where}. Free at least 100 MB and start again.`;
  }
  const reason =
    /(?:FATAL|PANIC|error):\s*(.+)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1);
  return `The embedded database could not be made in ${where}: ${reason}`;
}
