import type { Queryable } from '../../db/open.ts';
import { type Person, queueEmails } from './queue.ts';

export * from './queue.ts';

type NoticeDeps = Parameters<typeof queueEmails>[1];
type To = { id: string | null; email: string };
const to = (id: string, addresses: string[]) => addresses.map((email) => ({ id, email }));

export const queueVerificationMail = (tx: Queryable, deps: NoticeDeps, user: To) =>
  queueEmails(tx, deps, 'verify-email', [user]);

export const queuePasswordResetMail = (
  tx: Queryable,
  deps: NoticeDeps,
  { email, requestedBy }: { email: string; requestedBy: string },
) => queueEmails(tx, deps, 'password-reset', [{ id: null, email, requestedBy }]);

export const queueInvitationMail = (
  tx: Queryable,
  deps: NoticeDeps,
  { id: aboutId, person }: { id: string; person: Person },
) => queueEmails(tx, deps, 'invitation', [{ ...person, aboutId }]);

export const queuePasswordChangedMail = (tx: Queryable, deps: NoticeDeps, user: Person) =>
  queueEmails(tx, deps, 'password-changed', [user]);

export const queuePasswordGuessedMails = (
  tx: Queryable,
  deps: NoticeDeps,
  { userId, told }: { userId: string; told: string[] },
) => queueEmails(tx, deps, 'password-guessed', to(userId, told));

export const queueNewDeviceMails = (
  tx: Queryable,
  deps: NoticeDeps,
  { session: aboutId, userId, told }: { session: string; userId: string; told: string[] },
) =>
  queueEmails(
    tx,
    deps,
    'new-device',
    to(userId, told).map((one) => ({ ...one, aboutId })),
  );

/** Tells the operator what somebody has reported. @param report its id */
export const queueReportMail = (
  tx: Queryable,
  deps: NoticeDeps,
  { report: aboutId, email }: { report: string; email: string },
) => queueEmails(tx, deps, 'report', [{ id: null, email, aboutId }]);

/** Tells who has reported something that the operator has dealt with it. @param report its id */
export const queueReportAnsweredMail = (
  tx: Queryable,
  deps: NoticeDeps,
  { report: aboutId, reporter }: { report: string; reporter: Person },
) => queueEmails(tx, deps, 'report-answered', [{ ...reporter, aboutId }]);

/** "A passkey was added", with a link that removes it. @param passkey its id */
export const queuePasskeyAddedMails = (
  tx: Queryable,
  deps: NoticeDeps,
  { passkey: aboutId, userId, told }: { passkey: string; userId: string; told: string[] },
) =>
  queueEmails(
    tx,
    deps,
    'passkey-added',
    to(userId, told).map((one) => ({ ...one, aboutId })),
  );

export const queueAccountDeletedMail = (tx: Queryable, deps: NoticeDeps, email: string) =>
  queueEmails(tx, deps, 'account-deleted', [{ id: null, email }]);

/** "Your account will be deleted", by an operator, to each address of the account. */
export const queueDeletionAnnouncedMails = (
  tx: Queryable,
  deps: NoticeDeps,
  { userId, told }: { userId: string; told: string[] },
) => queueEmails(tx, deps, 'deletion-announced', to(userId, told));

export const queuePasswordWaitingMails = (
  tx: Queryable,
  deps: NoticeDeps,
  { userId, asked }: { userId: string; asked: string[] },
) => queueEmails(tx, deps, 'password-waiting', to(userId, asked));

export const queueConfirmAddressMail = (
  tx: Queryable,
  deps: NoticeDeps,
  { change, user, email }: { change: string; user: { id: string }; email: string },
) => queueEmails(tx, deps, 'confirm-address', [{ id: user.id, email, aboutId: change }]);

export const queueAddressChangedMails = (
  tx: Queryable,
  deps: NoticeDeps,
  { change: aboutId, userId, told }: { change: string; userId: string; told: string[] },
) =>
  queueEmails(
    tx,
    deps,
    'address-changed',
    to(userId, told).map((one) => ({ ...one, aboutId })),
  );

export const queueChangeUndoneMails = (
  tx: Queryable,
  deps: NoticeDeps,
  { userId, told }: { userId: string; told: string[] },
) => queueEmails(tx, deps, 'change-undone', to(userId, told));

export const queueCapsuleDeletedMails = (
  tx: Queryable,
  deps: NoticeDeps,
  { deletion: aboutId, userId, told }: { deletion: string; userId: string; told: string[] },
) =>
  queueEmails(
    tx,
    deps,
    'capsule-deleted',
    to(userId, told).map((one) => ({ ...one, aboutId })),
  );
