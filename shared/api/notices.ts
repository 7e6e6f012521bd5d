import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { instantField } from './fields.ts';

/** The two emails about a capsule: "is waiting" and "has opened". */
export const noticeKindSchema = z.enum(['capsule-waiting', 'capsule-opened']);

export const noticeSchema = z.object({
  recipientName: z.string(),
  recipientEmail: z.string(),
  kind: noticeKindSchema,
  /**
   * `refused`: the address does not accept email. `unreachable`: retried for three days without
   * success.
   */
  state: z.enum(['queued', 'sent', 'refused', 'unreachable']),
  /** When it was sent; null in every other state. */
  sentAt: z.nullable(instantField),
});
export type Notice = z.infer<typeof noticeSchema>;

export const listNotices = endpoint({
  method: 'GET',
  path: '/api/capsules/:id/notices',
  summary:
    'The newest email to each recipient of a capsule you created, and whether it was delivered.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  status: 200,
  response: z.object({ notices: z.array(noticeSchema) }),
  errors: ['CAPSULE_NOT_FOUND'],
});
