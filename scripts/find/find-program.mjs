import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * The path of the first of these programs that runs: by its own path or on the PATH.
 * @param {string[]} names
 * @returns {string | null}
 */
export function findProgram(names, environment = process.env) {
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  return (
    names
      .flatMap((name) =>
        name.includes('/') ? [name] : folders.map((folder) => join(folder, name)),
      )
      .find(isExecutable) ?? null
  );
}

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A program that the machine does not have and that could not be had. */
export class NotAvailable extends Error {}

/**
 * What `find` finds, after Debian's packages were installed if need be, which only root can do.
 * @template T
 * @param {() => T | null} find
 * @param {string[]} packages
 * @param {string} why one line that says what is missing and what to do
 * @returns {T}
 */
export function findOrInstall(find, packages, why, environment = process.env) {
  const found = find();
  if (found) return found;
  if (process.getuid?.() !== 0) throw new NotAvailable(why);
  try {
    /** @type {import('node:child_process').ExecFileSyncOptions} */
    const options = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...environment, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 5 * 60_000,
    };
    console.error(`Installing ${packages.join(', ')}…`);
    // Several test files may want it at once, and apt-get waits for no other one.
    const apt = (/** @type {string[]} */ ...words) =>
      execFileSync('flock', [join(tmpdir(), 'time-capsule-apt'), 'apt-get', ...words], options);
    apt('update', '-qq');
    apt('install', '-y', '-qq', '--no-install-recommends', ...packages);
  } catch (error) {
    throw new NotAvailable(`${why} (Installing it failed: ${error.message})`);
  }
  const installed = find();
  if (!installed) throw new NotAvailable(why);
  return installed;
}
