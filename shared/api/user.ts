import { z } from 'zod/mini';
import { AVATAR_MAX_BYTES, BIO_MAX, NAME_MAX, NAME_MIN } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import {
  composed,
  idField,
  instantField,
  nameChecks,
  peopleSearchField,
  withoutControls,
  withoutTabs,
} from './fields.ts';

export const currentUserSchema = z.object({
  id: idField,
  name: z.string(),
  email: z.string(),
  bio: z.string(),
  /** A path that starts with `/uploads`, or an initial letter. */
  avatar: z.string(),
  createdAt: z.nullish(instantField),
  /** True while emails to the address come back. */
  emailBounces: z.optional(z.boolean()),
  /** From when a new password counts that somebody has set by a link to one of the addresses. */
  passwordWaitsUntil: z.optional(instantField),
  /** There is no password: what asks for it takes a passkey or the identity provider's word. */
  hasNoPassword: z.optional(z.boolean()),
});
export type CurrentUser = z.infer<typeof currentUserSchema>;

export const recipientSchema = z.object({
  id: idField,
  name: z.string(),
  email: z.string(),
  avatar: z.string(),
  /** True for the person who searches: people send capsules to themselves. */
  isYou: z.boolean(),
  /** Invited by the person who searches, and without an account yet. */
  isInvited: z.optional(z.boolean()),
  /** Of an invited person: the address doesn't accept our email. */
  emailBounces: z.optional(z.boolean()),
});
export type Recipient = z.infer<typeof recipientSchema>;

/** Callers send the full user. Only `name` and `bio` are read. */
export const profileUpdateSchema = z.object({
  name: z.string({ error: 'Display name is required' }).check(
    z.overwrite(withoutTabs),
    z.trim(),
    z.overwrite(composed),
    z.minLength(1, { error: 'Display name is required', abort: true }),
    z.minLength(NAME_MIN, `Display name must be at least ${NAME_MIN} characters`),
    z.maxLength(NAME_MAX, {
      error: `Display name must be less than ${NAME_MAX} characters`,
      abort: true,
    }),
    ...nameChecks('Display name'),
  ),
  bio: z._default(
    z
      .string({ error: 'Bio must be text' })
      .check(
        z.trim(),
        z.maxLength(BIO_MAX, `Bio must be less than ${BIO_MAX} characters`),
        z.overwrite(withoutControls),
      ),
    '',
  ),
});

export const avatarTexts = {
  notAnImage: 'Please select an image file',
  tooLarge: 'Image size must be less than 5MB',
  maxBytes: AVATAR_MAX_BYTES,
} as const;

export const getMe = endpoint({
  method: 'GET',
  path: '/user/me',
  summary:
    'The signed-in person. The answer carries the XSRF token in a header too, for callers that cannot read cookies.',
  access: 'signed-in',
  status: 200,
  response: currentUserSchema,
});

export const searchRecipient = endpoint({
  method: 'GET',
  path: '/user/search-recipient',
  summary: 'Registered people by name or address, at most 20; yourself included.',
  access: 'signed-in',
  query: z.object({ query: z._default(peopleSearchField, '') }),
  status: 200,
  response: z.array(recipientSchema),
});

export const updateProfile = endpoint({
  method: 'PUT',
  path: '/user/update-profile',
  summary: 'Changes the display name and the bio; every other field is ignored.',
  access: 'signed-in',
  body: profileUpdateSchema,
  status: 200,
  response: currentUserSchema,
});

export const updateProfilePhoto = endpoint({
  method: 'POST',
  path: '/user/update-profile-photo',
  summary: 'Replaces the avatar. The image is decoded and re-encoded; its metadata is dropped.',
  access: 'signed-in',
  multipart: { files: 'file' },
  status: 200,
  response: z.object({ avatar: z.string() }),
  errors: ['FILE_TYPE_NOT_ACCEPTED', 'FILE_TOO_LARGE', 'IMAGE_UNREADABLE', 'MALFORMED_MULTIPART'],
});

export const exportAccount = endpoint({
  method: 'GET',
  path: '/user/export',
  summary:
    'Everything of yours as a ZIP, with a page to read and print. Locked capsules are listed without their contents.',
  access: 'signed-in',
  status: 200,
});
