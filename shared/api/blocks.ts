import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { idField, instantField } from './fields.ts';

const blockedSchema = z.object({
  people: z.array(
    z.object({
      id: idField,
      name: z.string(),
      email: z.string(),
      avatar: z.string(),
      blockedAt: instantField,
    }),
  ),
});
export type Blocked = z.infer<typeof blockedSchema>;
export type BlockedPerson = Blocked['people'][number];

const params = z.object({ userId: z.string() });

export const listBlocked = endpoint({
  method: 'GET',
  path: '/user/blocked',
  summary: 'Whom you have blocked, the last one first. Nobody else sees that.',
  access: 'signed-in',
  status: 200,
  response: blockedSchema,
});

export const block = endpoint({
  method: 'PUT',
  path: '/user/blocked/:userId',
  summary:
    'Blocks a person: what they seal for you from now on does not exist for you, and nothing tells you of it. They see no difference.',
  access: 'signed-in',
  params,
  body: z.optional(
    z.object({
      /** Also puts away what you have received from them. */
      putAway: z._default(z.boolean({ error: 'Put away must be true or false' }), false),
    }),
  ),
  status: 200,
  response: z.object({ blocked: z.boolean() }),
  errors: ['USER_NOT_FOUND', 'BLOCK_REFUSED'],
});

export const unblock = endpoint({
  method: 'DELETE',
  path: '/user/blocked/:userId',
  summary: 'Unblocks a person. What they have sealed for you meanwhile is there from now on.',
  access: 'signed-in',
  params,
  status: 200,
  response: z.object({ blocked: z.boolean() }),
});
