/**
 * The path of a Chromium that runs; installs Debian's package when there is none and this is root.
 * @throws Error with one line that says what to do.
 */
export function findBrowser(environment?: Record<string, string | undefined>): string;

/**
 * The path of Chromium's headless shell, likewise; where there is none, the whole browser's.
 * @throws Error with one line that says what to do.
 */
export function findHeadlessShell(environment?: Record<string, string | undefined>): string;
