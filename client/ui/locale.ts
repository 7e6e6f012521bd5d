/**
 * How dates are written: in English, as the interface is, and as the reader writes them. Whoever
 * reads another language first gets the day before the month, as nearly everywhere.
 */
export function localeFor([first]: readonly string[]): string {
  return first !== undefined && /^en\b/i.test(first) ? first : 'en-GB';
}

// Unit tests run where there may be no navigator.
const reader = globalThis as { navigator?: { languages?: readonly string[] } };

export const LOCALE = localeFor(reader.navigator?.languages ?? []);
