/** At most so many characters, cut between words where there are some. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most + 1).replace(/\s+\S*$/, '');
  return `${cut.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
