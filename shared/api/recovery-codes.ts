import { z } from 'zod/mini';
import { RECOVERY_CODES } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { instantField, messageSchema, passwordField } from './fields.ts';
import { ownPasswordSchema } from './own-password.ts';

const codesLeftSchema = z.object({
  /** How many have not been used. */
  left: z.int(),
  /** Null while there are none. */
  madeAt: z.nullable(instantField),
});
export type CodesLeft = z.infer<typeof codesLeftSchema>;

export const getRecoveryCodes = endpoint({
  method: 'GET',
  path: '/user/recovery-codes',
  summary: 'How many of your recovery codes are left. The codes themselves are never shown again.',
  access: 'signed-in',
  status: 200,
  response: codesLeftSchema,
});

export const makeRecoveryCodes = endpoint({
  method: 'POST',
  path: '/user/recovery-codes',
  summary: `Makes ${RECOVERY_CODES} recovery codes, with the password. Earlier ones stop working.`,
  access: 'signed-in',
  body: ownPasswordSchema,
  status: 201,
  response: z.object({ codes: z.array(z.string()) }),
});

export const enterRecoveryCodeSchema = z.object({
  code: z
    .string({ error: 'Recovery code is required' })
    .check(
      z.minLength(1, 'Recovery code is required'),
      z.maxLength(100, 'This is longer than a recovery code'),
    ),
  password: passwordField,
});

export const enterRecoveryCode = endpoint({
  method: 'POST',
  path: '/auth/recovery-code',
  summary:
    'Lets a new password that waits for another address take effect at once, with a recovery code and that password. Ends every session of the account.',
  access: 'anyone',
  body: enterRecoveryCodeSchema,
  status: 200,
  response: messageSchema,
  errors: ['INVALID_RECOVERY_CODE'],
});
