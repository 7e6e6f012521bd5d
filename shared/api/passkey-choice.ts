import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { messageSchema } from './fields.ts';
import { ownPasswordSchema } from './own-password.ts';

const passkeyChoiceSchema = z.object({
  /** Whether the password alone signs nobody in on a new device. */
  asksOnNewDevices: z.boolean(),
});
export type PasskeyChoice = z.infer<typeof passkeyChoiceSchema>;

export const getPasskeyChoice = endpoint({
  method: 'GET',
  path: '/user/passkey-choice',
  summary: 'Whether your account asks for a passkey on new devices.',
  access: 'signed-in',
  status: 200,
  response: passkeyChoiceSchema,
});

export const choosePasskey = endpoint({
  method: 'PUT',
  path: '/user/passkey-choice',
  summary:
    'Asks for a passkey on new devices, or no longer, with the password or a passkey. It takes a passkey and a confirmed main address, and ends with the last passkey. Every address of yours is told.',
  access: 'signed-in',
  body: z.extend(ownPasswordSchema, passkeyChoiceSchema.shape),
  status: 200,
  response: messageSchema,
});
