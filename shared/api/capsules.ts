import { z } from 'zod/mini';
import { BIN_DAYS, CAPSULES_PER_PAGE, CAPSULES_PER_PAGE_MAX } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import {
  dayField,
  idField,
  instantField,
  messageSchema,
  searchField,
  timeZoneField,
  utcOffsetField,
} from './fields.ts';
import { ownPasswordSchema } from './own-password.ts';

export const capsuleTypeSchema = z.enum(['created', 'received']);
export type CapsuleType = z.infer<typeof capsuleTypeSchema>;

export const capsuleFileSchema = z.object({
  fileId: idField,
  fileName: z.string(),
  /** Megabytes. */
  fileSize: z.number().check(z.gte(0)),
  /** MIME type, judged by content. */
  fileType: z.string(),
  /** Its bytes are lost for good, and whoever runs the server has said so. */
  lost: z.optional(z.boolean()),
});
export type CapsuleFile = z.infer<typeof capsuleFileSchema>;

/** What somebody has added to an open capsule. */
const contributionSchema = z.object({
  id: idField,
  /** As they wrote it. */
  name: z.string(),
  personalMessage: z.string(),
  /** Their files, in the order of `fileInfo`. */
  fileIds: z.array(idField),
});
export type Contribution = z.infer<typeof contributionSchema>;

/**
 * A capsule as it leaves the server. While `locked`, `fileInfo` is empty and `personalMessage` is
 * null for everyone, its creator included.
 */
export const capsuleSchema = z.object({
  id: idField,
  title: z.string(),
  description: z.string(),
  /** The sender's name. */
  createdBy: z.string(),
  senderName: z.string(),
  senderEmail: z.string(),
  /** Null when the sender has deleted their account. */
  senderId: z.nullish(idField),
  recipientEmails: z.array(z.string()),
  /** For the creator: how many recipients are none any more, because they refused their invitation. */
  refusals: z.optional(z.int()),
  /** The same people, in the same order. Like every optional field, not in answers cached before. */
  recipients: z.optional(
    z.array(
      z.object({
        userId: idField,
        name: z.string(),
        email: z.string(),
        /** The day on which they opened it, for the creator, if they have let them know. */
        openedOn: z.optional(dayField),
      }),
    ),
  ),
  /** The day it opens, on the calendar of `timeZone`. */
  dateToUnlock: dayField,
  /** The same day under the name the specification gives list items. */
  unlockDate: dayField,
  timeZone: z.string(),
  /** The instant at which that day begins. */
  unlockAt: instantField,
  locked: z.boolean(),
  createdAt: instantField,
  /** Of all files, before the day as well, so that the number stays as it is. */
  mediaCount: z.int().check(z.gte(0)),
  fileInfo: z.array(capsuleFileSchema),
  personalMessage: z.nullable(z.string()),
  /**
   * How many others have added something. Only once it is open, and if there are any: before the day
   * only its creator learns that there are others. Lists say no more of them; `fileInfo` is the sender's there.
   */
  contributors: z.optional(z.int()),
  /** Who they are, for its creator before the day, who saw as much on the draft. Not in lists. */
  added: z.optional(z.array(z.object({ name: z.string(), hasLetter: z.boolean() }))),
  /**
   * What they have added, in the order they came. Not in lists. `fileInfo` has their files after those
   * of the sender.
   */
  contributions: z.optional(z.array(contributionSchema)),
  /** The person who asks has put it away: see `setHidden`. */
  hidden: z.optional(z.boolean()),
  /** It has opened for the person who asks, and they have not looked at it yet. */
  ready: z.optional(z.boolean()),
  /** The person who asks has not said yet whether its creator may know that they have read it. */
  asksToTell: z.optional(z.boolean()),
  /**
   * The list this capsule was read from. Outside of lists, `created` for its creator, even if they
   * are a recipient.
   */
  type: capsuleTypeSchema,
});
export type Capsule = z.infer<typeof capsuleSchema>;

export const paginationSchema = z.object({
  currentPage: z.int().check(z.gte(1)),
  totalPages: z.int().check(z.gte(0)),
  itemsPerPage: z.int().check(z.gte(1)),
  totalItems: z.int().check(z.gte(0)),
});

/** A plain array is accepted as the only page (specification §3). */
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

export const capsulePageSchema = z.pipe(
  z.transform(pageOf),
  z.object({
    capsules: z.array(capsuleSchema),
    pagination: paginationSchema,
    /** Of the received list: how many capsules the person has put away. */
    hiddenItems: z.optional(z.int()),
    /** Of the created list: how many capsules are in the person's bin. */
    binnedItems: z.optional(z.int()),
  }),
);
export type CapsulePage = z.infer<typeof capsulePageSchema>;

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
  unlockDate: dayField,
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
  monthlyStats: z.array(monthlyStatSchema).check(z.length(12)),
});
export type DashboardSummary = z.infer<typeof dashboardSummarySchema>;

/** A number in a query. Values out of range are clamped, anything else becomes the default. */
function clampedInt(min: number, max: number, otherwise: number) {
  return z._default(
    z.pipe(
      z.catch(z.coerce.number().check(z.int()), otherwise),
      z.transform((value) => Math.min(max, Math.max(min, value))),
    ),
    otherwise,
  );
}

