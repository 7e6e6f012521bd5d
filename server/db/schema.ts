/* The whole database, room by room. SQL migrations are made from it with `npm run migration`. */
export * from './schema/accounts.ts';
export * from './schema/capsules.ts';
export * from './schema/doors.ts';
export * from './schema/drafts.ts';
export * from './schema/emails.ts';
export * from './schema/push.ts';
export * from './schema/server.ts';
export * from './schema/storage.ts';
