import { z } from 'zod/mini';
import { REPORT_TEXT_MAX } from '../limits.ts';
import { REPORT_REASONS } from '../report-reasons.ts';
import { endpoint } from './endpoint.ts';
import { idField, messageSchema, withoutControls } from './fields.ts';

const ONE_THING = 'Please say what you want to report';

export const reportSchema = z
  .object({
    capsuleId: z.optional(idField),
    userId: z.optional(idField),
    /** What somebody has added to a capsule that you can read. */
    contributionId: z.optional(idField),
    reason: z.enum(REPORT_REASONS, { error: 'Please choose a reason' }),
    /** What the operator should know, in the reporter's words. */
    text: z._default(
      z
        .string({ error: 'Please write text' })
        .check(
          z.trim(),
          z.maxLength(REPORT_TEXT_MAX, `Please use at most ${REPORT_TEXT_MAX} characters`),
          z.overwrite(withoutControls),
        ),
      '',
    ),
  })
  .check(
    z.refine(
      ({ capsuleId, userId, contributionId }) =>
        [capsuleId, userId, contributionId].filter((id) => id !== undefined).length === 1,
      { error: ONE_THING, path: ['capsuleId'] },
    ),
  );

export const report = endpoint({
  method: 'POST',
  path: '/api/reports',
  summary:
    'Reports a capsule that you can see, what somebody has added to one that you can read, or a person, to whoever runs the site. What you report again is added to your report, until that is answered.',
  access: 'signed-in',
  body: reportSchema,
  status: 202,
  response: messageSchema,
  errors: ['CAPSULE_NOT_FOUND', 'USER_NOT_FOUND', 'CONTRIBUTION_NOT_FOUND'],
});
