import { z } from 'zod/mini';
import {
  DRAFT_FILES_MAX,
  DRAFT_MAX_BYTES,
  DRAFT_RECIPIENTS_MAX,
  DRAFT_VERSIONS_MAX,
  DRAFTS_PER_PAGE,
  FILE_NAME_MAX,
} from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { idField, messageSchema } from './fields.ts';

// What is not sealed yet. A draft may be incomplete and wrong in every field: only its size is checked.

/** A UUID made by a device. */
const ownIdField = idField.check(z.toLowerCase());

const TEXTS = {
  title: text(1_000, 'The title'),
  description: text(10_000, 'The description'),
  personalMessage: text(200_000, 'The letter'),
};

function text(longest: number, what = 'This') {
  return z.string().check(z.maxLength(longest, `${what} is too long to be saved to your account.`));
}

/** A chosen recipient, as the create form shows it. */
const draftRecipientSchema = z.object({
  /** The address of somebody who is still to be invited. */
  id: text(254),
  name: text(254),
  email: text(254),
  avatar: text(2_000),
  isYou: z.boolean(),
  isInvited: z.optional(z.boolean()),
  emailBounces: z.optional(z.boolean()),
  toInvite: z.optional(z.boolean()),
  givenName: z.optional(text(1_000)),
});

const draftFieldsSchema = z.object({
  ...TEXTS,
  recipients: z.array(draftRecipientSchema).check(z.maxLength(DRAFT_RECIPIENTS_MAX)),
  /** `YYYY-MM-DD`, or empty while none is chosen. */
  dateToUnlock: text(10),
  notifyRecipient: z.boolean(),
});

const draftFileSchema = z.object({
  /** Also of the upload by which its bytes come. */
  id: ownIdField,
  name: text(FILE_NAME_MAX),
  /** MIME type as the browser judged it. */
  type: text(255),
  bytes: z.int().check(z.gte(0)),
});

/** What apps of before keep beside a text that two devices had written in. */
const otherVersionSchema = z.object({
  id: z.int(),
  fields: z.partial(z.object(TEXTS)),
  writtenOn: text(200),
  writtenAt: z.iso.datetime(),
});
export type OtherVersion = z.infer<typeof otherVersionSchema>;

const versionedSchema = z.object({
  fields: draftFieldsSchema,
  /** In display order. */
  files: z.array(draftFileSchema).check(z.maxLength(DRAFT_FILES_MAX)),
  /** Of apps of before. Answers have none. */
  otherVersions: z.optional(z.array(otherVersionSchema).check(z.maxLength(DRAFT_VERSIONS_MAX))),
});
export type DraftContent = Omit<z.infer<typeof versionedSchema>, 'otherVersions'>;

/** Puts other versions behind the text that they were of, where it does not have their words. */
export function withVersions<Content extends Pick<DraftContent, 'fields'>>({
  otherVersions = [],
  ...content
}: Content & { otherVersions?: readonly OtherVersion[] | undefined }): Omit<
  Content,
  'otherVersions'
> {
  const fields = { ...content.fields };
  for (const version of otherVersions) {
    for (const name of ['title', 'description', 'personalMessage'] as const) {
      const other = version.fields[name]?.trim() ?? '';
      if (fields[name].includes(other)) continue;
      const space = name === 'title' ? ' ' : '\n\n';
      fields[name] = `${fields[name].trimEnd()}${space}${other}`.trimStart();
    }
  }
  return { ...content, fields };
}

export const draftContentSchema = versionedSchema.check(z.overwrite(withVersions));

/** Other versions may have made a text longer than may be sent. It is read all the same, to be shortened. */
const savedContentSchema = z
  .extend(versionedSchema, {
    fields: z.extend(draftFieldsSchema, {
      title: z.string(),
      description: z.string(),
      personalMessage: z.string(),
    }),
  })
  .check(z.overwrite(withVersions));

export type DraftFile = z.infer<typeof draftFileSchema>;

/** Who wrote a revision last, and when by the server's clock. */
const revisionFields = {
  /** Grows with each change of any draft of the account. */
  revision: z.int(),
  /** A browser and a system in words, such as “Chrome on Android”. */
  writtenOn: z.string(),
  writtenAt: z.iso.datetime(),
};

