import type { ErrorCode } from './error-body.ts';
import { CHECK_FIELDS, DAY_AFTER_TODAY, FILE_DAMAGED, NO_SUCH_PROFILE } from './sentences.ts';

/**
 * The HTTP status of each code, and the sentence a person reads unless the error brings a more
 * specific one. Separate from the codes so that the client does not load the sentences.
 */
export const ERRORS = {
  VALIDATION_FAILED: [400, CHECK_FIELDS],
  MALFORMED_BODY: [400, "We couldn't read the request. Please try again."],
  MALFORMED_MULTIPART: [400, "The upload wasn't complete. Please try again."],
  RECIPIENT_NOT_REGISTERED: [400, "A recipient isn't registered."],
  UNLOCK_DAY_INVALID: [400, DAY_AFTER_TODAY],
  INVALID_RESET_TOKEN: [400, 'Invalid or expired reset link'],
  INVALID_VERIFICATION_TOKEN: [400, 'Invalid or expired verification link'],
  UPLOAD_PART_CORRUPT: [400, 'Part of the file was damaged on its way. Please send it again.'],
  IMAGE_UNREADABLE: [400, "We couldn't read this image. Please choose another one."],
  UNAUTHENTICATED: [401, 'Please sign in to continue.'],
  INVALID_CREDENTIALS: [401, 'Invalid email or password'],
  EMAIL_NOT_VERIFIED: [403, 'Please verify your email address before signing in.'],
  XSRF_INVALID: [403, "We couldn't confirm your session. Please reload the page and try again."],
  CROSS_SITE: [403, 'This request came from another site and was refused.'],
  NOT_FOUND: [404, 'Not found.'],
  CAPSULE_NOT_FOUND: [404, "This capsule doesn't exist, or you can't see it."],
  FILE_NOT_FOUND: [404, "This file doesn't exist, or you can't see it."],
  UPLOAD_NOT_FOUND: [404, "This upload doesn't exist or has expired. Please send the file again."],
  USER_NOT_FOUND: [404, NO_SUCH_PROFILE],
  METHOD_NOT_ALLOWED: [405, "This address doesn't accept that method."],
  REQUEST_TIMEOUT: [408, 'The upload stopped for too long. Please try again.'],
  EMAIL_TAKEN: [409, 'An account with this email already exists'],
  IDEMPOTENCY_KEY_IN_PROGRESS: [409, 'This capsule is still being received. Please wait a moment.'],
  UPLOAD_OFFSET_WRONG: [409, "This part doesn't continue where the upload stopped."],
  UPLOAD_INCOMPLETE: [409, "A file hasn't arrived completely yet."],
  FILE_DAMAGED: [410, FILE_DAMAGED],
  CAPSULE_DELETED: [410, 'This capsule was created and deleted since.'],
  PAYLOAD_TOO_LARGE: [413, 'The request is too large.'],
  FILE_TOO_LARGE: [413, 'A file is too large.'],
  TOO_MANY_FILES: [413, 'Too many files.'],
  STORAGE_LIMIT_REACHED: [413, 'Your storage is full.'],
  UNSUPPORTED_MEDIA_TYPE: [415, "This content type isn't accepted here."],
  FILE_TYPE_NOT_ACCEPTED: [415, 'Only images, videos and PDFs can be added.'],
  RANGE_NOT_SATISFIABLE: [416, 'The requested range is outside the file.'],
  IDEMPOTENCY_KEY_REUSED: [422, 'This key was already used for a different capsule.'],
  RATE_LIMITED: [429, 'Too many attempts. Please wait a little and try again.'],
  INTERNAL: [500, 'Something went wrong on our side. Please try again.'],
  UNAVAILABLE: [503, "The service isn't available right now. Please try again in a moment."],
  BUSY: [503, 'The service is busy right now. Please try again in a moment.'],
  STORAGE_FULL: [507, 'The server has no space left. Nothing was saved. Please try again later.'],
} as const satisfies Record<ErrorCode, readonly [status: number, message: string]>;
