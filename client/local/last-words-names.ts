/** Apart from the words themselves, for pages that only look whether there are any. */

/** Begins the names in localStorage that go on with a person, a draft and a page; see local/last-words.ts. */
export const LAST_WORDS = 'last-words ';

/** What pages have left behind; of one person, or of all. */
export function namesOfLastWords(owner = ''): string[] {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(LAST_WORDS + owner));
  } catch {
    // A page may be forbidden to use it: nothing was kept there then.
    return [];
  }
}
