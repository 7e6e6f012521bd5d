import { z } from 'zod';
import {
  CAPSULES_PER_PAGE,
  CAPSULES_PER_PAGE_MAX,
  DESCRIPTION_MAX,
  FILES_MAX,
  IDEMPOTENCY_HEADER,
  MESSAGE_MAX,
  RECIPIENTS_MAX,
  TITLE_MAX,
} from '../limits.ts';
import { endpoint } from './endpoint.ts';
import {
  dayField,
  emailField,
  idField,
  instantField,
  LINE_PATTERN,
  messageSchema,
  searchField,
  timeZoneField,
  withoutNul,
} from './fields.ts';

export const capsuleTypeSchema = z.enum(['created', 'received']);
export type CapsuleType = z.infer<typeof capsuleTypeSchema>;

export const capsuleFileSchema = z.object({
  fileId: idField,
  fileName: z.string(),
  /** Megabytes. */
  fileSize: z.number().min(0),
  /** MIME type, judged by content. */
  fileType: z.string(),
});
export type CapsuleFile = z.infer<typeof capsuleFileSchema>;

/**
 * A capsule as the server lets it be seen. While `locked`, `fileInfo` is empty and
 * `personalMessage` is null for everybody, its creator included.
 */
export const capsuleSchema = z.object({
  id: idField,
  title: z.string(),
  description: z.string(),
  /** The sender's name. */
  createdBy: z.string(),
  senderName: z.string(),
  senderEmail: z.string(),
  recipientEmails: z.array(z.string()),
  /** The day it opens, on the calendar of `timeZone`. */
  dateToUnlock: z.string(),
  /** The same day; list screens know it by this name. */
  unlockDate: z.string(),
  timeZone: z.string(),
  /** The instant at which that day begins. */
  unlockAt: instantField,
  locked: z.boolean(),
  createdAt: instantField,
  mediaCount: z.int().min(0),
  fileInfo: z.array(capsuleFileSchema),
  personalMessage: z.string().nullable(),
  /** The list it stands in; elsewhere `created` for its creator, even when they also receive it. */
  type: capsuleTypeSchema,
});
export type Capsule = z.infer<typeof capsuleSchema>;

export const paginationSchema = z.object({
  currentPage: z.int().min(1),
  totalPages: z.int().min(0),
  itemsPerPage: z.int().min(1),
  totalItems: z.int().min(0),
});

/** A plain array is accepted too (specification §3): it is all there is, on one page. */
function pageOf(answer: unknown): unknown {
  if (!Array.isArray(answer)) return answer;
  const totalItems = answer.length;
  const itemsPerPage = Math.max(1, totalItems);
  const pagination = {
    currentPage: 1,
    totalPages: Math.min(1, totalItems),
    itemsPerPage,
    totalItems,
  };
  return { capsules: answer, pagination };
}

export const capsulePageSchema = z.preprocess(
  pageOf,
  z.object({ capsules: z.array(capsuleSchema), pagination: paginationSchema }),
);
export type CapsulePage = z.infer<typeof capsulePageSchema>;

const RECIPIENT_TEXTS = {
  missing: 'Please choose at least one recipient',
  invalid: 'Please enter a valid email',
};

/** The JSON part `capsule` of a creation. Unknown fields are ignored: ids, dates and owners are the server's. */
export const newCapsuleSchema = z.object({
  title: z
    .string({ error: 'Title is required' })
    .trim()
    .min(1, { error: 'Title is required', abort: true })
    .max(TITLE_MAX, `Title must be at most ${TITLE_MAX} characters`)
    .regex(LINE_PATTERN, 'Title must be a single line'),
  description: z
    .string({ error: 'Description is required' })
    .trim()
    .min(1, { error: 'Description is required', abort: true })
    .max(DESCRIPTION_MAX, `Description must be at most ${DESCRIPTION_MAX} characters`)
    .overwrite(withoutNul),
  dateToUnlock: dayField,
  timeZone: timeZoneField.default('UTC'),
  recipientEmails: z
    .array(emailField(RECIPIENT_TEXTS), { error: RECIPIENT_TEXTS.missing })
    .min(1, { error: RECIPIENT_TEXTS.missing, abort: true })
    .max(RECIPIENTS_MAX, `A capsule can have at most ${RECIPIENTS_MAX} recipients`)
    .transform((emails) => [...new Set(emails)]),
  personalMessage: z
    .string({ error: 'Message must be text' })
    .max(MESSAGE_MAX, `Message must be at most ${MESSAGE_MAX} characters`)
    .overwrite(withoutNul)
    .default(''),
  notifyRecipient: z.boolean({ error: 'Notify must be yes or no' }).default(false),
  /** Ids of complete resumable uploads; they follow the files of the body, in this order. */
  uploads: z
    .array(idField.toLowerCase(), { error: 'Uploads must be a list of ids' })
    .max(FILES_MAX)
    .default([]),
});
export type NewCapsule = z.output<typeof newCapsuleSchema>;
export type NewCapsuleInput = z.input<typeof newCapsuleSchema>;

