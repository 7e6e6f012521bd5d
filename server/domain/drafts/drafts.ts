import type {
  AccountDraft,
  DraftContent,
  DraftRevision,
  listDrafts as listEndpoint,
  saveAccountDraft as saveEndpoint,
} from '../../../shared/api/drafts.ts';
import type { ResponseOf } from '../../../shared/api/endpoint.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { lockUser, updateUser } from '../../db/accounts/users.ts';
import {
  type DraftRow,
  discardDraft as discard,
  findChanges,
  findDraft,
  findDraftChoice,
  findDraftOutside,
  findRevisionBefore,
  writeDraft,
} from '../../db/drafts/drafts.ts';
import type { Queryable } from '../../db/open.ts';
import {
  findArrived,
  findUpload,
  nameUploads,
  touchUploads,
  type UploadRow,
} from '../../db/storage/uploads.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';
import { JsonText } from '../../json-text.ts';
import { checkStorageLimit } from '../storage/storage-limit.ts';
import { complete } from '../storage/uploads.ts';
import { readStored, storedText, toStore } from './outside.ts';

/*
 * What is not sealed yet, on all devices of a person. Devices decide what merges (see
 * client/db/merge-draft.ts); here a draft is only replaced by what was written on its last revision.
 */

type DraftDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'limits'>;

/**
 * A page of what was changed after a revision, as JSON: drafts leave as the text that they are stored
 * as, since one has up to two megabytes, and was checked when it came.
 */
export async function listDrafts(
  { db }: Pick<Deps, 'db'>,
  { userId }: Actor,
  since: number,
): Promise<JsonText<ResponseOf<typeof listEndpoint>>> {
  const { rows, more } = await findChanges(db, userId, since);
  const arrived = await arrivedOf(db, rows);
  const drafts = rows.map(({ content, ...row }) => {
    const outside = JSON.stringify(withoutContent(row, arrived));
    return `${outside.slice(0, -1)},"content":${content && storedText(content)}}`;
  });
  const rest = JSON.stringify({ userId, more, onlyOnDevice: await findDraftChoice(db, userId) });
  return new JsonText(`${rest.slice(0, -1)},"drafts":[${drafts.join()}]}`);
}

interface NewRevision {
  id: string;
  /** The revision it was written on; 0 for a new draft. */
  base: number;
  content: DraftContent;
  writeId?: string | undefined;
  /** A browser and a system in words. */
  writtenOn: string;
}

/** @throws DRAFT_CHANGED if there is a newer revision, or it was sealed; STORAGE_LIMIT_REACHED, RATE_LIMITED */
export async function saveDraft(
  { config, db, clock, limits }: DraftDeps,
  actor: Actor,
  { id, base, content, writeId, writtenOn }: NewRevision,
): Promise<ResponseOf<typeof saveEndpoint>> {
  const name = { userId: actor.userId, id };
  const written = toStore(content);
  const text = written.content;
  return withPersonLocked(db, actor, async (tx) => {
    const saved = async (row: Pick<DraftRow, 'revision' | 'writtenOn' | 'writtenAt'>) => ({
      ...revisionOf(row),
      previous: await findRevisionBefore(tx, actor.userId, row.revision),
    });
    const before = await findDraft(tx, name);
    // A repeat after a lost answer. Another device may have written since.
    const repeated = before?.writes.find((write) => write.id === writeId);
    if (before && (repeated || before.content === text)) return saved({ ...before, ...repeated });
    if (!before) await limits.take('newDraft', actor.userId);
    await checkBase(tx, before, base);
    const moreBytes = Buffer.byteLength(text) - Buffer.byteLength(before?.content ?? '');
    if (moreBytes > 0) await checkStorageLimit({ config, db: tx }, actor, moreBytes);
    const writing = { writtenOn, writtenAt: clock.now() };
    const write = writeId === undefined ? null : { id: writeId, before: before?.writes ?? [] };
    const revision = await writeDraft(tx, name, written, writing, write);
    const fileIds = content.files.map((file) => file.id);
    await nameUploads(tx, { userId: actor.userId, draftId: id }, fileIds);
    return saved({ ...writing, revision });
  });
}

/**
 * Another device may have written on while it was offline, and then the draft comes back. For as long
 * as uploads wait for their capsule, its files come back with it. @throws DRAFT_CHANGED
 */