const revisionSchema = z.object(revisionFields);
export type DraftRevision = z.infer<typeof revisionSchema>;

/** A draft of the account, or what became of one. */
export const accountDraftSchema = z.object({
  id: idField,
  ...revisionFields,
  /** Null once it is gone. */
  content: z.nullable(savedContentSchema),
  /** What became of it: `sealed` as a capsule, or `discarded`. */
  gone: z.nullable(z.enum(['sealed', 'discarded'])),
  /** Ids of the files whose bytes have arrived. */
  arrived: z.array(idField),
  /** Ids of the last writes that are in it. Servers of before name none. */
  writes: z.optional(z.array(z.string())),
});
export type AccountDraft = z.infer<typeof accountDraftSchema>;

/** The id under which goes on what a capsule lacks of its draft: the same on the account and on every device. */
export function restOf(id: string): string {
  const next = (Number.parseInt(id.slice(0, 8), 16) + 1) % 2 ** 32;
  return next.toString(16).padStart(8, '0') + id.slice(8);
}

const draftParams = z.object({ id: ownIdField });

/** A number in a query. */
const revisionField = z._default(z.pipe(z.coerce.number(), z.int().check(z.gte(0))), 0);

export const listDrafts = endpoint({
  method: 'GET',
  path: '/api/drafts',
  summary: `The drafts that were changed, sealed or discarded after a revision, in the order of their revisions, at most ${DRAFTS_PER_PAGE} at once.`,
  access: 'signed-in',
  query: z.object({ since: revisionField }),
  status: 200,
  response: z.object({
    /** Whose they are: a device keeps the drafts of several people apart. */
    userId: idField,
    drafts: z.array(accountDraftSchema),
    /** There are more after the last one. */
    more: z.boolean(),
    /** Whether new drafts stay on the device that begins them. */
    onlyOnDevice: z.boolean(),
  }),
});

export const saveAccountDraft = endpoint({
  method: 'PUT',
  path: '/api/drafts/:id',
  summary:
    'Saves a draft under a UUID of yours. `base` is the revision it was written on, 0 for a new one; if there is a newer one, or it was sealed, the answer is 409 with that draft. A repeat with the same `writeId` is answered with the revision that the write made.',
  access: 'signed-in',
  params: draftParams,
  body: z.object({
    base: z.int().check(z.gte(0)),
    content: draftContentSchema,
    /** Of this write. */
    writeId: z.optional(ownIdField),
  }),
  jsonMaxBytes: DRAFT_MAX_BYTES,
  status: 200,
  response: z.extend(revisionSchema, {
    /** The newest revision of any draft of the account before this one; 0 for none. */
    previous: z.int(),
  }),
  errors: ['MAINTENANCE', 'DRAFT_CHANGED', 'STORAGE_LIMIT_REACHED'],
});

export const discardAccountDraft = endpoint({
  method: 'DELETE',
  path: '/api/drafts/:id',
  summary:
    'Discards a draft. If it was changed after the revision `base`, it stays, and the answer is 409 with it. Its uploads go a week later, unless it is written again.',
  access: 'signed-in',
  params: draftParams,
  query: z.object({ base: revisionField }),
  status: 200,
  response: messageSchema,
  errors: ['DRAFT_CHANGED'],
});

export const downloadDraftFile = endpoint({
  method: 'GET',
  path: '/api/drafts/:id/files/:fileId',
  summary: 'The bytes of a file of a draft, once they have arrived.',
  access: 'signed-in',
  params: z.object({ id: ownIdField, fileId: ownIdField }),
  status: 200,
  errors: ['FILE_NOT_FOUND', 'FILE_DAMAGED'],
});

export const setDraftChoice = endpoint({
  method: 'PUT',
  path: '/user/draft-choice',
  summary: 'Chooses whether new drafts stay on the device that begins them.',
  access: 'signed-in',
  body: z.object({ onlyOnDevice: z.boolean() }),
  status: 200,
  response: messageSchema,
});
