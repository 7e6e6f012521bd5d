import { createHash } from 'node:crypto';
import type { NewCapsule } from '../../shared/api/capsules.ts';
import { addYears, dayAt, startOfDay } from '../../shared/day.ts';
import { UNLOCK_YEARS_MAX } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import { finishKey } from '../db/capsule-keys.ts';
import { insertCapsule } from '../db/capsules.ts';
import { takeUploads } from '../db/uploads.ts';
import { findUsersByEmail, lockUser } from '../db/users.ts';
import type { Actor, Deps } from '../deps.ts';
import type { KeyClaim } from './capsule-keys.ts';
import { queueWaitingNotices } from './notices.ts';
import { checkStorageLimit } from './storage-limit.ts';

/** A file whose bytes are already on stable storage. */
export interface ReceivedFile {
  name: string;
  type: string;
  bytes: number;
  sha256: string;
  storageKey: string;
  /** The resumable upload it came by. */
  uploadId?: string;
}

/** The fields of a capsule that may be sealed: its day lies ahead and its recipients exist. */
export interface CheckedCapsule {
  fields: NewCapsule;
  unlockAt: Date;
  recipients: { id: string; email: string; name: string }[];
}

/** @throws UNLOCK_DAY_INVALID, RECIPIENT_NOT_REGISTERED */
export async function checkNewCapsule(
  deps: Pick<Deps, 'db' | 'clock'>,
  fields: NewCapsule,
): Promise<CheckedCapsule> {
  checkUnlockDay(fields, deps.clock.now());
  const found = await findUsersByEmail(deps.db, fields.recipientEmails);
  const byEmail = new Map(found.map((user) => [user.email, user]));
  const unknown = fields.recipientEmails.filter((email) => !byEmail.has(email));
  if (unknown.length > 0) {
    const message =
      unknown.length === 1
        ? `${unknown[0]} is not registered. Please choose registered people only.`
        : `These addresses are not registered: ${unknown.join(', ')}. Please choose registered people only.`;
    throw new AppError('RECIPIENT_NOT_REGISTERED', {
      message,
      errors: { recipientEmails: message },
    });
  }
  return {
    fields,
    unlockAt: startOfDay(fields.dateToUnlock, fields.timeZone),
    recipients: fields.recipientEmails.flatMap((email) => byEmail.get(email) ?? []),
  };
}

function checkUnlockDay({ dateToUnlock, timeZone }: NewCapsule, now: Date): void {
  const today = dayAt(now, timeZone);
  const refuse = (message: string) => {
    throw new AppError('UNLOCK_DAY_INVALID', { message, errors: { dateToUnlock: message } });
  };
  // ISO days compare as text.
  if (dateToUnlock <= today)
    refuse('The unlock date must be after today. Please choose a later date.');
  if (dateToUnlock > addYears(today, UNLOCK_YEARS_MAX)) {
    refuse(`The unlock date can be at most ${UNLOCK_YEARS_MAX} years ahead.`);
  }
}

/**
 * Seals: the capsule, its recipients, files, notices and key exist from one commit on, or not at all.
 * @param input.files on stable storage already, in the order they are shown
 * @returns the capsule's id
 */
export async function sealCapsule(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'mailQueued'>,
  actor: Actor,
  input: { checked: CheckedCapsule; files: ReceivedFile[]; claim: KeyClaim | null },
): Promise<string> {
  const { checked, files, claim } = input;
  const { fields } = checked;
  const now = deps.clock.now();
  // Again: a long upload may have ended after midnight.
  checkUnlockDay(fields, now);
  const capsule = {
    id: deps.ids.uuid(),
    creatorId: actor.userId,
    title: fields.title,
    description: fields.description,
    personalMessage: fields.personalMessage,
    dateToUnlock: fields.dateToUnlock,
    timeZone: fields.timeZone,
    unlockAt: checked.unlockAt,
    notifyRecipient: fields.notifyRecipient,
    mediaCount: files.length,
    totalBytes: files.reduce((sum, file) => sum + file.bytes, 0),
    createdAt: now,
  };
  await deps.db.transaction(async (tx) => {
    // One person's seals happen one after another, so that the limit counts them all.
    await lockUser(tx, actor.userId);
    // First, for a file must not count both as an upload and in the capsule.
    const taken = await takeUploads(tx, actor.userId, fields.uploads);
    if (taken.length !== fields.uploads.length) throw new AppError('UPLOAD_NOT_FOUND');
    await checkStorageLimit({ config: deps.config, db: tx }, actor, capsule.totalBytes);
    await insertCapsule(
      tx,
      capsule,
      checked.recipients.map((recipient) => recipient.id),
      files.map((file, position) => ({
        ...file,
        id: deps.ids.uuid(),
        capsuleId: capsule.id,
        position,
      })),
    );
    await queueWaitingNotices(tx, deps, capsule, checked.recipients);
    if (claim) {
      const done = { fingerprint: fingerprint(fields, files), capsuleId: capsule.id };
      if (!(await finishKey(tx, claim, done))) throw new AppError('IDEMPOTENCY_KEY_IN_PROGRESS');
    }
  });
  deps.mailQueued();
  return capsule.id;
}

/** What makes two creations the same: every field, and every file's name and bytes in their order. */
export function fingerprint(
  fields: NewCapsule,
  files: Pick<ReceivedFile, 'name' | 'sha256'>[],
): string {
  const canonical = JSON.stringify([
    fields.title,
    fields.description,
    fields.dateToUnlock,
    fields.timeZone,
    fields.recipientEmails,
    fields.personalMessage,
    fields.notifyRecipient,
    files.map((file) => [file.name, file.sha256]),
  ]);
  return createHash('sha256').update(canonical).digest('hex');
}
