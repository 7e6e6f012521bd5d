import { vi } from 'vitest';

/**
 * Makes this process, and so the server in it, older than a time zone: no formatter can be made for
 * its name. @returns how it learns the name
 */
export function forgetZone(name: string): () => void {
  const { DateTimeFormat } = Intl;
  const spy = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function make(...given) {
    if (given[1]?.timeZone === name) throw new RangeError(`Invalid time zone specified: ${name}`);
    return new DateTimeFormat(...given);
  });
  return () => spy.mockRestore();
}
