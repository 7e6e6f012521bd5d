import { randomBytes } from 'node:crypto';
import { idField } from '../shared/api/fields.ts';
import type { Clock } from './clock.ts';

/** Where ids and secrets come from. */
export interface Ids {
  /**
   * A UUID of version 7: the time in milliseconds, then 74 random bits. New rows stand together at
   * the end of their indexes instead of everywhere in them. Not a secret.
   */
  uuid(): string;
  /** 256 random bits, URL-safe: a session token, the token of a mailed link. */
  token(): string;
}

export function createIds(clock: Clock): Ids {
  return {
    uuid() {
      const bytes = randomBytes(16);
      bytes.writeUIntBE(clock.now().getTime(), 0, 6);
      bytes.writeUInt16BE(0x7000 | (bytes.readUInt16BE(6) & 0x0fff), 6);
      bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
    token: () => randomBytes(32).toString('base64url'),
  };
}

/** True if PostgreSQL accepts `value` as a UUID. Other ids cannot exist. */
export function isUuid(value: string): boolean {
  return idField.safeParse(value).success;
}
