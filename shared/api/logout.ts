import { endpoint, LOGOUT_PATH } from './endpoint.ts';
import { messageSchema } from './fields.ts';

/* Apart from the other calls of signing in: who is signed in needs none of them. */

export const logout = endpoint({
  method: 'POST',
  path: LOGOUT_PATH,
  summary: 'Ends the session, if there is one.',
  access: 'anyone',
  status: 200,
  response: messageSchema,
});