const YEAR_TEXT = 'Year must be a number from 1970 to 2200';

/**
 * What a list shows, and in which order: all by creation, last first (`newest`), or by opening day,
 * first to open first (`opening`); only those still locked, first to open first (`sealed`); only
 * those that have opened, last opened first: not looked at yet (`ready`), or the others (`opened`).
 */
export const capsuleViewSchema = z.enum(['newest', 'opening', 'sealed', 'ready', 'opened']);
export type CapsuleView = z.infer<typeof capsuleViewSchema>;

const listQuery = z.object({
  page: clampedInt(1, 1_000_000, 1),
  limit: clampedInt(1, CAPSULES_PER_PAGE_MAX, CAPSULES_PER_PAGE),
  /** Filters by title, description, sender and recipients, over all pages. */
  query: z.optional(searchField),
  view: z._default(capsuleViewSchema, 'newest'),
});

const receivedQuery = z.extend(listQuery, {
  /** Only the capsules that were put away, instead of all others. */
  hidden: z._default(z.enum(['true', 'false']), 'false'),
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
  summary: 'Capsules shared with you, newest first, including locked ones.',
  access: 'signed-in',
  query: receivedQuery,
  status: 200,
  response: capsulePageSchema,
});

export const getDashboardSummary = endpoint({
  method: 'GET',
  path: '/api/capsules/dashboard-summary',
  summary: 'Counts, storage, the next unlocks and twelve monthly totals.',
  access: 'signed-in',
  query: z.object({
    year: z.optional(
      z.coerce
        .number({ error: YEAR_TEXT })
        .check(z.int(YEAR_TEXT), z.gte(1970, YEAR_TEXT), z.lte(2200, YEAR_TEXT)),
    ),
    /** The zone in which months and days are counted. */
    timeZone: z._default(timeZoneField, 'UTC'),
    /** Now; it counts only where the server does not know `timeZone`. */
    utcOffset: utcOffsetField(z.coerce.number()),
  }),
  status: 200,
  response: dashboardSummarySchema,
});

export const getCapsule = endpoint({
  method: 'GET',
  path: '/api/capsules/:id',
  summary: 'One capsule. Its message and files are included once it has opened.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  status: 200,
  response: capsuleSchema,
  errors: ['CAPSULE_NOT_FOUND'],
});

export const deleteCapsule = endpoint({
  method: 'DELETE',
  path: '/api/capsules/:id',
  summary: `Deletes a capsule you created, for everyone. You can bring it back for ${BIN_DAYS} days, unless you delete it from the bin, with \`now=true\` and your password.`,
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  query: z.object({ now: z.optional(z.enum(['true', 'false'])) }),
  /** Only with `now=true`. */
  body: z.optional(ownPasswordSchema),
  status: 200,
  response: messageSchema,
  errors: ['CAPSULE_NOT_FOUND'],
});

export const setHidden = endpoint({
  method: 'PUT',
  path: '/api/capsules/:id/hidden',
  summary:
    'Puts a capsule you received away, or brings it back. It opens on its day and is announced all the same.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  body: z.object({ hidden: z.boolean({ error: 'Hidden must be true or false' }) }),
  status: 200,
  response: z.object({ hidden: z.boolean() }),
  errors: ['CAPSULE_NOT_FOUND'],
});

export const getCalendarEvent = endpoint({
  method: 'GET',
  path: '/api/capsules/:id/calendar.ics',
  summary:
    'The day of a capsule for a calendar (RFC 5545). A browser that may not have it is sent to the page of the capsule.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  status: 200,
  errors: ['CAPSULE_NOT_FOUND'],
});

export const downloadFile = endpoint({
  method: 'GET',
  path: '/api/capsules/download/:fileId',
  summary: "A file's bytes, once its capsule has opened. Answers single byte ranges.",
  access: 'signed-in',
  params: z.object({ fileId: z.string() }),
  status: 200,
  errors: ['FILE_NOT_FOUND', 'FILE_DAMAGED', 'RANGE_NOT_SATISFIABLE'],
});

export const downloadFiles = endpoint({
  method: 'GET',
  path: '/api/capsules/:id/files.zip',
  summary: 'All files of a capsule as one ZIP, once it has opened.',
  access: 'signed-in',
  params: z.object({ id: z.string() }),
  status: 200,
  errors: ['FILE_NOT_FOUND'],
});

/** `small` beside others, `large` by itself. */
const renditionSizeSchema = z.enum(['small', 'large']);
export type RenditionSize = z.infer<typeof renditionSizeSchema>;

export const renditionQuery = z.object({ size: renditionSizeSchema });

export const getRendition = endpoint({
  method: 'GET',
  path: '/api/capsules/download/:fileId/rendition',
  summary: 'A small copy of a photograph as WebP, once its capsule has opened.',
  access: 'signed-in',
  params: z.object({ fileId: z.string() }),
  query: renditionQuery,
  status: 200,
  errors: ['FILE_NOT_FOUND', 'FILE_DAMAGED', 'FILE_TYPE_NOT_ACCEPTED', 'IMAGE_UNREADABLE'],
});
