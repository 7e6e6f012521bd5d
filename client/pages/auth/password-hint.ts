import { isCommonPassword } from '../../../shared/common-passwords.ts';
import { PASSWORD_STRICT_MIN } from '../../../shared/limits.ts';

/** Warns of a password that is easy to guess, without refusing it. */
export function passwordHint(password: string): string | undefined {
  if (password === '') return undefined;
  if (isCommonPassword(password)) {
    return 'This is one of the passwords people guess first. Three or four unrelated words are far safer.';
  }
  if (password.length < PASSWORD_STRICT_MIN) {
    return `Short passwords are easy to guess. Use ${PASSWORD_STRICT_MIN} characters or more.`;
  }
  return undefined;
}
