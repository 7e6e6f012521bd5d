import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { idField, instantField, peopleSearchField } from './fields.ts';

export const personSchema = z.object({
  id: idField,
  userId: idField,
  name: z.string(),
  email: z.string(),
  avatar: z.string(),
  createdAt: z.nullish(instantField),
});
export type Person = z.infer<typeof personSchema>;

const count = z.int().check(z.gte(0));

export const publicProfileSchema = z.object({
  id: idField,
  name: z.string(),
  email: z.string(),
  bio: z.string(),
  avatar: z.string(),
  createdAt: z.nullish(instantField),
  createdCapsulesCount: count,
  receivedCapsulesCount: count,
});
export type PublicProfile = z.infer<typeof publicProfileSchema>;

export const searchProfile = endpoint({
  method: 'GET',
  path: '/community/search-profile',
  summary: 'Registered people by name or address, from 2 characters on, at most 20.',
  access: 'signed-in',
  query: z.object({ query: z._default(peopleSearchField, '') }),
  status: 200,
  response: z.array(personSchema),
});

export const getPublicProfile = endpoint({
  method: 'GET',
  path: '/community/public-profile',
  summary: 'The public profile of a person.',
  access: 'anyone',
  query: z.object({ userId: z.string().check(z.maxLength(100)) }),
  status: 200,
  response: z.nullable(publicProfileSchema),
  errors: ['USER_NOT_FOUND'],
});
