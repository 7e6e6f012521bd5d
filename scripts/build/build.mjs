import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isMain } from '../is-main.mjs';

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const VITE = `${ROOT}node_modules/vite/bin/vite.js`;

/**
 * The Node programs of a build with their arguments, in order. The server is built last: its file
 * is as old as the whole build.
 */
export const BUILD = [
  [VITE, 'build'],
  [`${ROOT}scripts/build/compress.mjs`],
  [VITE, 'build', '--config', 'vite.server.config.ts'],
];

if (isMain(import.meta.url)) {
  const succeeds = (step) => spawnSync(process.execPath, step, { stdio: 'inherit' }).status === 0;
  process.exitCode = BUILD.every(succeeds) ? 0 : 1;
}
