import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { messageSchema } from './fields.ts';
import { ownPasswordField } from './own-password.ts';

/* Apart from the other calls of a person, which every page loads. */

export const deleteAccountSchema = z.object({
  password: ownPasswordField,
  /** Whether capsules sealed for others are still delivered. */
  capsules: z.enum(['deliver', 'destroy'], {
    error: 'Please choose what happens to your capsules',
  }),
});

export const deleteAccount = endpoint({
  method: 'POST',
  path: '/user/delete-account',
  summary: 'Deletes your account. Capsules for others are delivered or destroyed, as you choose.',
  access: 'signed-in',
  body: deleteAccountSchema,
  status: 200,
  response: messageSchema,
});
