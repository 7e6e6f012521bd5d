/** A LIKE pattern for `text`, in which `%`, `_` and `\` stand for themselves. */
export function literalPattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** A LIKE pattern for texts that contain `text`. */
export function containsPattern(text: string): string {
  return `%${literalPattern(text)}%`;
}
