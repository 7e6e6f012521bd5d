import { isConnectionError, sentenceFrom } from '../api/errors.ts';

/** Why something that only the server can change was not changed. @param otherwise for a failure without words */
export function changeFailure(error: unknown, otherwise: string): string {
  return isConnectionError(error)
    ? 'You need a connection to change this.'
    : sentenceFrom(error, otherwise);
}
