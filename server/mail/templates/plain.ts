import { placeText } from '../../../shared/capsule-time.ts';
import { dayAt, isTimeZone, timeAt } from '../../../shared/day.ts';

/** Characters that reorder the text around them; a title could use them to fake a sender. */
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;
/** Control characters, line and paragraph separators. */
const BREAKS = /[\p{Cc}\u2028\u2029\s]+/gu;
const LONGEST = 120;

/** What joins the parts of an address of a site or a mailbox. */
const JOINTS = /(?<=\S)[.:/\\@](?=\S)/gu;
/** A word joiner is invisible, and ends what email programs take for an address. */
export const WORD_JOINER = '\u2060';

/**
 * What a person wrote, fit for one line of an email: no breaks, no tricks, not endless, and no
 * address in it becomes a link.
 */
export function oneLine(written: string): string {
  return oneLineUpTo(LONGEST, written);
}

/** The same, of this length. */
export function oneLineUpTo(longest: number, written: string): string {
  const line = written.replace(BIDI_CONTROLS, '').replace(BREAKS, ' ').trim();
  const characters = [...line];
  const short =
    characters.length <= longest ? line : `${characters.slice(0, longest - 1).join('')}…`;
  return short.replace(JOINTS, `$&${WORD_JOINER}`);
}

/** What looks like an address, a link, a header or a number to call, in whatever letters of its kind. */
const LEADS_SOMEWHERE =
  /[@:\u2236\uA789/\\=<>|]|(?<=\S)[.\u3002](?=\S)|\bwww\b|\d(?:[\s().-]*\d){4}/iu;
/** "J. R. R.", also without the spaces. */
const INITIALS = /(?<![\p{L}\p{N}])(?:\p{Lu}\.)+(?=\s|$)/gu;
/** Beside these, a name has nothing that a subject needs. */
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N} .,'’ʼ&·-]+/gu;
const LONGEST_IN_SUBJECT = 40;

/**
 * A person's name for a subject: it stands there with our name on it, so it advertises nothing and
 * pretends nothing. "Someone" where nothing of it is left, or it leads anywhere.
 */
export function nameInSubject(name: string): string {
  const line = oneLine(name).replaceAll(WORD_JOINER, '').normalize('NFKC');
  if (LEADS_SOMEWHERE.test(line.replace(INITIALS, ''))) return SOMEONE;
  const plain = line
    .replace(NOT_IN_NAMES, ' ')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/ +/g, ' ')
    .trim();
  if (!/\p{L}/u.test(plain)) return SOMEONE;
  const characters = [...plain];
  if (characters.length <= LONGEST_IN_SUBJECT) return plain;
  const cut = characters.slice(0, LONGEST_IN_SUBJECT).join('');
  return `${cut.replace(/ \S*$/u, '').replace(/[ .,&-]+$/u, '')}…`;
}

/** In place of what is no name. */
export const SOMEONE = 'Someone';

/** Emails go to readers of any country: the day before the month, and the month as a word. */
function written(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  const { format } = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return format;
}

// Put together here, because versions of Node disagree on the comma between the two.
const weekday = written({ weekday: 'long' });
const date = written({ dateStyle: 'long' });

const startOf = (day: string) => new Date(`${day}T00:00:00Z`);

/** `2030-05-04` as "Saturday, 4 May 2030". */
export function longDay(day: string): string {
  return `${weekday(startOf(day))}, ${date(startOf(day))}`;
}

/** `2030-05-04` as "4 May 2030". */
export function shortDay(day: string): string {
  return date(startOf(day));
}

/** "4 May 2030 at 11:30 (Berlin time)". @param zone the reader's; null where it is not known */
export function moment(at: Date, zone: string | null): string {
  const place = zone && isTimeZone(zone) ? zone : 'UTC';
  const words = place === 'UTC' ? 'UTC' : `(${placeText(place)})`;
  return `${shortDay(dayAt(at, place))} at ${timeAt(at, place)} ${words}`;
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
