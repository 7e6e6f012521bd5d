import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { idField, instantField, searchField } from './fields.ts';

export const personSchema = z.object({
  id: idField,
  userId: idField,
  name: z.string(),
  email: z.string(),
  avatar: z.string(),
  createdAt: instantField,
});
export type Person = z.infer<typeof personSchema>;

export const publicProfileSchema = z.object({
  id: idField,
  name: z.string(),
  email: z.string(),
  bio: z.string(),
  avatar: z.string(),
  createdAt: instantField,
  createdCapsulesCount: z.int().min(0),
  receivedCapsulesCount: z.int().min(0),
});
export type PublicProfile = z.infer<typeof publicProfileSchema>;

export const searchProfile = endpoint({
  method: 'GET',
  path: '/community/search-profile',
  summary: 'Registered people by name or address, from 2 characters on, at most 20.',
  access: 'signed-in',
  query: z.object({ query: searchField.default('') }),
  status: 200,
  response: z.array(personSchema),
});

export const getPublicProfile = endpoint({
  method: 'GET',
  path: '/community/public-profile',
  summary: 'What everybody may see of a person.',
  access: 'anyone',
  query: z.object({ userId: z.string().max(100) }),
  status: 200,
  response: publicProfileSchema,
  errors: ['USER_NOT_FOUND'],
});
