import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The project's own folder, wherever the command was typed: the nearest one above this
 * file that has `migrations`. It holds for the sources and for the bundle in `dist/` alike.
 */
export const projectRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

function findRoot(from: string): string {
  if (existsSync(join(from, 'migrations', 'meta', '_journal.json'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('The folder "migrations" is missing beside the server.');
  return findRoot(parent);
}
