/** What is in the database under a fixed name; apart, for those who read it without Dexie. */

export const DATABASE_NAME = 'time-capsule';

/** The row of `meta` whose value is the XSRF token of a session that is still to be ended. */
export const PENDING_SIGN_OUT = 'pending-sign-out';
