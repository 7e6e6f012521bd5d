import type { z } from 'zod/mini';
import { isCommonPassword } from '../../shared/common-passwords.ts';
import { PASSWORD_STRICT_MIN } from '../../shared/limits.ts';
import { isConnectionError, messageFrom } from '../api/errors.ts';

export type FieldErrors = Record<string, string>;

export type Checked<Data> = { ok: true; data: Data } | { ok: false; errors: FieldErrors };

/** Validates a form with the server's schema. Returns the first error of each field. */
export function checkForm<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
): Checked<z.output<Schema>> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { ok: true, data: parsed.data };
  const errors: FieldErrors = {};
  for (const { path, message } of parsed.error.issues) {
    const field = String(path[0] ?? '');
    errors[field] ??= message;
  }
  return { ok: false, errors };
}

/**
 * The server's sentence, else `otherwise`. A connection that failed says so:
 * nobody should take a right password or a good link for a wrong one.
 */
export function failureText(error: unknown, otherwise: string): string {
  return isConnectionError(error) ? 'Network Error' : messageFrom(error, otherwise);
}

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
