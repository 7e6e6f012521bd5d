import { z } from 'zod/mini';
import {
  CONTRIBUTION_MAX_BYTES,
  CONTRIBUTION_MB,
  CONTRIBUTION_SECRET_HEADER,
  CONTRIBUTION_TOKEN_HEADER,
  CONTRIBUTION_WORDS_MAX,
  FILE_NAME_MAX,
  FILES_MAX,
  MEGABYTE,
  MESSAGE_MAX,
  REMOVED_KEPT_DAYS,
} from '../limits.ts';
import { isBlank } from '../visible-text.ts';
import { endpoint } from './endpoint.ts';
import {
  dayField,
  idField,
  instantField,
  messageSchema,
  nameField,
  timeZoneField,
  utcOffsetField,
  withoutControls,
  withoutNul,
} from './fields.ts';
import {
  abandonUpload,
  getUpload,
  newUploadSchema,
  sendPart,
  startUpload,
  uploadStateSchema,
} from './uploads.ts';

// What others add to a draft of the account, by a link that its organiser has given them.

/** A UUID made by a device. */
const ownIdField = idField.check(z.toLowerCase());

const draftParams = z.object({ id: ownIdField });

export const newContributionLinkSchema = z.object({
  /** The organiser's words to those who are asked. */
  words: z._default(
    z
      .string({ error: 'Words must be text' })
      .check(
        z.trim(),
        z.maxLength(
          CONTRIBUTION_WORDS_MAX,
          `Please use at most ${CONTRIBUTION_WORDS_MAX} characters`,
        ),
        z.overwrite(withoutControls),
      ),
    '',
  ),
  /** Those who are asked are not told whom the capsule is for, and when it opens. */
  isSurprise: z._default(z.boolean(), false),
  /** The last day on which somebody can begin to add. Null for as long as it is not sealed. */
  until: z._default(z.nullable(dayField), null),
  /** Where the organiser is: `until` is a day there. */
  timeZone: z._default(timeZoneField, 'UTC'),
  utcOffset: utcOffsetField(),
});
export type NewContributionLink = z.output<typeof newContributionLinkSchema>;

export const makeContributionLink = endpoint({
  method: 'POST',
  path: '/api/drafts/:id/contribution-link',
  summary:
    'Makes the link by which others can add to a draft of the account: `/add#` and the token. A link that is there stays as it is, unless its last day is over.',
  access: 'signed-in',
  params: draftParams,
  body: newContributionLinkSchema,
  status: 201,
  response: z.object({ token: z.string(), madeAt: instantField }),
  errors: ['MAINTENANCE', 'NOT_FOUND'],
});

export const endContributionLink = endpoint({
  method: 'DELETE',
  path: '/api/drafts/:id/contribution-link',
  summary: 'Ends the link. What others have added stays.',
  access: 'signed-in',
  params: draftParams,
  status: 200,
  response: messageSchema,
});

/** What somebody has added, as its organiser sees it before the day: never a letter or a file. */
export const addedSchema = z.object({
  id: idField,
  /** As they wrote it. */
  name: z.string(),
  hasLetter: z.boolean(),
  /** How many files have arrived, and their bytes. */
  fileCount: z.int(),
  bytes: z.int(),
  /** How many files are still on their way. */
  underWay: z.int(),
  updatedAt: instantField,
});
export type Added = z.infer<typeof addedSchema>;

const addedListSchema = z.object({
  link: z.nullable(
    z.object({
      words: z.string(),
      isSurprise: z._default(z.boolean(), false),
      until: z.nullable(dayField),
      madeAt: instantField,
      /** What stands behind `/add#`. Not there for a link that was made before 1.0. */
      token: z.optional(z.string()),
    }),
  ),
  /** How many people can add. */
  most: z.int(),
  contributions: z.array(addedSchema),
  /** What was removed in the last days and can be put back, the last one first. */
  removed: z.optional(z.array(z.object({ id: idField, name: z.string() }))),
});
export type AddedList = z.infer<typeof addedListSchema>;

export const listAdded = endpoint({
  method: 'GET',
  path: '/api/drafts/:id/contributions',
  summary: 'Who has added to a draft of yours, in the order they came, and its link.',
  access: 'signed-in',
  params: draftParams,
  status: 200,
  response: addedListSchema,
  errors: ['NOT_FOUND'],
});

