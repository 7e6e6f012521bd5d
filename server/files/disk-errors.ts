import { AppError } from '../app-error.ts';

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** What a failed system call means to a person: no space, no free descriptors, or the error itself. */
export function diskError(error: unknown): unknown {
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) return new AppError('STORAGE_FULL', { cause: error });
  if (hasCode(error, 'EMFILE', 'ENFILE')) {
    return new AppError('UNAVAILABLE', { retryAfter: 2, cause: error });
  }
  return error;
}
