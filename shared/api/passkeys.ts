import { z } from 'zod/mini';
import { PASSKEYS_MAX, UNDO_DAYS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { dayField, idField, instantField, messageSchema } from './fields.ts';
import {
  assertionSchema,
  bytesField,
  credentialIdField,
  ownPasswordSchema,
} from './own-password.ts';
import { currentUserSchema } from './user.ts';

const descriptorsSchema = z.array(
  z.object({
    id: z.string(),
    type: z.literal('public-key'),
    transports: z.optional(z.array(z.string())),
  }),
);

export const passkeyOptions = endpoint({
  method: 'POST',
  path: '/auth/passkey/options',
  summary:
    'What a browser needs to ask for a passkey: to sign in, or in place of your password while you are signed in. The challenge works once, for five minutes, in this browser.',
  access: 'anyone',
  status: 200,
  response: z.object({
    challenge: z.string(),
    timeout: z.number(),
    rpId: z.string(),
    allowCredentials: descriptorsSchema,
    userVerification: z.literal('required'),
  }),
});

export const signInByPasskey = endpoint({
  method: 'POST',
  path: '/auth/passkey',
  summary: 'Signs in with a passkey, which names the account itself.',
  access: 'anyone',
  body: assertionSchema,
  status: 200,
  response: z.extend(messageSchema, { user: currentUserSchema }),
  errors: ['INVALID_PASSKEY', 'EMAIL_NOT_VERIFIED', 'ACCOUNT_SUSPENDED'],
});

const passkeySchema = z.object({
  id: idField,
  /** Browser and system with which it was added, in words. */
  name: z.string(),
  /** Whether other devices of its owner have it as well. */
  isBackedUp: z.boolean(),
  addedAt: instantField,
  /** In UTC; null for never. */
  lastUsedOn: z.nullable(dayField),
});
export type Passkey = z.infer<typeof passkeySchema>;

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/user/passkeys',
  summary: 'Your passkeys, in the order in which you added them.',
  access: 'signed-in',
  status: 200,
  response: z.array(passkeySchema),
});

export const newPasskeyOptions = endpoint({
  method: 'POST',
  path: '/user/passkeys/options',
  summary: `What a browser needs to make a passkey, with the password or another passkey. At most ${PASSKEYS_MAX} are yours at a time.`,
  access: 'signed-in',
  body: ownPasswordSchema,
  status: 200,
  response: z.object({
    rp: z.object({ name: z.string(), id: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
    timeout: z.number(),
    excludeCredentials: descriptorsSchema,
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  }),
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/user/passkeys',
  summary: `Adds the passkey that a browser has made. Every address of yours is told, and can undo it for ${UNDO_DAYS} days.`,
  access: 'signed-in',
  body: z.object({
    id: credentialIdField,
    rawId: credentialIdField,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: bytesField(4_000),
      attestationObject: bytesField(8_000),
      transports: z.optional(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(10))),
    }),
  }),
  status: 201,
  response: passkeySchema,
  errors: ['INVALID_PASSKEY'],
});

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/user/passkeys/:id',
  summary: 'Removes a passkey, with the password or a passkey.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  body: ownPasswordSchema,
  status: 200,
  response: messageSchema,
  errors: ['NOT_FOUND'],
});
