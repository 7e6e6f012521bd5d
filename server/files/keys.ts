/** No dots and no leading slash, so that a key can never be a path outside the store. */
const KEY_PATTERN = /^[A-Za-z0-9-]+(\/[A-Za-z0-9-]+)*$/;
const KEY_MAX = 200;
/** @throws Error on a key the server cannot have made: letters, digits and `-`, in parts between `/`. */
export function assertKey(key: string): void {
  if (key.length > KEY_MAX || !KEY_PATTERN.test(key)) {
    throw new Error('This is not a key of the file store.');
  }
}
