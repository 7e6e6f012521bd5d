import { z } from 'zod/mini';
import { isDay } from '../day.ts';
import { EMAIL_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN, SEARCH_QUERY_MAX } from '../limits.ts';
import { hasInvisible, hidesCharacters, isBlank } from '../visible-text.ts';

/** An id made by the server. */
export const idField = z.uuid();

/** What a link in an email carries. */
export const tokenField = z
  .string({ error: 'The link is not complete' })
  .check(z.minLength(1, 'The link is not complete'), z.maxLength(200));

/**
 * A plain address: text, @, text, dot, text. Spaces, commas, quotes and control characters are
 * refused, so that an address can never be read as two, or as an email header. So are encoded words: some
 * programs would read another address in them.
 */
const EMAIL_PATTERN =
  /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}.]+(\.[^\s@<>()[\]\\,;:"\p{Cc}.]+)+$/u;

/** Begins a word in an email's headers that stands for other characters (RFC 2047). */
const ENCODED_WORD = '=?';

export function isEmail(value: string): boolean {
  return value.length <= EMAIL_MAX && EMAIL_PATTERN.test(value) && !value.includes(ENCODED_WORD);
}

/** Twice what the longest field that is composed may need in the longest way to write it. */
const COMPOSED_MAX = 2_048;

/**
 * In NFC an accent is always the same character. A text that is far too long for any field stays as it
 * is: finding the order of marks that follow each other takes time by the square of their number.
 */
export function composed(text: string): string {
  return text.length > COMPOSED_MAX ? text : text.normalize('NFC');
}

/**
 * Addresses are compared and stored in one spelling: without case, in NFC, in which an accent is always
 * the same character, and with the domain as name servers know it.
 */
export function normalizeEmail(value: string): string {
  const email = composed(value.trim().toLowerCase());
  const at = email.lastIndexOf('@') + 1;
  // Longer ones are refused. The bound comes first, since a long domain is costly to spell.
  if (at === 0 || email.length > EMAIL_MAX) return email;
  return email.slice(0, at) + spellDomain(email.slice(at).replace(/\.$/, ''));
}

const IS_ASCII = /^\p{ASCII}*$/u;
/** What a URL gives a meaning that a domain doesn't have. */
const NOT_IN_DOMAINS = /[\s\p{Cc}@:/\\?#%[\]]/u;

/** `bücher.example` as `xn--bcher-kva.example`, by the URL parser, which Node and browsers share. */
function spellDomain(domain: string): string {
  // An invisible character is left, so that a new address with one can be refused.
  if (IS_ASCII.test(domain) || NOT_IN_DOMAINS.test(domain) || hasInvisible(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}

/**
 * The address of an account. Invisible characters pass: an older account may have one, and any
 * other address with one belongs to nobody. @param texts the error texts of the form:
 * specification §5 words them differently.
 */
export function emailField(
  texts = { missing: 'Email is required', invalid: 'Please enter a valid email' },
) {
  const typed = z.pipe(z.string({ error: texts.missing }), z.transform(normalizeEmail));
  return z.pipe(
    typed,
    z
      .string()
      .check(
        z.minLength(1, { error: texts.missing, abort: true }),
        z.refine(isEmail, texts.invalid),
      ),
  );
}

const HAS_INVISIBLE = 'contains an invisible character. Please type it instead of pasting it.';

/** The address of a new account. */
export function newEmailField() {
  return emailField().check(
    z.refine((email) => !hasInvisible(email), `This address ${HAS_INVISIBLE}`),
  );
}

export const FORGOT_EMAIL_TEXTS = {
  missing: 'Please enter your email address',
  invalid: 'Please enter a valid email address',
};

/** The password of an account that there is. Any one passes: the server decides whether it is right. */
export const passwordField = z
  .string({ error: 'Password is required' })
  .check(
    z.minLength(1, 'Password is required'),
    z.maxLength(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`),
  );

export function newPasswordField(tooShort: string) {
  return z
    .string({ error: 'Password is required' })
    .check(
      z.minLength(1, { error: 'Password is required', abort: true }),
      z.minLength(PASSWORD_MIN, tooShort),
      z.maxLength(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`),
    );
}

/** No control characters, so that a name or a title is one line. */
export const LINE_PATTERN = /^[^\p{Cc}]*$/u;

/** Tabs and their like, which spreadsheets and documents leave in what is pasted, are spaces. */
export function withoutTabs(line: string): string {
  return line.replace(/[\t\v\f\u0085\u2028\u2029]/g, ' ');
}

/** What names are checked for besides their length. @param label the field's name in the form */
export function nameChecks(label: string) {
  return [
    z.regex(LINE_PATTERN, `${label} must be a single line`),
    z.refine<string>((name) => !isBlank(name), `${label} must have at least one visible character`),
    z.refine<string>((name) => !hidesCharacters(name), `${label} ${HAS_INVISIBLE}`),
  ] as const;
}

export const nameField = z
  .string({ error: 'Name is required' })
  .check(
    z.overwrite(withoutTabs),
    z.trim(),
    z.overwrite(composed),
    z.minLength(1, { error: 'Name is required', abort: true }),
    z.maxLength(NAME_MAX, { error: `Name must be at most ${NAME_MAX} characters`, abort: true }),
    ...nameChecks('Name'),
  );

export const dayField = z
  .string({ error: 'Please choose an unlock date' })
  .check(z.refine(isDay, 'This day does not exist. Please write it as YYYY-MM-DD'));

export const UNKNOWN_TIME_ZONE = 'Unknown time zone';

/**
 * An IANA name. A name that this runtime does not know passes: the time zones of browsers are often
 * newer than those of servers, and {@link utcOffsetField} beside it says what it means.
 */
export const timeZoneField = z.string().check(z.maxLength(100, UNKNOWN_TIME_ZONE));

/**
 * Minutes from UTC, for a time zone that the server does not know. What no zone on earth has counts
 * as not given.
 */
export function utcOffsetField(minutes: z.ZodMiniNumber<unknown> = z.number()) {
  return z.catch(z.optional(minutes.check(z.int(), z.gte(-12 * 60), z.lte(14 * 60))), undefined);
}

/** PostgreSQL cannot store the NUL character in text. */
export function withoutNul(value: string): string {
  return value.replaceAll('\0', '');
}

/** Lines end as they are typed, and not as a word processor or an old machine ends them. */
const OTHER_LINE_ENDS = /[\v\f\u0085]/g;
const CONTROLS = /(?![\t\n\r])\p{Cc}/gu;

/**
 * A text of several lines without characters that show nothing: what is pasted may hold some, and each
 * takes six in JSON.
 */
export function withoutControls(text: string): string {
  return text.replace(OTHER_LINE_ENDS, '\n').replace(CONTROLS, '');
}

export const searchField = z
  .string()
  .check(
    z.overwrite(withoutTabs),
    z.trim(),
    z.maxLength(SEARCH_QUERY_MAX, 'This search is too long'),
    z.overwrite(withoutNul),
  );

/** Names are stored in NFC. */
export const peopleSearchField = searchField.check(z.overwrite(composed));

/** An ISO 8601 instant in UTC. */
export const instantField = z.iso.datetime();

export const messageSchema = z.object({ message: z.string() });
