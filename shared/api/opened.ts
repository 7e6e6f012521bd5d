import { z } from 'zod/mini';
import { NEWLY_OPENED_DAYS, NEWLY_OPENED_MAX } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { idField, instantField } from './fields.ts';

export const openedSchema = z.object({
  /** The server's time of this answer. Pass it as `since` the next time. */
  asOf: instantField,
  /** Last opened first. */
  ids: z.array(idField).check(z.maxLength(NEWLY_OPENED_MAX)),
});
export type Opened = z.infer<typeof openedSchema>;

export const listOpened = endpoint({
  method: 'GET',
  path: '/api/capsules/opened',
  summary: `Ids of the capsules you created or received that have opened since an instant, within the last ${NEWLY_OPENED_DAYS} days: the last ${NEWLY_OPENED_MAX} at most. Without an instant, none and the server's time.`,
  access: 'signed-in',
  query: z.object({
    since: z.optional(z.iso.datetime('Since must be an instant in UTC, as 2030-01-01T00:00:00Z')),
  }),
  status: 200,
  response: openedSchema,
});
