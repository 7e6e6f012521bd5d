import { chromium } from 'playwright-core';
import { findOrInstall, findProgram, isExecutable } from './find-program.mjs';
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
  return findOrInstall(
    () => findProgram([...NAMES, MACOS, chromium.executablePath()], environment),
    ['chromium'],
    'No Chromium was found. Install one (Debian, Ubuntu: apt-get install chromium) or set CHROMIUM_PATH.',
    environment,
  );
}

if (isMain(import.meta.url)) {
  try {
    console.log(findBrowser());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
