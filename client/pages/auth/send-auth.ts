import { z } from 'zod/mini';
import { login, register, registerSchema } from '../../../shared/api/auth.ts';
import type { CurrentUser } from '../../../shared/api/user.ts';
import { call } from '../../api/client.ts';
import { CallError } from '../../api/errors.ts';
import { checkForm, type FieldErrors, failureText } from '../check-form.ts';

/** Also checks the length of the password, which the server does not for a sign-in. */
const signInForm = z.omit(registerSchema, { name: true });

export interface AuthValues {
  name: string;
  email: string;
  password: string;
}

export type AuthOutcome =
  | { kind: 'registered'; email: string; mustVerify: boolean }
  | { kind: 'signed-in'; user: CurrentUser }
  | { kind: 'unverified'; email: string }
  /** `message` is null if there are only field errors. */
  | { kind: 'refused'; errors: FieldErrors; message: string | null };

/** Checks the registration and sends it. Never throws. */
export async function sendRegistration(values: AuthValues): Promise<AuthOutcome> {
  const checked = checkForm(registerSchema, values);
  if (!checked.ok) return { kind: 'refused', errors: checked.errors, message: null };
  try {
    const { emailVerificationRequired } = await call(register, { body: checked.data });
    const { email } = checked.data;
    return { kind: 'registered', email, mustVerify: emailVerificationRequired };
  } catch (error) {
    return refusal(error, 'Failed to create account');
  }
}

/** Checks the sign-in and sends it. Never throws. */
export async function sendSignIn(values: AuthValues): Promise<AuthOutcome> {
  const checked = checkForm(signInForm, values);
  if (!checked.ok) return { kind: 'refused', errors: checked.errors, message: null };
  try {
    const { user } = await call(login, { body: checked.data });
    return { kind: 'signed-in', user };
  } catch (error) {
    return refusal(error, 'Invalid email or password');
  }
}

function refusal(error: unknown, otherwise: string): AuthOutcome {
  if (!(error instanceof CallError)) return { kind: 'refused', errors: {}, message: otherwise };
  if (error.code === 'EMAIL_NOT_VERIFIED' && error.email) {
    return { kind: 'unverified', email: error.email };
  }
  return { kind: 'refused', errors: error.errors, message: failureText(error, otherwise) };
}
