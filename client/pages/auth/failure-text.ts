import { isConnectionError, messageFrom } from '../../http/call-error.ts';

/**
 * The server's sentence, else `otherwise`. A connection that failed says so:
 * nobody should take a right password or a good link for a wrong one.
 */
export function failureText(error: unknown, otherwise: string): string {
  return isConnectionError(error) ? 'Network Error' : messageFrom(error, otherwise);
}
