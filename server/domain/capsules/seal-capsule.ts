import { createHash } from 'node:crypto';
import type { Capsule } from '../../../shared/api/capsules.ts';
import type { Invitee, NewCapsule } from '../../../shared/api/new-capsule.ts';
import { addYears, dayAt, knownZone, startOfDay } from '../../../shared/day.ts';
import {
  CAPSULE_FILES_FACTOR,
  FILES_MAX,
  MEGABYTE,
  UNLOCK_YEARS_MAX,
} from '../../../shared/limits.ts';
import { TOO_FAR_AHEAD } from '../../../shared/sentences.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { findUsersByEmail, lockUser } from '../../db/accounts/users.ts';
import { insertSealed } from '../../db/capsules/seal.ts';
import { sealContributions } from '../../db/drafts/contributions.ts';
import { isForeignKeyViolation } from '../../db/errors.ts';
import { takePending } from '../../db/storage/pending-files.ts';
import { takeUploads } from '../../db/storage/uploads.ts';
import type { Deps } from '../../deps.ts';
import { inviteRecipients, type ShownLink } from '../accounts/invitations.ts';
import { checkInviting } from '../accounts/registration.ts';
import { endDraft } from '../drafts/end-draft.ts';
import { choosePeopleToNotify, queueWaitingNotices } from '../emails/queue.ts';
import { assertRoom } from '../storage/storage-limit.ts';
import type { KeyClaim } from './capsule-keys.ts';
import { viewNewCapsule } from './capsule-view.ts';
import { aDayBefore, assertWithinDay } from './seals-a-day.ts';

/** A file whose bytes are already on stable storage. */
export interface ReceivedFile {
  name: string;
  type: string;
  bytes: number;
  sha256: string;
  storageKey: string;
  /** The upload session it came by. */
  uploadId?: string;
}

/** Fields that passed the checks: the day is in the future, and the recipients exist or are to be invited. */
export interface CheckedCapsule {
  fields: NewCapsule;
  unlockAt: Date;
  /** Those who exist. */
  recipients: Recipient[];
  /** Those without an account. */
  invitees: Invitee[];
}

interface Recipient {
  id: string;
  name: string;
  email: string;
}

/** @throws UNLOCK_DAY_INVALID, RECIPIENT_NOT_REGISTERED, REGISTRATION_CLOSED */
export async function checkNewCapsule(
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
  actor: Actor,
  fields: NewCapsule,
): Promise<CheckedCapsule> {
  checkUnlockDay(fields, deps.clock.now());
  const found = await findUsersByEmail(deps.db, fields.recipientEmails, actor.userId);
  const invitees = inviteesOf(fields, found);
  if (invitees.length > 0) checkInviting(deps);
  inOrder(fields, [...found, ...invitees]);
  const unlockAt = startOfDay(fields.dateToUnlock, zoneOf(fields));
  return { fields, unlockAt, recipients: found, invitees };
}

/** Whom this capsule invites: those of its recipients who have no account. */
function inviteesOf(
  { invite = [], recipientEmails }: NewCapsule,
  found: { email: string; isAccount: boolean }[],
): Invitee[] {
  const accounts = new Set(found.filter((one) => one.isAccount).map(({ email }) => email));
  const others = recipientEmails.filter((email) => !accounts.has(email));
  return others.flatMap((email) => invite.find((one) => one.email === email) ?? []);
}

/** The links of those who are invited and still have no account, for a repeat. */
export async function showLinksAgain(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids'>,
  actor: Actor,
  fields: NewCapsule,
): Promise<ShownLink[]> {
  if (!fields.invite || deps.config.emailVerification) return [];
  return deps.db.transaction(async (tx) => {
    const found = await findUsersByEmail(tx, fields.recipientEmails, actor.userId);
    const known = inviteesOf(fields, found).filter((one) =>
      found.some(({ email }) => email === one.email),
    );
    return inviteRecipients(tx, deps, actor.userId, known);
  });
}

