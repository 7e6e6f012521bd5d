import { z } from 'zod/mini';
import { tokenField } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { instantField } from './fields.ts';

/** The kinds of which a creator sees what became: "is waiting" and "has opened". */
export const noticeKindSchema = z.enum(['capsule-waiting', 'capsule-opened']);

export const noticeSchema = z.object({
  id: z.string(),
  recipientName: z.string(),
  recipientEmail: z.string(),
  kind: noticeKindSchema,
  /**
   * `sent`: handed to the provider, of which not every one tells more. `bounced`: the address does
   * not accept email. `complained`: the recipient marked it as spam. `failed`: retried for thirty
   * days without success, or given up by the provider. `unknown`: the provider's answer was lost, and
   * that of a repeat too.
   */
  state: z.enum(['queued', 'sent', 'delivered', 'bounced', 'complained', 'failed', 'unknown']),
  /** Since when; null where that is not known. */
  at: z.nullable(instantField),
  /** When it was sent last; null where it never was. */
  sentAt: z.nullable(instantField),
  /** From when on it can be sent again; null where it cannot. */
  againAt: z.nullable(instantField),
});
export type Notice = z.infer<typeof noticeSchema>;

/** The email with which a creator has invited a recipient, who has no account yet. */
const sentInvitationSchema = z.pick(noticeSchema, {
  recipientName: true,
  recipientEmail: true,
  state: true,
  at: true,
});
export type SentInvitation = z.infer<typeof sentInvitationSchema>;

/** The kinds of email that a link in them turns off. */
const turnOffKindSchema = z.enum([
  'capsule-waiting',
  'capsule-opened',
  'capsule-reminder',
  'keepsake',
  'still-sealed',
  'address-check',
]);
export type TurnOffKind = z.infer<typeof turnOffKindSchema>;

/** Which notices a person wants by email. Links and resets come in any case. */
const noticeChoicesSchema = z.object({
  /** "A capsule is waiting for you." */
  waiting: z.boolean(),
  /** "It has opened." */
  opened: z.boolean(),
  /** Once a year, a link to their export. Left as it is by callers that don't know it. */
  keepsake: z.optional(z.boolean()),
  /** Once, a month after a capsule opened that they have not looked at. */
  reminder: z.optional(z.boolean()),
  /** Once a year, what they have sealed and is still closed. */
  stillSealed: z.optional(z.boolean()),
  /** Once a year, whether the address is still theirs. */
  addressCheck: z.optional(z.boolean()),
  /** Whether creators learn that this person has read a capsule. No email: they see it themselves. */
  read: z.optional(z.enum(['ask', 'always', 'never'])),
});
export type NoticeChoices = z.infer<typeof noticeChoicesSchema>;

export const getNoticeChoices = endpoint({
  method: 'GET',
  path: '/user/notices',
  summary: 'Which emails you want.',
  access: 'signed-in',
  status: 200,
  response: noticeChoicesSchema,
});

export const setNoticeChoices = endpoint({
  method: 'PUT',
  path: '/user/notices',
  summary: 'Turns kinds of email on or off.',
  access: 'signed-in',
  body: noticeChoicesSchema,
  status: 200,
  response: noticeChoicesSchema,
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

const noticesSchema = z.object({
  notices: z.array(noticeSchema),
  /**
   * Of those recipients whom you have invited yourself and who have no account yet. Not among the
   * notices, whose kinds apps of the version before know. They never go a second time.
   */
  invitations: z.optional(z.array(sentInvitationSchema)),
});
/** What a creator reads of the emails to the recipients of a capsule. */
export type SentNotices = z.infer<typeof noticesSchema>;

export const listNotices = endpoint({
  method: 'GET',
  path: '/api/capsules/:id/notices',
  summary:
    'The emails to each recipient of a capsule you created, your invitations of those without an account, and whether they were delivered.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  status: 200,
  response: noticesSchema,
  errors: ['CAPSULE_NOT_FOUND'],
});

export const sendNoticeAgain = endpoint({
  method: 'POST',
  path: '/api/capsules/:id/notices/:noticeId/again',
  summary:
    'Sends an email about a capsule you created again, at most once a day and three times in all; to an invited person only if it could not be delivered.',
  access: 'signed-in',
  params: z.object({ id: z.string(), noticeId: z.string() }),
  status: 200,
  response: noticesSchema,
  errors: ['CAPSULE_NOT_FOUND', 'NOTICE_NOT_FOUND', 'NOTICE_NOT_REPEATABLE'],
});
