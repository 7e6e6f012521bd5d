/**
 * The path of a Chromium that runs; installs Debian's package when there is none and this is root.
 * @throws Error with one line that says what to do.
 */
export function findBrowser(environment?: Record<string, string | undefined>): string;