/** The people of the recipients' addresses, in their order. @throws RECIPIENT_NOT_REGISTERED */
function inOrder<Person extends { email: string }>(
  { recipientEmails, invite = [] }: NewCapsule,
  found: Person[],
): Person[] {
  const byEmail = new Map(found.map((person) => [person.email, person]));
  const unknown = recipientEmails.filter((email) => !byEmail.has(email));
  if (unknown.length === 0) return recipientEmails.flatMap((email) => byEmail.get(email) ?? []);
  const refused = unknown.filter((email) => invite.some((one) => one.email === email));
  const message =
    refused.length > 0
      ? `We can't invite ${refused.join(', ')}, perhaps because they asked us not to. Please choose somebody else.`
      : unknown.length === 1
        ? `${unknown[0]} isn't registered. Please choose registered people only.`
        : `These addresses aren't registered: ${unknown.join(', ')}. Please choose registered people only.`;
  throw new AppError('RECIPIENT_NOT_REGISTERED', { message, errors: { recipientEmails: message } });
}

function zoneOf({ timeZone, utcOffset }: NewCapsule): string {
  return knownZone(timeZone, utcOffset);
}

function checkUnlockDay(fields: NewCapsule, now: Date): void {
  const { dateToUnlock } = fields;
  const today = dayAt(now, zoneOf(fields));
  const refuse = (message: string) => {
    throw new AppError('UNLOCK_DAY_INVALID', { message, errors: { dateToUnlock: message } });
  };
  // ISO days compare as text.
  if (dateToUnlock <= today)
    refuse('The unlock date must be after today. Please choose a later date.');
  if (dateToUnlock > addYears(today, UNLOCK_YEARS_MAX)) refuse(TOO_FAR_AHEAD);
}

/** Files of the body and resumable uploads together. @throws TOO_MANY_FILES, PAYLOAD_TOO_LARGE */
function checkFiles({ maxFileMB }: Deps['config'], count: number, totalBytes: number): void {
  if (count > FILES_MAX) {
    const message = `Too many files. A capsule can have at most ${FILES_MAX}.`;
    throw new AppError('TOO_MANY_FILES', { message });
  }
  const totalMB = maxFileMB * CAPSULE_FILES_FACTOR;
  if (totalBytes > totalMB * MEGABYTE) {
    const message = `All files together can be at most ${totalMB} MB.`;
    throw new AppError('PAYLOAD_TOO_LARGE', { message });
  }
}

interface Sealing {
  checked: CheckedCapsule;
  /** Already on stable storage, in display order. */
  files: ReceivedFile[];
  claim: KeyClaim | null;
  /** By which browser it came, in words. */
  device?: string;
}

export interface SealedCapsule {
  capsule: Capsule;
  /** To be handed over to those who were invited. */
  links: ShownLink[];
}

type SealDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'limits' | 'mailQueued'>;

/**
 * Seals a capsule: itself, its recipients, files, notices and key are committed together or not
 * at all.
 * @throws what `checkNewCapsule` throws; UNAUTHENTICATED when the account is gone, TOO_MANY_FILES,
 *   PAYLOAD_TOO_LARGE, UPLOAD_NOT_FOUND, STORAGE_LIMIT_REACHED, IDEMPOTENCY_KEY_IN_PROGRESS,
 *   RATE_LIMITED
 */
export async function sealCapsule(
  deps: SealDeps,
  actor: Actor,
  sealing: Sealing,
): Promise<SealedCapsule> {
  try {
    return await seal(deps, actor, sealing);
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    // The account of a recipient was deleted while the files arrived. It may have been made anew.
    const checked = await checkNewCapsule(deps, actor, sealing.checked.fields);
    return seal(deps, actor, { ...sealing, checked });
  }
}

