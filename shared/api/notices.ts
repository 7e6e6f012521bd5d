import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { instantField } from './fields.ts';

/** The mails that tell a recipient of a capsule: that it waits for them, and that it has opened. */
export const noticeKindSchema = z.enum(['capsule-waiting', 'capsule-opened']);

export const noticeSchema = z.object({
  recipientName: z.string(),
  recipientEmail: z.string(),
  kind: noticeKindSchema,
  /** `refused`: the address does not take mail. `unreachable`: tried for three days in vain. */
  state: z.enum(['queued', 'sent', 'refused', 'unreachable']),
  /** When it was sent; null in every other state. */
  sentAt: z.nullable(instantField),
});
export type Notice = z.infer<typeof noticeSchema>;

export const listNotices = endpoint({
  method: 'GET',
  path: '/api/capsules/:id/notices',
  summary: 'What became of the mails about a capsule you created: the newest for each recipient.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  status: 200,
  response: z.object({ notices: z.array(noticeSchema) }),
  errors: ['CAPSULE_NOT_FOUND'],
});
