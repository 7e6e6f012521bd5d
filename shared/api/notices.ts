import { z } from 'zod/mini';
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
