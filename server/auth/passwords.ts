import { hash, verify } from '@node-rs/argon2';
import { ENDED_PASSWORD } from '../db/accounts/users.ts';
import { createLimiter } from '../limiter.ts';

/** OWASP's second recommended set: 19 MiB, two passes, one lane. argon2id is the library's default. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** More hashes at once would starve the thread pool that file calls share. */
const AT_ONCE = 2;
/** With more hashes waiting than this, about ten seconds of work, callers get BUSY. */
const WAITING_MAX = 1_000;

/** An é is typed as one character on some devices and as two on others: passwords are compared in NFC. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** @param stored null or ENDED_PASSWORD takes just as long and returns false */
  verify(stored: string | null, password: string): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const limited = createLimiter(AT_ONCE, WAITING_MAX);
  // Verified for unknown addresses, so that they take as long as known ones.
  const decoy = hash('no account has this password', PARAMETERS);
  return {
    hash: (password) => limited(() => hash(password.normalize('NFC'), PARAMETERS)),
    async verify(stored, password) {
      const isSet = stored !== null && stored !== ENDED_PASSWORD;
      const against = isSet ? stored : await decoy;
      // As it was sent, too: hashes made by earlier versions are of that. Known and unknown accounts
      // take as long, since only the password decides whether there is a second form.
      for (const form of new Set([password.normalize('NFC'), password])) {
        const matches = await limited(() => verify(against, form));
        if (matches) return isSet;
      }
      return false;
    },
  };
}