export const removeAdded = endpoint({
  method: 'DELETE',
  path: '/api/drafts/:id/contributions/:contributionId',
  summary: `Removes what somebody has added, unread. You can put it back for ${REMOVED_KEPT_DAYS} days, as long as the draft isn't sealed.`,
  access: 'signed-in',
  params: z.object({ id: ownIdField, contributionId: ownIdField }),
  status: 200,
  response: messageSchema,
  errors: ['CONTRIBUTION_NOT_FOUND'],
});

export const putBackAdded = endpoint({
  method: 'POST',
  path: '/api/drafts/:id/contributions/:contributionId/put-back',
  summary: 'Puts back what you have removed.',
  access: 'signed-in',
  params: z.object({ id: ownIdField, contributionId: ownIdField }),
  status: 200,
  response: messageSchema,
  errors: ['CONTRIBUTION_NOT_FOUND'],
});

// What follows is for those who add. They need no account.

/** 256 bits or more, so that nobody guesses it. */
export const CONTRIBUTION_SECRET = /^[\w-]{43,128}$/;

const byToken = { [CONTRIBUTION_TOKEN_HEADER]: 'The token of the link.' };
const bySecret = {
  [CONTRIBUTION_SECRET_HEADER]:
    'Of the device that writes, and of nobody else: 32 random bytes in base64url, made by the device.',
};

export const contributionLinkSchema = z.object({
  /** The name of who asks. */
  organiser: z.string(),
  /** Of the draft. Empty while it has none. */
  title: z.string(),
  words: z.string(),
  /** Whom it is for, as its organiser calls them, and its day, once there is one. Not there for a surprise. */
  recipientNames: z.optional(z.array(z.string())),
  dateToUnlock: z.optional(dayField),
  until: z.nullable(dayField),
  /** Of one file, and of all files of one person together. */
  maxFileMB: z.number(),
  maxMB: z.number(),
});
export type ContributionLink = z.infer<typeof contributionLinkSchema>;

export const openContributionLink = endpoint({
  method: 'GET',
  path: '/api/contribution-link',
  summary: 'Who asks by a link, and what for.',
  access: 'anyone',
  headers: byToken,
  status: 200,
  response: contributionLinkSchema,
  errors: ['CONTRIBUTION_LINK_INVALID', 'CONTRIBUTION_TOO_LATE'],
});

const contributionFileSchema = z.object({
  /** Also of the upload by which its bytes come. */
  id: ownIdField,
  name: z
    .string({ error: 'The file needs a name' })
    .check(z.minLength(1), z.maxLength(FILE_NAME_MAX), z.overwrite(withoutNul)),
  /** MIME type as the browser judged it. */
  type: z.string().check(z.maxLength(255), z.overwrite(withoutNul)),
  bytes: z.int().check(z.gte(1, 'This file is empty')),
});
export type ContributionFile = z.infer<typeof contributionFileSchema>;

/** A half-typed text may end with half of a character. */
const wellFormed = z.overwrite((text: string) => text.replace(/\p{Surrogate}/gu, '\u{fffd}'));

/** Checked, a contribution is as the server stores it: its device knows it again. */
const contributionFields = z.object({
  name: nameField.check(wellFormed),
  letter: z._default(
    z.string({ error: 'Letter must be text' }).check(
      z.maxLength(MESSAGE_MAX, `Letter must be at most ${MESSAGE_MAX} characters`),
      z.overwrite((text) => (isBlank(text) ? '' : withoutControls(text))),
      wellFormed,
    ),
    '',
  ),
  /** In display order. Each is sent as an upload of its own. */
  files: z.array(contributionFileSchema).check(
    z.maxLength(FILES_MAX, `You can add at most ${FILES_MAX} files`),
    z.refine(
      (files) => new Set(files.map(({ id }) => id)).size === files.length,
      'A file is named twice',
    ),
    z.refine(
      (files) => files.reduce((sum, { bytes }) => sum + bytes, 0) <= CONTRIBUTION_MB * MEGABYTE,
      `All your files together can be at most ${CONTRIBUTION_MB} MB`,
    ),
  ),
});

const saysSomething = z.refine<Pick<z.output<typeof contributionFields>, 'letter' | 'files'>>(
  ({ letter, files }) => !isBlank(letter) || files.length > 0,
  { error: 'Please write something, or add a photo, a video or a voice memo', path: ['letter'] },
);

/** What somebody adds. The form and the server check the same. */
export const contributionSchema = contributionFields.check(saysSomething);
export type ContributionContent = z.output<typeof contributionSchema>;

const contributionParams = z.object({ id: ownIdField });

