import { z } from 'zod/mini';
import { READY_MAX } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { dayField, idField, instantField, timeZoneField, utcOffsetField } from './fields.ts';

/** What announces a capsule that waits to be opened: enough for a card, and nothing from inside. */
export const readyCapsuleSchema = z.object({
  id: idField,
  title: z.string(),
  /** Null once they have left. Answers that an older version of the app has kept don't say it. */
  senderId: z.optional(z.nullable(idField)),
  senderName: z.string(),
  createdAt: instantField,
  unlockAt: instantField,
  dateToUnlock: dayField,
});
export type ReadyCapsule = z.infer<typeof readyCapsuleSchema>;

export const openedSchema = z.object({
  /** How many there are, also beyond those that are named. */
  total: z.int(),
  /** Last opened first. */
  capsules: z.array(readyCapsuleSchema).check(z.maxLength(READY_MAX)),
});
export type Opened = z.infer<typeof openedSchema>;

export const listOpened = endpoint({
  method: 'GET',
  path: '/api/capsules/opened',
  summary: `Capsules you received that have opened and that you have not looked at yet, put away or not: the last ${READY_MAX} at most.`,
  access: 'signed-in',
  status: 200,
  response: openedSchema,
});

export const markSeen = endpoint({
  method: 'PUT',
  path: '/api/capsules/:id/seen',
  summary:
    'Notes that you have looked at a capsule you received. While it is locked, nothing changes.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  status: 200,
  response: z.object({ seen: z.boolean() }),
  errors: ['CAPSULE_NOT_FOUND'],
});

export const tellRead = endpoint({
  method: 'PUT',
  path: '/api/capsules/:id/read',
  summary:
    'Says whether the creator may know the day on which you have read a capsule you received. Of a locked one, and of your own, nothing changes.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  body: z.object({
    tell: z.boolean({ error: 'Tell must be true or false' }),
    /** The same answer from now on, for every capsule. */
    remember: z._default(z.boolean(), false),
    /** Where you are: the day is one of your calendar. */
    timeZone: z._default(timeZoneField, 'UTC'),
    utcOffset: utcOffsetField(),
  }),
  status: 200,
  /** What the creator sees. */
  response: z.object({ openedOn: z.nullable(dayField) }),
  errors: ['CAPSULE_NOT_FOUND'],
});
