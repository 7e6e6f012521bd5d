import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { isMain } from './is-main.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MACOS = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * The path of a Chromium that runs: `CHROMIUM_PATH`, one on the PATH, the one Playwright
 * has downloaded, else Debian's package, installed here when this is root.
 * @returns {string}
 * @throws Error with one line that says what to do.
 */
export function findBrowser(environment = process.env) {
  const { CHROMIUM_PATH } = environment;
  if (CHROMIUM_PATH) {
    if (isExecutable(CHROMIUM_PATH)) return CHROMIUM_PATH;
    throw new Error(`CHROMIUM_PATH names no program that can be run: ${CHROMIUM_PATH}`);
  }
  return installed(environment) ?? installedNow(environment);
}

function installed(environment) {
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = [
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    MACOS,
    chromium.executablePath(),
  ];
  return candidates.find(isExecutable) ?? null;
}

function installedNow(environment) {
  const why =
    'No Chromium was found. Install one (Debian, Ubuntu: apt-get install chromium) or set CHROMIUM_PATH.';
  if (process.getuid?.() !== 0) throw new Error(why);
  try {
    const options = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...environment, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 5 * 60_000,
    };
    console.error('No Chromium was found; installing the package chromium…');
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
      options,
    );
  } catch (error) {
    throw new Error(`${why} (Installing it failed: ${error.message})`);
  }
  const found = installed(environment);
  if (!found) throw new Error(why);
  return found;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (isMain(import.meta.url)) {
  try {
    console.log(findBrowser());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
