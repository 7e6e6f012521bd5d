import type { Capsule, CapsuleType, Contribution } from '../../../shared/api/capsules.ts';
import { isLocked } from '../../../shared/capsule-time.ts';
import { toMegabytes } from '../../../shared/file-types.ts';
import type { Actor } from '../../auth/sessions.ts';
import {
  type CapsuleContents,
  type CapsuleRow,
  type FileRow,
  findContents,
} from '../../db/capsules/capsules.ts';
import { findAddedNames, findContributionPage } from '../../db/drafts/contributions.ts';
import type { Deps } from '../../deps.ts';

/**
 * The time lock: the only place that decides whether a capsule's contents may leave the server,
 * by the server's clock alone, for everyone including its creator.
 */
export function isOpen(capsule: Pick<CapsuleRow, 'unlockAt'>, now: Date): boolean {
  return !isLocked(capsule.unlockAt, now);
}

type ViewDeps = Pick<Deps, 'db' | 'clock'>;
type Added = NonNullable<Capsule['added']>;
type TypeOf = (row: CapsuleRow) => CapsuleType;

/** Capsules as they may be seen now, without what others have added. */
export async function viewCapsules(
  deps: ViewDeps,
  actor: Actor,
  rows: CapsuleRow[],
  typeOf: TypeOf,
): Promise<Capsule[]> {
  const views = await view(deps, actor, rows, typeOf, 'creator');
  return views.map(({ capsule }) => capsule);
}

/** With the stored files, for who reads them as well. There are none while it is locked. */
export interface CapsuleView {
  capsule: Capsule;
  files: FileRow[];
}

/** As `viewCapsules`, with all files. `eachContribution` reads the letters of others. */
export function viewWithFiles(
  deps: ViewDeps,
  actor: Actor,
  rows: CapsuleRow[],
  typeOf: TypeOf,
): Promise<CapsuleView[]> {
  return view(deps, actor, rows, typeOf, 'all');
}

/**
 * What others have added to a capsule, one after the other, without those of which nothing came in
 * time. It is never in memory together: a capsule may have many letters.
 */
export async function* eachContribution(
  { db }: Pick<Deps, 'db'>,
  { capsule, files }: Pick<CapsuleView, 'capsule'> & { files: AddedFile[] },
): AsyncGenerator<Contribution> {
  if (capsule.locked || !capsule.contributors) return;
  for (let afterId: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof findContributionPage>> = await findContributionPage(
      db,
      capsule.id,
      afterId,
    );
    for (const { id, name, letter } of page.rows) {
      afterId = id;
      const fileIds = files.filter((file) => file.contributionId === id).map((file) => file.id);
      if (letter !== '' || fileIds.length > 0) {
        yield { id, name, personalMessage: letter, fileIds };
      }
    }
    if (page.left === 0) return;
  }
}

type AddedFile = Pick<FileRow, 'id' | 'contributionId'>;

/**
 * Contents of locked capsules are not read from the database, so that no later mistake can leak them.
 */
async function view(
  { db, clock }: ViewDeps,
  actor: Actor,
  rows: CapsuleRow[],
  typeOf: TypeOf,
  files: 'creator' | 'all',
): Promise<CapsuleView[]> {
  const now = clock.now();
  const open = rows.filter((row) => isOpen(row, now));
  const contents = await findContents(
    db,
    open.map((row) => row.id),
    files,
  );
  return rows.map((row) => {
    const inside = contents.get(row.id) ?? null;
    return { capsule: presentCapsule(row, actor, typeOf(row), inside), files: inside?.files ?? [] };
  });
}

/** A capsule that has just been sealed, for its creator. It is locked, so no contents are read. */
export function viewNewCapsule(row: CapsuleRow, actor: Actor, added: Added): Capsule {
  return { ...presentCapsule(row, actor, 'created', null), ...(added.length > 0 && { added }) };
}

/** With who else is in it, for its creator before the day. Afterwards it is told with their letters. */
export async function withAdded(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  capsule: Capsule,
): Promise<Capsule> {
  if (!capsule.locked || capsule.senderId !== actor.userId) return capsule;
  const added = await findAddedNames(db, capsule.id);
  return added.length === 0 ? capsule : { ...capsule, added };
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
    mediaCount: row.mediaCount,
    fileInfo:
      contents?.files.map((file) => ({
        fileId: file.id,
        fileName: file.name,
        fileSize: toMegabytes(file.bytes),
        fileType: file.type,
        ...(file.lostAt && { lost: true }),
      })) ?? [],
    personalMessage: contents?.personalMessage ?? null,
    ...(contents && contents.contributors > 0 && { contributors: contents.contributors }),
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
