/** Characters that reorder the text around them; a title could use them to fake a sender. */
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;
/** Control characters, line and paragraph separators. */
const BREAKS = /[\p{Cc}\u2028\u2029\s]+/gu;
const LONGEST = 120;

/** What joins the parts of an address of a site or a mailbox. */
const JOINTS = /(?<=\S)[.:/\\@](?=\S)/gu;
/** A word joiner is invisible, and ends what email programs take for an address. */
const WORD_JOINER = '\u2060';

/**
 * What a person wrote, fit for one line of an email: no breaks, no tricks, not endless, and no
 * address in it becomes a link.
 */
export function oneLine(written: string): string {
  const line = written.replace(BIDI_CONTROLS, '').replace(BREAKS, ' ').trim();
  const characters = [...line];
  const short =
    characters.length <= LONGEST ? line : `${characters.slice(0, LONGEST - 1).join('')}…`;
  return short.replace(JOINTS, `$&${WORD_JOINER}`);
}

/** Emails go to readers of any country: the day before the month, and the month as a word. */
function written(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  const { format } = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return format;
}

// Put together here, because versions of Node disagree on the comma between the two.
const weekday = written({ weekday: 'long' });
const date = written({ dateStyle: 'long' });
const time = written({ timeStyle: 'short' });

const startOf = (day: string) => new Date(`${day}T00:00:00Z`);

/** `2030-05-04` as "Saturday, 4 May 2030". */
export function longDay(day: string): string {
  return `${weekday(startOf(day))}, ${date(startOf(day))}`;
}

/** `2030-05-04` as "4 May 2030". */
export function shortDay(day: string): string {
  return date(startOf(day));
}

/** "4 May 2030 at 09:30 UTC" */
export function moment(at: Date): string {
  return `${date(at)} at ${time(at)} UTC`;
}

/** "Ada, Grace and 3 others". */
export function namesText(names: string[]): string {
  const shown = names.slice(0, names.length <= 3 ? 3 : 2).map(oneLine);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} others`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/**
 * "Hello Ada", or just "Hello" when the name holds an address. Anyone can register a stranger's
 * mailbox under a name such as `Win at evil.example`, and must not get us to deliver it.
 */
export function greet(word: string, name: string): string {
  const line = oneLine(name);
  return line.includes(WORD_JOINER) ? word : `${word} ${line}`;
}
