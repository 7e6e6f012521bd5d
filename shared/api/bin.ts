import { z } from 'zod/mini';
import { BIN_DAYS, BIN_SHOWN_MAX } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { dayField, idField, instantField, messageSchema, tokenField } from './fields.ts';

const binnedCapsuleSchema = z.object({
  id: idField,
  title: z.string(),
  dateToUnlock: dayField,
  timeZone: z.string(),
  /** Who it was for. */
  recipients: z.array(z.object({ name: z.string(), isOwner: z.boolean() })),
  deletedAt: instantField,
  /** Until then it can be brought back. */
  goneAt: instantField,
});
export type BinnedCapsule = z.infer<typeof binnedCapsuleSchema>;

const binSchema = z.object({ capsules: z.array(binnedCapsuleSchema), totalItems: z.int() });
export type Bin = z.infer<typeof binSchema>;

export const listBin = endpoint({
  method: 'GET',
  path: '/api/capsules/bin',
  summary: `Capsules you deleted in the last ${BIN_DAYS} days, last deleted first, at most ${BIN_SHOWN_MAX}. They exist for nobody else, and count towards your storage.`,
  access: 'signed-in',
  status: 200,
  response: binSchema,
});

export const restoreCapsule = endpoint({
  method: 'POST',
  path: '/api/capsules/:id/restore',
  summary: 'Brings a capsule back from your bin, as it was.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  status: 200,
  response: messageSchema,
  errors: ['CAPSULE_NOT_FOUND'],
});

export const restoreByLink = endpoint({
  method: 'POST',
  path: '/auth/restore-capsule',
  summary: 'Brings a deleted capsule back, with the link that was emailed to its owner.',
  access: 'anyone',
  body: z.object({ token: tokenField }),
  status: 200,
  response: messageSchema,
  errors: ['INVALID_RESTORE_LINK'],
});
