/** Keys are made by the server; the pattern is what keeps a path from leaving the store's root. */
const KEY_PATTERN = /^[A-Za-z0-9-]+(\/[A-Za-z0-9-]+)*$/;
const KEY_MAX = 200;

/** @throws Error on a key the server cannot have made: letters, digits and `-`, in parts between `/`. */
export function assertKey(key: string): void {
  if (key.length > KEY_MAX || !KEY_PATTERN.test(key)) {
    throw new Error('This is not a key of the file store.');
  }
}