export const monthlyStatSchema = z.object({
  /** `YYYY-MM`. */
  month: z.string(),
  created: z.int(),
  received: z.int(),
  unlocked: z.int(),
});

export const nextUnlockSchema = z.object({
  id: idField,
  title: z.string(),
  type: capsuleTypeSchema,
  unlockDate: z.string(),
  timeZone: z.string(),
  daysRemaining: z.int(),
  senderName: z.string(),
});
export type NextUnlock = z.infer<typeof nextUnlockSchema>;

export const dashboardSummarySchema = z.object({
  totalCapsules: z.int(),
  createdCapsules: z.int(),
  receivedCapsules: z.int(),
  lockedCapsules: z.int(),
  upcomingUnlocks: z.object({ thisWeek: z.int(), thisMonth: z.int() }),
  storageUsed: z.object({ percentageUsed: z.number(), totalMB: z.number(), limitMB: z.number() }),
  nextUnlocks: z.array(nextUnlockSchema),
  /** Twelve rows, January first. */
  monthlyStats: z.array(monthlyStatSchema).length(12),
});
export type DashboardSummary = z.infer<typeof dashboardSummarySchema>;

/** Numbers in a query: anything that is not a whole number in range becomes the nearest sensible one. */
function clampedInt(min: number, max: number, otherwise: number) {
  return z.coerce
    .number()
    .int()
    .catch(otherwise)
    .transform((value) => Math.min(max, Math.max(min, value)))
    .default(otherwise);
}

const listQuery = z.object({
  page: clampedInt(1, 1_000_000, 1),
  limit: clampedInt(1, CAPSULES_PER_PAGE_MAX, CAPSULES_PER_PAGE),
  /** Filters by title, description, sender and recipients, over all pages. */
  query: searchField.optional(),
});

export const listCreated = endpoint({
  method: 'GET',
  path: '/api/capsules/created',
  summary: 'Capsules you created, newest first.',
  access: 'signed-in',
  query: listQuery,
  status: 200,
  response: capsulePageSchema,
});

export const listReceived = endpoint({
  method: 'GET',
  path: '/api/capsules/received',
  summary: 'Capsules shared with you, newest first; locked ones included.',
  access: 'signed-in',
  query: listQuery,
  status: 200,
  response: capsulePageSchema,
});

export const getDashboardSummary = endpoint({
  method: 'GET',
  path: '/api/capsules/dashboard-summary',
  summary: 'Counts, storage, the next unlocks and twelve months of figures.',
  access: 'signed-in',
  query: z.object({
    year: z.coerce
      .number({ error: 'Year must be a number from 1970 to 2200' })
      .int('Year must be a number from 1970 to 2200')
      .min(1970, 'Year must be a number from 1970 to 2200')
      .max(2200, 'Year must be a number from 1970 to 2200')
      .optional(),
    /** The zone in which months and days are counted. */
    timeZone: timeZoneField.default('UTC'),
  }),
  status: 200,
  response: dashboardSummarySchema,
});

export const getCapsule = endpoint({
  method: 'GET',
  path: '/api/capsules/:id',
  summary: 'One capsule; its message and files only once it has opened.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  status: 200,
  response: capsuleSchema,
  errors: ['CAPSULE_NOT_FOUND'],
});

export const createCapsule = endpoint({
  method: 'POST',
  path: '/api/capsules',
  summary:
    'Seals a capsule. With an Idempotency-Key (a UUID) a repeat returns the first capsule instead of making another.',
  access: 'signed-in',
  body: newCapsuleSchema,
  multipart: { json: 'capsule', files: 'files' },
  headers: { [IDEMPOTENCY_HEADER]: 'A UUID of your own for this capsule.' },
  status: 201,
  response: capsuleSchema,
  errors: [
    'RECIPIENT_NOT_REGISTERED',
    'UNLOCK_DAY_INVALID',
    'MALFORMED_MULTIPART',
    'FILE_TOO_LARGE',
    'TOO_MANY_FILES',
    'PAYLOAD_TOO_LARGE',
    'STORAGE_LIMIT_REACHED',
    'FILE_TYPE_NOT_ACCEPTED',
    'IDEMPOTENCY_KEY_IN_PROGRESS',
    'IDEMPOTENCY_KEY_REUSED',
    'CAPSULE_DELETED',
    'UPLOAD_NOT_FOUND',
    'UPLOAD_INCOMPLETE',
    'REQUEST_TIMEOUT',
    'RATE_LIMITED',
    'STORAGE_FULL',
  ],
});

export const deleteCapsule = endpoint({
  method: 'DELETE',
  path: '/api/capsules/:id',
  summary: 'Deletes a capsule you created, for everyone, with its files.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  status: 200,
  response: messageSchema,
  errors: ['CAPSULE_NOT_FOUND'],
});

export const downloadFile = endpoint({
  method: 'GET',
  path: '/api/capsules/download/:fileId',
  summary: "A file's bytes, once its capsule has opened. Answers single byte ranges.",
  access: 'signed-in',
  params: z.object({ fileId: z.string() }),
  status: 200,
  errors: ['FILE_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
});
