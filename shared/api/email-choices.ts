import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { tokenField } from './fields.ts';

/** The kinds of email that a link in them turns off. */
const turnOffKindSchema = z.enum([
  'capsule-waiting',
  'capsule-opened',
  'capsule-reminder',
  'address-check',
]);
export type TurnOffKind = z.infer<typeof turnOffKindSchema>;

/** Which emails a person wants. Links and resets come in any case. */
const emailChoicesSchema = z.object({
  /** "A capsule is waiting for you." */
  waiting: z.boolean(),
  /** "It has opened." */
  opened: z.boolean(),
  /** Once, a month after a capsule opened that they have not looked at. Left as it is by callers that don't know it. */
  reminder: z.optional(z.boolean()),
  /** Once a year, how many capsules wait, and whether the address is still theirs. */
  addressCheck: z.optional(z.boolean()),
  /** Whether creators learn that this person has read a capsule. No email: they see it themselves. */
  read: z.optional(z.enum(['ask', 'always', 'never'])),
});
export type EmailChoices = z.infer<typeof emailChoicesSchema>;

export const getNoticeChoices = endpoint({
  method: 'GET',
  path: '/user/notices',
  summary: 'Which emails you want.',
  access: 'signed-in',
  status: 200,
  response: emailChoicesSchema,
});

export const setNoticeChoices = endpoint({
  method: 'PUT',
  path: '/user/notices',
  summary: 'Turns kinds of email on or off.',
  access: 'signed-in',
  body: emailChoicesSchema,
  status: 200,
  response: emailChoicesSchema,
});

/** Where the links in emails lead, as a page and, for mail programs, as a call (RFC 8058). */
export const TURN_OFF_PATH = '/notices/off';

export const turnNoticeOff = endpoint({
  method: 'POST',
  path: TURN_OFF_PATH,
  summary:
    'Turns off one kind of email, as mail programs do by themselves (RFC 8058). Needs no XSRF token.',
  access: 'anyone',
  query: z.object({ token: z.string() }),
  status: 200,
  response: z.object({ kind: turnOffKindSchema }),
  errors: ['INVALID_NOTICE_LINK'],
});

export const turnNoticeOffHere = endpoint({
  method: 'POST',
  path: '/auth/notices-off',
  summary: 'Turns off one kind of email, by the link in one of them. For the page it leads to.',
  access: 'anyone',
  body: z.object({ token: tokenField }),
  status: 200,
  response: z.object({ kind: turnOffKindSchema }),
  errors: ['INVALID_NOTICE_LINK'],
});
