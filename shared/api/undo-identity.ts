import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { messageSchema, tokenField } from './fields.ts';

/* Apart from the other calls of identities: the page behind the link needs none of them. */

export const undoIdentity = endpoint({
  method: 'POST',
  path: '/auth/undo-identity',
  summary:
    "Unlinks an identity provider's account that was linked lately, with the link that was emailed about it, and ends every session of the account.",
  access: 'anyone',
  body: z.object({ token: tokenField }),
  status: 200,
  response: messageSchema,
  errors: ['INVALID_ADDRESS_LINK'],
});
