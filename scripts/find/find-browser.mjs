import { chromium } from 'playwright-core';
import { isMain } from '../is-main.mjs';
import { findOrInstall, findProgram, isExecutable, NotAvailable } from './find-program.mjs';

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

/**
 * The path of Chromium's headless shell: the same engine without windows, PDF viewer and Background
 * Sync, for two thirds of the processor time. Where it cannot be had, the whole browser's.
 * @returns {string}
 * @throws Error with one line that says what to do.
 */
export function findHeadlessShell(environment = process.env) {
  if (environment.CHROMIUM_PATH) return findBrowser(environment);
  try {
    return findOrInstall(
      () => findProgram(['chromium-headless-shell'], environment),
      ['chromium-headless-shell'],
      'No headless shell was found.',
      environment,
    );
  } catch (error) {
    if (!(error instanceof NotAvailable)) throw error;
    return findBrowser(environment);
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
