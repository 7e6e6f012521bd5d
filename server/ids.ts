import { randomBytes, randomUUID } from 'node:crypto';

/** Where ids and secrets come from. */
export interface Ids {
  /** A random UUID. */
  uuid(): string;
  /** 256 random bits, URL-safe: a session token, the token of a mailed link. */
  token(): string;
}

export const randomIds: Ids = {
  uuid: randomUUID,
  token: () => randomBytes(32).toString('base64url'),
};
