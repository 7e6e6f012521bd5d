import type { ErrorCode } from './error-body.ts';
import { CHECK_FIELDS, DAY_AFTER_TODAY, NO_SUCH_PROFILE } from './sentences.ts';

/**
 * The HTTP status that each code travels with, and the sentence a person reads when no better
 * one is at hand. Apart from the codes: a page that only has to know them loads no sentences.
 */
export const ERRORS = {
  VALIDATION_FAILED: [400, CHECK_FIELDS],
  MALFORMED_BODY: [400, 'The request could not be read. Please try again.'],
  MALFORMED_MULTIPART: [400, 'The upload was not complete. Please try again.'],
  RECIPIENT_NOT_REGISTERED: [400, 'A recipient is not registered.'],
  UNLOCK_DAY_INVALID: [400, DAY_AFTER_TODAY],
  INVALID_RESET_TOKEN: [400, 'Invalid or expired reset link'],
  INVALID_VERIFICATION_TOKEN: [400, 'Invalid or expired verification link'],
  UPLOAD_PART_CORRUPT: [400, 'A part of the file was damaged on its way. Please send it again.'],
  IMAGE_UNREADABLE: [400, 'This image could not be read. Please choose another one.'],
  UNAUTHENTICATED: [401, 'Please sign in to continue.'],
  INVALID_CREDENTIALS: [401, 'Invalid email or password'],
  EMAIL_NOT_VERIFIED: [403, 'Please verify your email address before signing in.'],
  XSRF_INVALID: [403, 'Your session could not be confirmed. Please reload the page and try again.'],
  CROSS_SITE: [403, 'This request came from another site and was refused.'],
  NOT_FOUND: [404, 'Not found.'],
  CAPSULE_NOT_FOUND: [404, 'This capsule does not exist or is not yours to see.'],
  FILE_NOT_FOUND: [404, 'This file does not exist or is not yours to see.'],
  UPLOAD_NOT_FOUND: [404, 'This upload does not exist or has expired. Please send the file again.'],
  USER_NOT_FOUND: [404, NO_SUCH_PROFILE],
  METHOD_NOT_ALLOWED: [405, 'This address does not accept that method.'],
  REQUEST_TIMEOUT: [408, 'The upload stopped for too long. Please try again.'],
  EMAIL_TAKEN: [409, 'An account with this email already exists'],
  IDEMPOTENCY_KEY_IN_PROGRESS: [409, 'This capsule is still being received. Please wait a moment.'],
  UPLOAD_OFFSET_WRONG: [409, 'This part does not follow what has arrived so far.'],
  UPLOAD_INCOMPLETE: [409, 'A file has not arrived completely yet.'],
  CAPSULE_DELETED: [410, 'This capsule was created and has since been deleted.'],
  PAYLOAD_TOO_LARGE: [413, 'The request is too large.'],
  FILE_TOO_LARGE: [413, 'A file is too large.'],
  TOO_MANY_FILES: [413, 'Too many files.'],
  STORAGE_LIMIT_REACHED: [413, 'Your storage is full.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'This content type is not accepted here.'],
  FILE_TYPE_NOT_ACCEPTED: [415, 'Only images, videos and PDF files can be added.'],
  RANGE_NOT_SATISFIABLE: [416, 'The requested part lies outside the file.'],
  IDEMPOTENCY_KEY_REUSED: [422, 'This key was used before for a different capsule.'],
  RATE_LIMITED: [429, 'Too many attempts. Please wait a little and try again.'],
  INTERNAL: [500, 'Something went wrong on our side. Please try again.'],
  UNAVAILABLE: [503, 'The service is not available right now. Please try again in a moment.'],
  BUSY: [503, 'The service is busy right now. Please try again in a moment.'],
  STORAGE_FULL: [507, 'The server has no space left. Nothing was saved. Please try again later.'],
} as const satisfies Record<ErrorCode, readonly [status: number, message: string]>;
