import type { Ids } from '../ids.ts';
import { hashToken } from './token-hash.ts';

/** 32 characters, of which none is taken for another one. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 random bits: nobody finds a code from its hash. */
const LENGTH = 16;
const GROUPS = /.{4}(?=.)/g;

/** Such as `7k2m-x9pq-4t8w-hz3n`. */
export function randomCode(ids: Pick<Ids, 'token'>): string {
  const bytes = Buffer.from(ids.token(), 'base64url').subarray(0, LENGTH);
  // 256 is a multiple of 32, so every character is as likely.
  const characters = [...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return characters.join('').replace(GROUPS, '$&-');
}

/** As people type it: with or without the hyphens, in capitals, with letters for digits. */
export function hashCode(typed: string): string {
  const code = typed
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1');
  return hashToken(`recovery code ${code}`);
}