async function seal(
  deps: SealDeps,
  actor: Actor,
  { checked, files, claim, device }: Sealing,
): Promise<SealedCapsule> {
  const { fields, unlockAt, invitees } = checked;
  const now = deps.clock.now();
  // Checked again, because a long upload may have ended after midnight.
  checkUnlockDay(fields, now);
  const outside = {
    id: deps.ids.uuid(),
    creatorId: actor.userId,
    title: fields.title,
    description: fields.description,
    dateToUnlock: fields.dateToUnlock,
    timeZone: zoneOf(fields),
    unlockAt,
    mediaCount: files.length,
    createdAt: now,
  };
  const capsule = {
    ...outside,
    personalMessage: fields.personalMessage,
    notifyRecipient: fields.notifyRecipient,
    totalBytes: files.reduce((sum, file) => sum + file.bytes, 0),
  };
  checkFiles(deps.config, capsule.mediaCount, capsule.totalBytes);
  // Older apps don't say which draft it was: the key is its id.
  const draftId = fields.draft?.id ?? claim?.key ?? null;
  const rows = {
    capsule,
    files: files.map((file, position) => ({
      ...file,
      id: deps.ids.uuid(),
      capsuleId: capsule.id,
      position,
    })),
    countedSince: aDayBefore(now),
    draftId,
    key: claim && { ...claim, fingerprint: fingerprint(fields, files), capsuleId: capsule.id },
  };
  const notified = await choosePeopleToNotify(deps, capsule, checked.recipients);
  const { creator, recipients, links, others } = await deps.db.transaction(async (tx) => {
    // Seals of one person run one after another, so that the storage limit counts them all.
    const creator = await lockUser(tx, actor.userId);
    // Somebody may have been suspended while their files arrived.
    if (!creator || creator.suspendedAt) throw new AppError('UNAUTHENTICATED');
    const own = files.filter(({ uploadId }) => uploadId === undefined);
    const isKept = await takePending(
      tx,
      own.map(({ storageKey }) => storageKey),
    );
    // They took more than a day to arrive.
    if (!isKept) throw new AppError('UNAVAILABLE');
    const links = await inviteRecipients(tx, deps, actor.userId, invitees);
    const found =
      invitees.length > 0
        ? await findUsersByEmail(tx, fields.recipientEmails, actor.userId)
        : checked.recipients;
    const recipients = inOrder(fields, found);
    const recipientIds = recipients.map(({ id }) => id);
    // Taken before their bytes are counted as files of the capsule.
    const taken = await takeUploads(tx, actor, fields.uploads);
    const seen = new Set(files.map(({ storageKey }) => storageKey));
    // An upload that was cancelled and restarted meanwhile has the same id but other bytes.
    const same = taken.filter(({ storageKey }) => seen.has(storageKey));
    if (same.length !== fields.uploads.length) throw new AppError('UPLOAD_NOT_FOUND');
    const { sealedBefore, isKeyHeld, draftBytes, ...used } = await insertSealed(tx, {
      ...rows,
      recipientIds,
    });
    const usedBytes = used.usedBytes - (draftBytes ?? 0);
    const { capsulesADay: ownLimit, storageLimitMB: ownLimitMB } = creator;
    await assertWithinDay(tx, capsule, { sealedBefore, recipients: recipients.length, ownLimit });
    assertRoom(deps, { usedBytes, ownLimitMB }, capsule.totalBytes + textBytes(fields));
    if (!isKeyHeld) throw new AppError('IDEMPOTENCY_KEY_IN_PROGRESS');
    let others: Awaited<ReturnType<typeof sealContributions>> = { files: 0, added: [] };
    if (draftId && (fields.draft || draftBytes !== null)) {
      const sealed = { fields, files, writtenOn: device ?? '', writtenAt: now };
      await endDraft(tx, deps, actor, draftId, sealed);
      const added = { userId: actor.userId, id: draftId, capsuleId: capsule.id };
      const newId = () => deps.ids.uuid();
      others = await sealContributions(tx, { ...added, position: files.length, newId });
    }
    await queueWaitingNotices(tx, deps, capsule, notified);
    return { creator, recipients, links, others };
  });
  if (notified.length + invitees.length > 0) deps.mailQueued();
  const view = viewNewCapsule(
    {
      ...outside,
      mediaCount: files.length + others.files,
      refusals: 0,
      senderName: creator.name,
      senderEmail: creator.email,
      recipients: recipients.map(({ id, name, email }) => ({
        userId: id,
        name,
        email,
        hidden: false,
        unseen: true,
        hasAnswered: false,
        openedOn: null,
      })),
    },
    actor,
    others.added,
  );
  return { capsule: view, links };
}

function textBytes({ title, description, personalMessage }: NewCapsule): number {
  return Buffer.byteLength(title + description + personalMessage);
}

/**
 * Two requests are the same if all fields, and the names and bytes of all files in order, are
 * equal. Fingerprints are stored: a new field may only be added where it differs from its default,
 * or the repeat of an earlier request would be refused. The time zone is the one that was asked
 * for: the server may have learnt its name before the repeat.
 */
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
    files.map((file) => [comparableName(file.name), file.sha256]),
  ]);
  return createHash('sha256').update(canonical).digest('hex');
}

/**
 * Normalises a file name for comparison. Multipart forms drop folders and escape quotes and line
 * ends, while an upload session has the original name.
 */
function comparableName(name: string): string {
  const last = name.replace(/^.*[/\\]/s, '');
  const plain = last.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return plain === '' ? 'file' : plain;
}
