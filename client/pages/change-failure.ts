import { isConnectionError, sentenceFrom } from '../api/errors.ts';

/**
 * Why something that only the server can change was not changed.
 * @param otherwise for a failure without words @param act what a connection is needed for
 */
export function changeFailure(error: unknown, otherwise: string, act = 'change this'): string {
  return isConnectionError(error)
    ? `You need a connection to ${act}.`
    : sentenceFrom(error, otherwise);
}
