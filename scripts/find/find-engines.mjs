import { readdirSync } from 'node:fs';
import { findOrInstall, findProgram } from './find-program.mjs';

/**
 * The path of Firefox, Debian's if need be.
 * @throws Error with one line that says what to do.
 */
export function findFirefox() {
  return findOrInstall(
    () => findProgram(['firefox-esr', 'firefox']),
    ['firefox-esr'],
    'No Firefox was found. Install one (Debian: apt-get install firefox-esr).',
  );
}

/**
 * WebKitGTK: its WebDriver, its small browser, and the X server that shows it to nobody.
 * @throws Error with one line that says what to do.
 */
export function findWebKit() {
  return findOrInstall(
    () => {
      const driver = findProgram(['WebKitWebDriver']);
      const browser = findProgram(miniBrowsers());
      const display = findProgram(['Xvfb']);
      return driver && browser && display ? { driver, browser, display } : null;
    },
    ['webkit2gtk-driver', 'xvfb'],
    'No WebKitGTK was found. Install it (Debian: apt-get install webkit2gtk-driver xvfb).',
  );
}

/**
 * The path of openssl, which makes the certificate for pages over https.
 * @throws Error with one line that says what to do.
 */
export function findOpenssl() {
  return findOrInstall(
    () => findProgram(['openssl']),
    ['openssl'],
    'No openssl was found. Install it (Debian: apt-get install openssl).',
  );
}

/** Debian keeps the browser beside the library, under the name of the machine and of the version. */
function miniBrowsers() {
  const folders = (path, isWanted) => {
    try {
      return readdirSync(path)
        .filter(isWanted)
        .map((name) => `${path}/${name}`);
    } catch {
      return [];
    }
  };
  return folders('/usr/lib', (name) => name.endsWith('-linux-gnu'))
    .flatMap((path) => folders(path, (name) => name.startsWith('webkit2gtk-')))
    .map((path) => `${path}/MiniBrowser`);
}
