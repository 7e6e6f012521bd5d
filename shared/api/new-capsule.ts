import { z } from 'zod/mini';
import { isTimeZone } from '../day.ts';
import {
  DESCRIPTION_MAX,
  FILES_MAX,
  IDEMPOTENCY_HEADER,
  MESSAGE_MAX,
  RECIPIENTS_MAX,
  TITLE_MAX,
} from '../limits.ts';
import { isBlank } from '../visible-text.ts';
import { capsuleSchema } from './capsules.ts';
import { endpoint } from './endpoint.ts';
import {
  dayField,
  emailField,
  idField,
  LINE_PATTERN,
  nameField,
  newEmailField,
  timeZoneField,
  UNKNOWN_TIME_ZONE,
  utcOffsetField,
  withoutControls,
  withoutTabs,
} from './fields.ts';

// A file of its own, so that screens without the create form do not load its checks.

const RECIPIENT_TEXTS = {
  missing: 'Please choose at least one recipient',
  invalid: 'Please enter a valid email',
};

/** A recipient who may have no account. */
const inviteeSchema = z.object({
  email: newEmailField(),
  /** How the email greets them. */
  name: z.optional(nameField),
});
export type Invitee = z.output<typeof inviteeSchema>;

/**
 * The JSON part `capsule`. Unknown fields are ignored, so a caller cannot set ids, dates or the
 * creator.
 */
export const newCapsuleSchema = z
  .object({
    title: z.string({ error: 'Title is required' }).check(
      z.overwrite(withoutTabs),
      z.trim(),
      z.refine((title) => !isBlank(title), { error: 'Title is required', abort: true }),
      z.maxLength(TITLE_MAX, `Title must be at most ${TITLE_MAX} characters`),
      z.regex(LINE_PATTERN, 'Title must be a single line'),
    ),
    description: z.string({ error: 'Description is required' }).check(
      z.trim(),
      z.refine((text) => !isBlank(text), { error: 'Description is required', abort: true }),
      z.maxLength(DESCRIPTION_MAX, `Description must be at most ${DESCRIPTION_MAX} characters`),
      z.overwrite(withoutControls),
    ),
    dateToUnlock: dayField,
    timeZone: z._default(timeZoneField, 'UTC'),
    /** At the start of the day; it counts only where the server does not know `timeZone`. */
    utcOffset: utcOffsetField(),
    recipientEmails: z.pipe(
      z
        .array(emailField(RECIPIENT_TEXTS), { error: RECIPIENT_TEXTS.missing })
        .check(
          z.minLength(1, { error: RECIPIENT_TEXTS.missing, abort: true }),
          z.maxLength(RECIPIENTS_MAX, `A capsule can have at most ${RECIPIENTS_MAX} recipients`),
        ),
      z.transform((emails) => [...new Set(emails)]),
    ),
    /**
     * Recipients who are invited with the capsule if they have no account. They count as with
     * `POST /user/invitations`.
     */
    invite: z.optional(
      z
        .array(inviteeSchema, { error: 'Invite must be a list of people' })
        .check(z.maxLength(RECIPIENTS_MAX)),
    ),
    personalMessage: z._default(
      z
        .string({ error: 'Message must be text' })
        .check(
          z.maxLength(MESSAGE_MAX, `Message must be at most ${MESSAGE_MAX} characters`),
          z.overwrite(withoutControls),
        ),
      '',
    ),
    notifyRecipient: z._default(z.boolean({ error: 'Notify must be yes or no' }), false),
    /**
     * Ids of complete resumable uploads. They are listed after the files of the body, in this order.
     */
    uploads: z._default(
      z
        .array(idField.check(z.toLowerCase()), { error: 'Uploads must be a list of ids' })
        .check(z.maxLength(FILES_MAX)),
      [],
    ),
    /**
     * The draft of the account that this was, its revision as the person saw it, and the id of a write
     * of theirs that was not answered. It is gone with the capsule. What another device has written after
     * these becomes a draft of its own.
     */
    draft: z.optional(
      z.object({
        id: idField.check(z.toLowerCase()),
        revision: z.int().check(z.gte(0)),
        unanswered: z.optional(idField.check(z.toLowerCase())),
      }),
    ),
  })
  .check(
    z.refine(({ timeZone, utcOffset }) => utcOffset !== undefined || isTimeZone(timeZone), {
      error: UNKNOWN_TIME_ZONE,
      path: ['timeZone'],
    }),
  );
export type NewCapsule = z.output<typeof newCapsuleSchema>;
export type NewCapsuleInput = z.input<typeof newCapsuleSchema>;

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
  response: z.extend(capsuleSchema, {
    /**
     * Where addresses are not confirmed: links that make the accounts of those invited, to be handed
     * over. A repeat has new ones, and ends those of before.
     */
    invitations: z.optional(z.array(z.object({ email: z.string(), link: z.string() }))),
  }),
  errors: [
    'MAINTENANCE',
    'REGISTRATION_CLOSED',
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
    'STORAGE_FULL',
  ],
});
