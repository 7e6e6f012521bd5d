/** What is in the database under a fixed name; apart, for those who read it without Dexie. */

export const DATABASE_NAME = 'time-capsule';

/** The row of `meta` whose value is the XSRF token of a session that is still to be ended. */
export const PENDING_SIGN_OUT = 'pending-sign-out';

/** The row of `meta` for what has opened since somebody came to this device; see local/openings.ts. */
export const OPENINGS = 'openings';
