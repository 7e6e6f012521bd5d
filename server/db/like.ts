/** A LIKE pattern for texts that contain `text`; `%`, `_` and `\` in it stand for themselves. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