export async function discardDraft(
  { db, clock }: Pick<DraftDeps, 'db' | 'clock'>,
  actor: Actor,
  { id, base, writtenOn }: Omit<NewRevision, 'content'>,
): Promise<void> {
  const name = { userId: actor.userId, id };
  await withPersonLocked(db, actor, async (tx) => {
    const before = await findDraftOutside(tx, name);
    if (!before || before.gone) return;
    if (before.revision > base) await checkBase(tx, await findDraft(tx, name), base);
    const now = clock.now();
    await discard(tx, name, { writtenOn, writtenAt: now });
    await touchUploads(tx, { userId: actor.userId, draftId: id }, now);
  });
}

/** A file of a draft whose bytes have arrived. @throws FILE_NOT_FOUND */
export async function findDraftFile(
  deps: Parameters<typeof complete>[0],
  actor: Actor,
  { id, fileId }: { id: string; fileId: string },
): Promise<UploadRow & { type: string; sha256: string }> {
  const upload = isUuid(fileId) ? await findUpload(deps.db, actor, fileId) : undefined;
  if (upload?.draftId !== id.toLowerCase() || upload.received !== upload.bytes) {
    throw new AppError('FILE_NOT_FOUND');
  }
  // The server may have stopped between the last part and completing the upload.
  const file = await complete(deps, upload);
  if (file.type === null || file.sha256 === null) throw new AppError('FILE_NOT_FOUND');
  return { ...file, type: file.type, sha256: file.sha256 };
}

/** Whether new drafts stay on the device that begins them. */
export async function setDraftChoice(
  { db }: Pick<Deps, 'db'>,
  { userId }: Actor,
  onlyOnDevice: boolean,
): Promise<void> {
  await updateUser(db, userId, { draftsOnlyOnDevice: onlyOnDevice });
}

/**
 * Changes of one person's drafts take turns.
 * @throws UNAUTHENTICATED when the account is gone or suspended, or what `refusal` makes
 */
export function withPersonLocked<Result>(
  db: Deps['db'],
  { userId }: Pick<Actor, 'userId'>,
  change: (tx: Queryable) => Promise<Result>,
  refusal = () => new AppError('UNAUTHENTICATED'),
): Promise<Result> {
  return db.transaction(async (tx) => {
    const person = await lockUser(tx, userId);
    if (!person || person.suspendedAt) throw refusal();
    return change(tx);
  });
}

/**
 * A draft that is not known here may have any base, and a known one a higher base than its revision:
 * the database was restored from a backup, and the device knows more. @throws DRAFT_CHANGED
 */
async function checkBase(tx: Queryable, before: DraftRow | undefined, base: number): Promise<void> {
  if (!before || (before.gone !== 'sealed' && before.revision <= base)) return;
  const content = before.content === null ? null : readStored(before.content);
  const draft = { ...withoutContent(before, await arrivedOf(tx, [before])), content };
  throw new AppError('DRAFT_CHANGED', { draft });
}

type OutsideRow = Omit<DraftRow, 'content'>;

/** Ids of the files of these drafts of one person that have arrived, by the ids of the drafts. */
async function arrivedOf(db: Queryable, rows: OutsideRow[]): Promise<Map<string, string[]>> {
  const [first] = rows;
  const ids = rows.filter(({ gone }) => gone === null).map(({ id }) => id);
  const arrived = new Map<string, string[]>(ids.map((id) => [id, []]));
  if (!first || ids.length === 0) return arrived;
  const uploads = await findArrived(db, first.userId, ids);
  for (const { id, draftId } of uploads) arrived.get(draftId ?? '')?.push(id);
  return arrived;
}

/** A draft as the devices of its person see it, but for what it says. */
function withoutContent(
  row: OutsideRow,
  arrived: Map<string, string[]>,
): Omit<AccountDraft, 'content'> {
  const { id, gone, writes } = row;
  const made = writes.map((write) => write.id);
  return { id, ...revisionOf(row), gone, arrived: arrived.get(id) ?? [], writes: made };
}

function revisionOf({
  revision,
  writtenOn,
  writtenAt,
}: Pick<DraftRow, 'revision' | 'writtenOn' | 'writtenAt'>): DraftRevision {
  return { revision, writtenOn, writtenAt: writtenAt.toISOString() };
}
