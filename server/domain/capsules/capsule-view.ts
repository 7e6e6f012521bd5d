import type { Capsule, CapsuleType } from '../../../shared/api/capsules.ts';
import { isLocked } from '../../../shared/capsule-time.ts';
import { toMegabytes } from '../../../shared/file-types.ts';
import type { Actor } from '../../auth/sessions.ts';
import {
  type CapsuleContents,
  type CapsuleRow,
  type FileRow,
  findContents,
} from '../../db/capsules/capsules.ts';
import type { Deps } from '../../deps.ts';

/**
 * The time lock: the only place that decides whether a capsule's contents may leave the server,
 * by the server's clock alone, for everyone including its creator.
 */
export function isOpen(capsule: Pick<CapsuleRow, 'unlockAt'>, now: Date): boolean {
  return !isLocked(capsule.unlockAt, now);
}

/** Capsules as they may be seen now. */
export async function viewCapsules(
  deps: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  rows: CapsuleRow[],
  typeOf: (row: CapsuleRow) => CapsuleType,
): Promise<Capsule[]> {
  const views = await viewWithFiles(deps, actor, rows, typeOf);
  return views.map(({ capsule }) => capsule);
}

/** With the stored files, for who reads them as well. There are none while it is locked. */
export interface CapsuleView {
  capsule: Capsule;
  files: FileRow[];
}

/**
 * As `viewCapsules`, with the files. Contents of locked capsules are not read from the database,
 * so that no later mistake can leak them.
 */
export async function viewWithFiles(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  rows: CapsuleRow[],
  typeOf: (row: CapsuleRow) => CapsuleType,
): Promise<CapsuleView[]> {
  const now = clock.now();
  const open = rows.filter((row) => isOpen(row, now));
  const contents = await findContents(
    db,
    open.map((row) => row.id),
  );
  return rows.map((row) => {
    const inside = contents.get(row.id) ?? null;
    return { capsule: presentCapsule(row, actor, typeOf(row), inside), files: inside?.files ?? [] };
  });
}

/** A capsule that has just been sealed, for its creator. It is locked, so nothing is read for it. */
export function viewNewCapsule(row: CapsuleRow, actor: Actor): Capsule {
  return presentCapsule(row, actor, 'created', null);
}

/** @param contents null while it is locked. */
function presentCapsule(
  row: CapsuleRow,
  actor: Actor,
  type: CapsuleType,
  contents: CapsuleContents | null,
): Capsule {
  const received = row.recipients.find(({ userId }) => userId === actor.userId);
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    createdBy: row.senderName,
    senderName: row.senderName,
    senderId: row.creatorId,
    senderEmail: row.senderEmail,
    recipientEmails: row.recipients.map(({ email }) => email),
    refusals: row.creatorId === actor.userId ? row.refusals : 0,
    recipients: row.recipients.map(({ userId, name, email, openedOn }) => {
      const isKnown = userId === actor.userId || row.creatorId === actor.userId;
      return { userId, name, email, ...(openedOn !== null && isKnown && { openedOn }) };
    }),
    dateToUnlock: row.dateToUnlock,
    unlockDate: row.dateToUnlock,
    timeZone: row.timeZone,
    unlockAt: row.unlockAt.toISOString(),
    locked: contents === null,
    createdAt: row.createdAt.toISOString(),
    // What others have added is not counted before the day.
    mediaCount: contents?.files.length ?? row.mediaCount,
    fileInfo:
      contents?.files.map((file) => ({
        fileId: file.id,
        fileName: file.name,
        fileSize: toMegabytes(file.bytes),
        fileType: file.type,
        ...(file.lostAt && { lost: true }),
      })) ?? [],
    personalMessage: contents?.personalMessage ?? null,
    ...contributionsOf(contents),
    hidden: received?.hidden ?? false,
    ready: contents !== null && (received?.unseen ?? false),
    asksToTell:
      contents !== null &&
      received?.hasAnswered === false &&
      row.creatorId !== null &&
      row.creatorId !== actor.userId,
    type,
  };
}

/** Without those of which nothing came in time. */
function contributionsOf(contents: CapsuleContents | null): Pick<Capsule, 'contributions'> {
  const contributions = contents?.contributions
    .map(({ id, name, letter }) => ({
      id,
      name,
      personalMessage: letter,
      fileIds: contents.files.filter((file) => file.contributionId === id).map((file) => file.id),
    }))
    .filter(({ personalMessage, fileIds }) => personalMessage !== '' || fileIds.length > 0);
  return contributions?.length ? { contributions } : {};
}
