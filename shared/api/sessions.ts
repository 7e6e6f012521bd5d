import { z } from 'zod/mini';
import { SESSIONS_SHOWN_MAX } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { dayField, instantField, messageSchema } from './fields.ts';
import { ownPasswordSchema } from './own-password.ts';

const sessionSchema = z.object({
  id: z.string(),
  /** Browser and system in words; empty where it did not say. */
  device: z.string(),
  signedInBy: z.enum(['password', 'passkey', 'provider']),
  signedInAt: instantField,
  /** In UTC. */
  lastUsedOn: dayField,
  /** The session of this call. */
  isThis: z.boolean(),
});
export type ListedSession = z.infer<typeof sessionSchema>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/user/sessions',
  summary: `Where you are signed in, last used first, at most ${SESSIONS_SHOWN_MAX}.`,
  access: 'signed-in',
  status: 200,
  response: z.array(sessionSchema),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/user/sessions/:id',
  summary: 'Ends one session, with the password.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  body: ownPasswordSchema,
  status: 200,
  response: messageSchema,
  errors: ['NOT_FOUND'],
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/user/sessions',
  summary: 'Ends all sessions but that of this call, with the password.',
  access: 'signed-in',
  body: ownPasswordSchema,
  status: 200,
  response: messageSchema,
});
