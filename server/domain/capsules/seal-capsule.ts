import type { Capsule } from '../../../shared/api/capsules.ts';
import type { NewCapsule } from '../../../shared/api/new-capsule.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { findUsersByEmail, lockUser } from '../../db/accounts/users.ts';
import { insertSealed } from '../../db/capsules/seal.ts';
import { sealContributions } from '../../db/drafts/contributions.ts';
import { isForeignKeyViolation } from '../../db/errors.ts';
import type { Queryable } from '../../db/open.ts';
import { takePending } from '../../db/storage/pending-files.ts';
import { takeUploads } from '../../db/storage/uploads.ts';
import type { Deps } from '../../deps.ts';
import { inviteRecipients, type ShownLink } from '../accounts/invitations.ts';
import { endDraft } from '../drafts/end-draft.ts';
import { choosePeopleToNotify, queueWaitingNotices } from '../emails/queue.ts';
import { assertRoom } from '../storage/storage-limit.ts';
import type { KeyClaim } from './capsule-keys.ts';
import { viewNewCapsule } from './capsule-view.ts';
import { fingerprint } from './fingerprint.ts';
import {
  type CheckedCapsule,
  checkFiles,
  checkNewCapsule,
  checkUnlockDay,
  inOrder,
  type ReceivedFile,
  zoneOf,
} from './new-capsule.ts';
import { aDayBefore, assertWithinDay } from './seals-a-day.ts';

interface Sealing {
  checked: CheckedCapsule;
  /** Already on stable storage, in display order. */
  files: ReceivedFile[];
  claim: KeyClaim | null;
  /** By which browser it came, in words. */
  device?: string;
  /** As in `IncomingCapsule`. */
  countInvitation?: (email: string) => Promise<void>;
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
    for (const { email } of checked.invitees) await sealing.countInvitation?.(email);
    return seal(deps, actor, { ...sealing, checked });
  }
}

async function seal(deps: SealDeps, actor: Actor, sealing: Sealing): Promise<SealedCapsule> {
  const { checked, files, device = '' } = sealing;
  const { fields, invitees } = checked;
  const now = deps.clock.now();
  // Checked again, because a long upload may have ended after midnight.
  checkUnlockDay(fields, now);
  const rows = rowsOf(deps, actor, sealing, now);
  const { capsule, draftId } = rows;
  checkFiles(deps.config, capsule.mediaCount, capsule.totalBytes);
  const notified = await choosePeopleToNotify(deps, capsule, checked.recipients);
  const { creator, recipients, links, others } = await deps.db.transaction(async (tx) => {
    // Seals of one person run one after another, so that the storage limit counts them all.
    const creator = await lockUser(tx, actor.userId);
    // Somebody may have been suspended while their files arrived.
    if (!creator || creator.suspendedAt) throw new AppError('UNAUTHENTICATED');
    const links = await inviteRecipients(tx, deps, actor.userId, invitees);
    const found =
      invitees.length > 0
        ? await findUsersByEmail(tx, fields.recipientEmails, actor.userId)
        : checked.recipients;
    const recipients = inOrder(fields, found);
    // Taken before their bytes are counted as files of the capsule.
    await takeFiles(tx, actor, fields, files);
    const recipientIds = recipients.map(({ id }) => id);
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
      await endDraft(tx, actor, draftId, {
        fields,
        files,
        writtenOn: device,
        writtenAt: now,
      });
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
      ...capsule,
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

function rowsOf(
  { ids }: Pick<Deps, 'ids'>,
  { userId: creatorId }: Actor,
  { checked: { fields, unlockAt }, files, claim }: Sealing,
  now: Date,
) {
  const capsuleId = ids.uuid();
  return {
    capsule: {
      id: capsuleId,
      creatorId,
      title: fields.title,
      description: fields.description,
      personalMessage: fields.personalMessage,
      dateToUnlock: fields.dateToUnlock,
      timeZone: zoneOf(fields),
      unlockAt,
      notifyRecipient: fields.notifyRecipient,
      mediaCount: files.length,
      totalBytes: files.reduce((sum, file) => sum + file.bytes, 0),
      createdAt: now,
    },
    files: files.map((file, position) => ({ ...file, id: ids.uuid(), capsuleId, position })),
    countedSince: aDayBefore(now),
    // Older apps don't say which draft it was: the key is its id.
    draftId: fields.draft?.id ?? claim?.key ?? null,
    key: claim && { ...claim, fingerprint: fingerprint(fields, files), capsuleId },
  };
}

/** Makes the bytes the capsule's: those of the body, and those of resumable uploads. @throws UNAVAILABLE, UPLOAD_NOT_FOUND */
async function takeFiles(
  tx: Queryable,
  actor: Actor,
  { uploads }: NewCapsule,
  files: ReceivedFile[],
): Promise<void> {
  const ofBody = files.filter(({ uploadId }) => uploadId === undefined);
  const isKept = await takePending(
    tx,
    ofBody.map(({ storageKey }) => storageKey),
  );
  // They took more than a day to arrive.
  if (!isKept) throw new AppError('UNAVAILABLE');
  const taken = await takeUploads(tx, actor, uploads);
  const seen = new Set(files.map(({ storageKey }) => storageKey));
  // An upload that was cancelled and restarted meanwhile has the same id but other bytes.
  const same = taken.filter(({ storageKey }) => seen.has(storageKey));
  if (same.length !== uploads.length) throw new AppError('UPLOAD_NOT_FOUND');
}

function textBytes({ title, description, personalMessage }: NewCapsule): number {
  return Buffer.byteLength(title + description + personalMessage);
}
