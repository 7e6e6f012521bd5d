import { randomBytes, randomUUID } from 'node:crypto';
import { idField } from '../shared/api/fields.ts';
import type { Clock } from './clock/clock.ts';

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
      const time = clock.now().getTime().toString(16).padStart(12, '0');
      // From a UUID of version 4 on, all but the version is the same. Node keeps random bits ready for it.
      return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
    },
    token: () => randomBytes(32).toString('base64url'),
  };
}

/** True if PostgreSQL accepts `value` as a UUID. Other ids cannot exist. */
export function isUuid(value: string): boolean {
  return idField.safeParse(value).success;
}
