import { isCommonPassword } from '../../../shared/common-passwords.ts';
import { PASSWORD_STRICT_MIN } from '../../../shared/limits.ts';
import { AppError, fieldError } from '../../app-error.ts';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';

/** So many of the most common passwords are refused even with digits and signs around them. */
const WORDS_MAX = 3_000;
/** A password of fewer different characters is one that is typed by holding down a key or two. */
const DIFFERENT_MIN = 4;
const TOO_COMMON = 'This password is too common. Please choose another one';

/** Called by every way to sign in with a password, or to set one. @throws PASSWORDS_OFF */
export function checkPasswordsOn({
  config: { passwordSignIn, identityProvider },
}: Pick<Deps, 'config'>): void {
  if (passwordSignIn) return;
  const name = identityProvider?.name;
  const message = `Passwords are turned off here. Please continue with ${name}, or use a passkey.`;
  throw new AppError('PASSWORDS_OFF', name ? { message } : {});
}

/**
 * Checks `PASSWORD_POLICY=strict`. By default, the documented minimum is enough. @throws
 * VALIDATION_FAILED
 */
export async function checkPasswordPolicy(
  { passwordPolicy, siteName }: Pick<Config, 'passwordPolicy' | 'siteName'>,
  { password, email }: { password: string; email: string },
): Promise<void> {
  if (passwordPolicy !== 'strict') return;
  const refusal = await refusalOf(password, { email, siteName });
  if (refusal) throw fieldError('password', refusal);
}

async function refusalOf(
  password: string,
  { email, siteName }: { email: string; siteName: string },
): Promise<string | null> {
  if (password.length < PASSWORD_STRICT_MIN) {
    return `Password must be at least ${PASSWORD_STRICT_MIN} characters`;
  }
  const plain = plainOf(password);
  const word = wordOf(plain);
  const mailbox = plainOf(email.split('@')[0] ?? email);
  if ([plain, word].includes(mailbox) || plain === plainOf(email)) {
    return 'Password must not be your email address';
  }
  // The same few characters, a group of four again and again, or one after the other in the alphabet.
  const characters = [...plain];
  if (new Set(characters).size < DIFFERENT_MIN || /^(.{4})\1+$/su.test(plain)) return TOO_COMMON;
  if (isRun(characters, 1) || isRun(characters, -1)) return TOO_COMMON;
  if (word === plainOf(siteName) || isCommonPassword(plain) || isCommonPassword(word)) {
    return TOO_COMMON;
  }
  const { leaked, words } = await loadWords();
  return leaked.has(plain) || words.has(word) ? TOO_COMMON : null;
}

function isRun(characters: string[], step: number): boolean {
  const codes = characters.map((one) => one.codePointAt(0) ?? 0);
  return codes.every((code, at) => at === 0 || code === (codes[at - 1] ?? 0) + step);
}

/** Without case, spaces and the marks between words. */
function plainOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s._-]+/gu, '');
}

/** Without the digits and signs around it. */
function wordOf(plain: string): string {
  return plain.replace(/^[^\p{L}]+/u, '').replace(/(?<=\p{L})[^\p{L}]+$/u, '');
}

let loading: Promise<{ leaked: Set<string>; words: Set<string> }> | undefined;

/** Half a megabyte of text, loaded only on sites that check passwords against it. */
function loadWords() {
  loading ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const leaked = dictionary['passwords-common'];
    return { leaked: new Set(leaked), words: new Set(leaked.slice(0, WORDS_MAX)) };
  });
  return loading;
}
