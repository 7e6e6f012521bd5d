import { z } from 'zod/mini';
import { endpoint, LOGIN_PATH } from './endpoint.ts';
import {
  emailField,
  FORGOT_EMAIL_TEXTS,
  instantField,
  messageSchema,
  nameField,
  newEmailField,
  newPasswordField,
  passwordField,
  tokenField,
} from './fields.ts';
import { currentUserSchema } from './user.ts';

export const registerSchema = z.object({
  name: nameField,
  email: newEmailField(),
  password: newPasswordField('Password must be at least 5 characters'),
  /** The token of an invitation link: makes the account of the invited address. */
  invitation: z.optional(z.string().check(z.maxLength(200))),
});

export const loginSchema = z.object({
  email: emailField(),
  password: passwordField,
  /** In place of the passkey that an account asks for on a new device (PASSKEY_REQUIRED). */
  recoveryCode: z.optional(z.string().check(z.maxLength(200))),
});

export const forgotPasswordSchema = z.object({ email: emailField(FORGOT_EMAIL_TEXTS) });

export const resetPasswordSchema = z.object({
  password: newPasswordField('Password must be at least 5 characters long'),
});

export const register = endpoint({
  method: 'POST',
  path: '/auth/register',
  summary: 'Creates an account. Does not sign in.',
  access: 'anyone',
  body: registerSchema,
  status: 201,
  response: z.extend(messageSchema, { emailVerificationRequired: z.boolean() }),
  errors: ['EMAIL_TAKEN', 'INVALID_INVITATION', 'REGISTRATION_CLOSED'],
});

export const login = endpoint({
  method: 'POST',
  path: LOGIN_PATH,
  summary: 'Signs in: sets the session cookie and a fresh XSRF-TOKEN cookie.',
  access: 'anyone',
  body: loginSchema,
  status: 200,
  response: z.extend(messageSchema, { user: currentUserSchema }),
  errors: [
    'INVALID_CREDENTIALS',
    'EMAIL_NOT_VERIFIED',
    'ACCOUNT_SUSPENDED',
    'PASSKEY_REQUIRED',
    'INVALID_RECOVERY_CODE',
  ],
});

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/auth/forgot-password',
  summary: 'Emails a reset link. The answer is the same whether the address is registered or not.',
  access: 'anyone',
  body: forgotPasswordSchema,
  status: 200,
  response: messageSchema,
});

export const validateToken = endpoint({
  method: 'GET',
  path: '/auth/validate-token',
  summary: 'Checks whether a reset link can still be used, without using it.',
  access: 'anyone',
  query: z.object({ token: tokenField }),
  status: 200,
  response: z.object({ valid: z.literal(true) }),
  errors: ['INVALID_RESET_TOKEN'],
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/reset-password',
  summary: 'Sets a new password with a reset link, once, and ends every session of the account.',
  access: 'anyone',
  query: z.object({ token: tokenField }),
  body: resetPasswordSchema,
  status: 200,
  response: z.extend(messageSchema, {
    /** Where the password has to wait: from when it counts if nobody objects. */
    countsFrom: z.optional(instantField),
    /** It waits because the account asks for a passkey on new devices. A recovery code ends the wait. */
    lacksPasskey: z.optional(z.boolean()),
  }),
  errors: ['INVALID_RESET_TOKEN'],
});

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/auth/verify-email',
  summary: 'Confirms an address with the link that was emailed to it.',
  access: 'anyone',
  body: z.object({ token: tokenField }),
  status: 200,
  response: messageSchema,
  errors: ['INVALID_VERIFICATION_TOKEN'],
});

export const resendVerification = endpoint({
  method: 'POST',
  path: '/auth/resend-verification',
  summary: 'Emails the verification link again. The answer is the same for every address.',
  access: 'anyone',
  body: z.object({ email: emailField() }),
  status: 200,
  response: messageSchema,
});
