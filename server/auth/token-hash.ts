import { createHash } from 'node:crypto';

/** SHA-256 is enough: a token has 256 random bits, so there is nothing to guess. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