export const saveContribution = endpoint({
  method: 'PUT',
  path: '/api/contributions/:id',
  summary:
    'Adds to a draft under a UUID of yours, by the link, or changes what you have added. `base` is the revision it was written on, 0 for a new one. A repeat of the same content has the same answer. After the first time only the secret is asked for, so that an ended link takes nothing from who came in time. Files that are not named any more are deleted. A device that has the secret from another one, by a personal link, sends a `newSecret`, which replaces it.',
  access: 'anyone',
  params: contributionParams,
  headers: { ...byToken, ...bySecret },
  body: z
    .extend(contributionFields, {
      base: z.int().check(z.gte(0)),
      newSecret: z.optional(z.string().check(z.regex(CONTRIBUTION_SECRET))),
    })
    .check(saysSomething),
  jsonMaxBytes: CONTRIBUTION_MAX_BYTES,
  status: 200,
  response: z.object({ revision: z.int() }),
  errors: [
    'MAINTENANCE',
    'CONTRIBUTION_LINK_INVALID',
    'CONTRIBUTION_NOT_FOUND',
    'CONTRIBUTION_ELSEWHERE',
    'CONTRIBUTION_CHANGED',
    'STORAGE_LIMIT_REACHED',
    'CONTRIBUTION_TOO_LATE',
    'CONTRIBUTIONS_FULL',
  ],
});

/** What somebody has added, for themselves. Once it is sealed, nobody can read it before the day. */
export const ownContributionSchema = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('waiting'),
    revision: z.int(),
    /** As the link tells it. */
    organiser: z.string(),
    title: z.string(),
    recipientNames: z.optional(z.array(z.string())),
    dateToUnlock: z.optional(dayField),
    name: z.string(),
    letter: z.string(),
    files: z.array(contributionFileSchema),
    /** Ids of the files whose bytes have arrived. */
    arrived: z.array(idField),
  }),
  z.object({
    state: z.literal('sealed'),
    /** Ids of the files that are in it. Any others came too late. */
    arrived: z.array(idField),
  }),
]);
export type OwnContribution = z.infer<typeof ownContributionSchema>;

export const getContribution = endpoint({
  method: 'GET',
  path: '/api/contributions/:id',
  summary:
    'What you have added, until it is sealed. What was taken back, or removed by who asked, is not found any more.',
  access: 'anyone',
  params: contributionParams,
  headers: bySecret,
  status: 200,
  response: ownContributionSchema,
  errors: ['CONTRIBUTION_NOT_FOUND', 'CONTRIBUTION_ELSEWHERE'],
});

export const takeBackContribution = endpoint({
  method: 'DELETE',
  path: '/api/contributions/:id',
  summary: 'Takes back what you have added, until it is sealed.',
  access: 'anyone',
  params: contributionParams,
  headers: bySecret,
  status: 200,
  response: messageSchema,
  errors: ['CONTRIBUTION_NOT_FOUND', 'CONTRIBUTION_ELSEWHERE', 'CONTRIBUTION_TOO_LATE'],
});

const uploadCall = {
  path: '/api/contributions/:id/uploads/:uploadId',
  access: 'anyone',
  params: z.object({ id: ownIdField, uploadId: ownIdField }),
} as const;

const refusals = [
  'CONTRIBUTION_NOT_FOUND',
  'CONTRIBUTION_ELSEWHERE',
  'CONTRIBUTION_TOO_LATE',
  // While who asks is suspended.
  'CONTRIBUTION_LINK_INVALID',
] as const;

export const startContributionUpload = endpoint({
  ...uploadCall,
  method: 'POST',
  summary:
    'Starts an upload session for a file that is named in what you have added. A repeat returns its progress.',
  headers: bySecret,
  body: z.omit(newUploadSchema, { draft: true }),
  status: 201,
  response: uploadStateSchema,
  errors: [...(startUpload.errors ?? []), ...refusals],
});

export const getContributionUpload = endpoint({
  ...uploadCall,
  method: 'GET',
  summary: getUpload.summary,
  headers: bySecret,
  status: 200,
  response: uploadStateSchema,
  errors: [...(getUpload.errors ?? []), ...refusals],
});

export const sendContributionPart = endpoint({
  ...uploadCall,
  method: 'PATCH',
  summary: sendPart.summary,
  bytes: 'application/partial-upload',
  headers: { ...sendPart.headers, ...bySecret },
  status: 200,
  response: uploadStateSchema,
  errors: [...(sendPart.errors ?? []), ...refusals],
});

export const abandonContributionUpload = endpoint({
  ...uploadCall,
  method: 'DELETE',
  summary: abandonUpload.summary,
  headers: bySecret,
  status: 200,
  response: messageSchema,
  errors: [...(abandonUpload.errors ?? []), ...refusals],
});
