import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { instantField } from './fields.ts';

/** The two emails about a capsule: "is waiting" and "has opened". */
export const noticeKindSchema = z.enum(['capsule-waiting', 'capsule-opened']);

export const noticeSchema = z.object({
  id: z.string(),
  recipientName: z.string(),
  recipientEmail: z.string(),
  kind: noticeKindSchema,
  /**
   * `sent`: handed to the provider, of which not every one tells more. `bounced`: the address does
   * not accept email. `complained`: the recipient marked it as spam. `failed`: retried for thirty
   * days without success, or given up by the provider.
   */
  state: z.enum(['queued', 'sent', 'delivered', 'bounced', 'complained', 'failed']),
  /** Since when; null where that is not known. */
  at: z.nullable(instantField),
  /** When it was sent; null before, and where it never was. */
  sentAt: z.nullable(instantField),
  /** From when on it can be sent again; null where it cannot. */
  againAt: z.nullable(instantField),
});
export type Notice = z.infer<typeof noticeSchema>;

const noticesSchema = z.object({ notices: z.array(noticeSchema) });

export const listNotices = endpoint({
  method: 'GET',
  path: '/api/capsules/:id/notices',
  summary:
    'The newest email to each recipient of a capsule you created, and whether it was delivered.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  status: 200,
  response: noticesSchema,
  errors: ['CAPSULE_NOT_FOUND'],
});

export const sendNoticeAgain = endpoint({
  method: 'POST',
  path: '/api/capsules/:id/notices/:noticeId/again',
  summary: 'Sends an email about a capsule you created again, at most once a day.',
  access: 'signed-in',
  params: z.object({ id: z.string(), noticeId: z.string() }),
  status: 200,
  response: noticesSchema,
  errors: ['CAPSULE_NOT_FOUND', 'NOTICE_NOT_FOUND', 'NOTICE_NOT_REPEATABLE'],
});
