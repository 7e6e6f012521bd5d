import { z } from 'zod/mini';

/** Every error code of the API. Statuses and texts are in errors.ts. */
export const ERROR_CODES = [
  'VALIDATION_FAILED',
  'MALFORMED_BODY',
  'MALFORMED_MULTIPART',
  'RECIPIENT_NOT_REGISTERED',
  'UNLOCK_DAY_INVALID',
  'INVALID_RESET_TOKEN',
  'INVALID_VERIFICATION_TOKEN',
  'INVALID_INVITATION',
  'INVITATION_USED',
  'INVALID_ADDRESS_LINK',
  'INVALID_RESTORE_LINK',
  'BLOCK_REFUSED',
  'INVALID_RECOVERY_CODE',
  'INVALID_PASSKEY',
  'UPLOAD_PART_CORRUPT',
  'IMAGE_UNREADABLE',
  'UNAUTHENTICATED',
  'INVALID_CREDENTIALS',
  'EMAIL_NOT_VERIFIED',
  'PASSKEY_REQUIRED',
  'ACCOUNT_SUSPENDED',
  'REGISTRATION_CLOSED',
  'XSRF_INVALID',
  'CROSS_SITE',
  'NOT_FOUND',
  'CAPSULE_NOT_FOUND',
  'FILE_NOT_FOUND',
  'UPLOAD_NOT_FOUND',
  'USER_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'INVALID_NOTICE_LINK',
  'NOTICE_NOT_FOUND',
  'NOTICE_NOT_REPEATABLE',
  'EMAIL_TAKEN',
  'IDEMPOTENCY_KEY_IN_PROGRESS',
  'UPLOAD_OFFSET_WRONG',
  'UPLOAD_INCOMPLETE',
  'DRAFT_CHANGED',
  'CAPSULE_DELETED',
  'FILE_DAMAGED',
  'PAYLOAD_TOO_LARGE',
  'FILE_TOO_LARGE',
  'TOO_MANY_FILES',
  'STORAGE_LIMIT_REACHED',
  'UNSUPPORTED_MEDIA_TYPE',
  'FILE_TYPE_NOT_ACCEPTED',
  'RANGE_NOT_SATISFIABLE',
  'IDEMPOTENCY_KEY_REUSED',
  'RATE_LIMITED',
  'INTERNAL',
  'UNAVAILABLE',
  'MAINTENANCE',
  'BUSY',
  'STORAGE_FULL',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The body of every answer that is not a success. */
export const errorBodySchema = z.object({
  message: z.string(),
  code: z.enum(ERROR_CODES),
  /** One sentence for each invalid field. */
  errors: z.optional(z.record(z.string(), z.string())),
  /** Only with EMAIL_NOT_VERIFIED: the address to verify. */
  email: z.optional(z.string()),
  /** Only with DRAFT_CHANGED: the draft as it is now, see `accountDraftSchema`. */
  draft: z.optional(z.unknown()),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
