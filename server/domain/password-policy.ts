import { isCommonPassword } from '../../shared/common-passwords.ts';
import { PASSWORD_STRICT_MIN } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import type { Config } from '../config.ts';

/**
 * Checks `PASSWORD_POLICY=strict`. By default, the documented minimum is enough. @throws
 * VALIDATION_FAILED
 */
export function checkPasswordPolicy(
  { passwordPolicy }: Pick<Config, 'passwordPolicy'>,
  { password, email }: { password: string; email: string },
): void {
  if (passwordPolicy !== 'strict') return;
  const refusal = refusalOf(password, email);
  if (refusal) {
    throw new AppError('VALIDATION_FAILED', { message: refusal, errors: { password: refusal } });
  }
}

function refusalOf(password: string, email: string): string | null {
  if (password.length < PASSWORD_STRICT_MIN) {
    return `Password must be at least ${PASSWORD_STRICT_MIN} characters`;
  }
  const plain = password.toLowerCase();
  const mailbox = email.split('@')[0] ?? email;
  if (plain === mailbox || plain === email) return 'Password must not be your email address';
  if (isCommonPassword(plain)) return 'This password is too common. Please choose another one';
  return null;
}
