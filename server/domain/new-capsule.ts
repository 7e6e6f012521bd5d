import { createHash } from 'node:crypto';
import type { Capsule, NewCapsule } from '../../shared/api/capsules.ts';
import { addYears, dayAt, startOfDay } from '../../shared/day.ts';
import { MEGABYTE, UNLOCK_YEARS_MAX } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import { finishKey } from '../db/capsule-keys.ts';
import { insertCapsule, sumBytes } from '../db/capsules.ts';
import { findUsersByEmail, lockUser } from '../db/users.ts';
import type { Actor, Deps } from '../deps.ts';
import type { KeyClaim } from './capsule-keys.ts';
import { getCapsule } from './capsules.ts';
import { queueWaitingNotices } from './notices.ts';

/** A file whose bytes are already on stable storage. */
export interface ReceivedFile {
  name: string;
  type: string;
  bytes: number;
  sha256: string;
  storageKey: string;
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

/** Refuses early what could not be kept anyway; the commit decides for good. @throws STORAGE_LIMIT_REACHED */
export async function checkStorageLimit(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  actor: Actor,
  moreBytes: number,
): Promise<void> {
  const limit = config.storageLimitMB * MEGABYTE;
  if ((await sumBytes(db, actor.userId)) + moreBytes <= limit) return;
  throw new AppError('STORAGE_LIMIT_REACHED', {
    message: `Your storage is full: these files would go over your limit of ${config.storageLimitMB} MB. Please remove files, or delete a capsule you no longer need.`,
  });
}

/**
 * Seals: the capsule, its recipients, files, notices and key exist from one commit on, or not at all.
 * @param files on stable storage already; the caller discards them when this rejects.
 */
export async function sealCapsule(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'mailQueued'>,
  actor: Actor,
  input: { checked: CheckedCapsule; files: ReceivedFile[]; claim: KeyClaim | null },
): Promise<Capsule> {
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
  return getCapsule(deps, actor, capsule.id);
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
