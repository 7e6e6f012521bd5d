import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { messageSchema, tokenField } from './fields.ts';

/* Apart from the other calls of passkeys: the page behind the link needs none of them. */

export const undoPasskey = endpoint({
  method: 'POST',
  path: '/auth/undo-passkey',
  summary:
    'Removes a passkey that was added lately, with the link that was emailed about it, and ends every session of the account.',
  access: 'anyone',
  body: z.object({ token: tokenField }),
  status: 200,
  response: messageSchema,
  errors: ['INVALID_ADDRESS_LINK'],
});
