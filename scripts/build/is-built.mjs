import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from './build.mjs';

/** The sources of the built client. */
export const CLIENT_SOURCES = [
  'client',
  'shared',
  'public',
  'scripts/build/compress.mjs',
  ...readdirSync(ROOT).filter((name) => name.endsWith('.ts') && name !== 'vitest.config.ts'),
  'package-lock.json',
];
/** The sources of the built server. */
export const SERVER_SOURCES = ['server', 'shared', 'vite.server.config.ts', 'package-lock.json'];

/**
 * True when the file that a build writes last is newer than every source that is there.
 * Folders count as well: a deleted source only changes the time of its folder.
 * @param {string} output from the project's folder, as the sources
 * @param {string[]} sources
 */
export function isBuilt(output, sources) {
  const built = changedAt(resolve(ROOT, output));
  return built !== null && sources.every((source) => isOlder(resolve(ROOT, source), built));
}

function isOlder(path, than) {
  if (/\.test\.tsx?$/.test(path)) return true;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return true;
  if (stats.mtimeMs > than) return false;
  return !stats.isDirectory() || readdirSync(path).every((name) => isOlder(join(path, name), than));
}

function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
