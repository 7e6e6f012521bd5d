import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import format from '../../../docs/format.md?raw';
import type { Capsule } from '../../../shared/api/capsules.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { findOwnAddresses } from '../../db/accounts/addresses.ts';
import { findInvitationsBy } from '../../db/accounts/invitations.ts';
import { findAccount } from '../../db/accounts/users.ts';
import { findOwnCapsules, type OwnCapsule } from '../../db/capsules/capsule-pages.ts';
import { findBlocked } from '../../db/doors/blocks.ts';
import { findDraftIds } from '../../db/drafts/drafts.ts';
import type { Deps } from '../../deps.ts';
import { getCurrentUser } from '../accounts/profile.ts';
import { capsuleJson } from '../capsules/capsule-json.ts';
import { eachContribution, isOpen } from '../capsules/capsule-view.ts';
import { findCapsule } from '../capsules/capsules.ts';
import { readDrafts } from '../drafts/read-drafts.ts';
import { archiveName, archivePath, capsuleFolder, draftFolder } from './archive-path.ts';
import { inTurns } from './in-turns.ts';
import { type Keepsake, keepsakePage, type Loss } from './keepsake-page.ts';
import { type ReadCapsule, readCapsules } from './read-capsules.ts';

type ExportDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'files'> & {
  actor: Actor;
};

/** The version of the archive, which `docs/format.md` describes. */
const FORMAT = 1;

/**
 * Photos, videos and PDFs are already compressed. Stored without deflate, though, an entry of unknown
 * size doesn't show where it ends, and programs that unpack from the beginning refuse it.
 */
const FASTEST = { compressionLevel: 1 };

/** What an archive is made from. Only the ids of capsules, to save memory. */
type Collection = Awaited<ReturnType<typeof collect>>;

/**
 * Everything of a person as a ZIP: the files of open capsules, then all of it as a page to read and
 * print, then the account and all capsules as JSON. Locked capsules are listed without contents.
 * Data is read while the archive is sent, one page of capsules or one file at a time. An unreadable
 * file is named in the page and the JSON, and the export goes on.
 */
export async function exportAccount(
  given: Pick<Deps, 'config' | 'db' | 'clock' | 'files'>,
  actor: Actor,
): Promise<Readable> {
  const now = given.clock.now();
  // One time for the whole export, so that a capsule opening meanwhile is not half in it.
  const deps = { ...given, clock: { now: () => now }, actor };
  const collection = await collect(deps);
  return archiveOf(actor, (zip) => fill(deps, zip, collection));
}

async function collect(deps: ExportDeps) {
  const { db, actor, clock } = deps;
  const own = await findOwnAddresses(db, actor.userId, clock.now());
  const { created, received } = await findOwnCapsules(db, actor.userId);
  // What somebody has sealed for themselves is in both.
  const all = [...new Map([...created, ...received].map((one) => [one.id, one])).values()];
  all.sort((a, b) => Number(a.unlockAt) - Number(b.unlockAt));
  const opened = idsOf(all.filter((one) => isOpen(one, clock.now())));
  return {
    account: {
      ...(await getCurrentUser(deps, actor)),
      secondEmail: own?.secondEmail ?? null,
      picture: null as string | null,
    },
    /** Whom they have blocked, the last one first. */
    blocked: (await findBlocked(db, actor.userId)).map(({ avatarKey: _, ...person }) => person),
    created: idsOf(created.sort(newestFirst)),
    received: idsOf(received.sort(newestFirst)),
    /** Both in the order of their opening days: what has opened, and what has not. */
    opened,
    /** The number of each opened capsule in the page. */
    numbers: new Map(opened.map((id, index) => [id, index + 1])),
    sealed: idsOf(all.filter((one) => !isOpen(one, clock.now()))),
    /** What is not sealed yet, in the order in which it was begun. */
    drafts: await findDraftIds(db, actor.userId),
    /** Where their files are. Drafts may be changed once those are packed. */
    draftPaths: new Map<string, string>(),
    isPacked: false,
    /** Files that are missing from the archive or incomplete. */
    lost: [] as { path: string; fileId: string; fileName: string; why: Loss }[],
  };
}

const newestFirst = (a: OwnCapsule, b: OwnCapsule) =>
  Number(b.createdAt) - Number(a.createdAt) || (a.id < b.id ? 1 : -1);
const idsOf = (capsules: { id: string }[]) => capsules.map(({ id }) => id);

/**
 * All files of an open capsule as a ZIP, with the name it is saved under. What can't be read whole is
 * named in it, and the others go on. @throws FILE_NOT_FOUND as a single file does
 */
export async function capsuleArchive(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'files'>,
  actor: Actor,
  id: string,
): Promise<{ name: string; read: () => Readable }> {
  const view = await findCapsule(deps, actor, id).catch((error: unknown) => {
    throw error instanceof AppError ? new AppError('FILE_NOT_FOUND') : error;
  });
  const { capsule, files } = view;
  if (capsule.locked || files.length === 0) throw new AppError('FILE_NOT_FOUND');
  const name = archiveName(capsule.title);
  const fill = async (zip: ZipFile) => {
    const lost: string[] = [];
    for (const file of files) {
      const path = archivePath(name, file);
      if (await addFile(deps, zip, { ...file, path })) lost.push(file.name);
    }
    const text = `These files could not be read whole:\r\n\r\n${lost.join('\r\n')}\r\n`;
    if (lost.length > 0) await addText(zip, [text], `${name}/Not complete.txt`);
    zip.end();
  };
  return { name: `${name}.zip`, read: () => archiveOf(actor, fill) };
}

/** @param fill ends the archive */
function archiveOf({ userId }: Actor, fill: (zip: ZipFile) => Promise<void>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error) => output.destroy(error));
  // It may fail while it waits for its turn. Whoever reads it hears of it then.
  output.on('error', () => {});
  fill(zip).catch((error: Error) => output.destroy(error));
  const archive = Readable.from(inTurns(output, userId), { objectMode: false });
  // Also when nobody has begun to read it: files that are packed would stay open.
  return archive.once('close', () => output.destroy());
}

async function fill(deps: ExportDeps, zip: ZipFile, collection: Collection): Promise<void> {
  for await (const file of eachFile(deps, collection)) {
    const why = await addFile(deps, zip, file);
    if (why) collection.lost.push({ path: file.path, ...named(file), why });
  }
  collection.isPacked = true;
  collection.account.picture = await addPicture(deps, zip);
  await addText(zip, keepsakePage(keepsakeOf(deps, collection)), 'index.html');
  await addText(zip, [format], 'README.txt');
  await addText(zip, jsonOf(deps, collection), 'time-capsule.json');
  zip.end();
}

/** @returns why the file is missing or incomplete, or null */
async function addFile(
  { files }: Pick<Deps, 'files'>,
  zip: ZipFile,
  file: PackedFile,
): Promise<Loss | null> {
  const stored = await files.read(file.storageKey).catch((error: unknown) => {
    // The whole store is unreachable. An archive without files must not look complete.
    if (error instanceof AppError) throw error;
    return 'damaged' as const;
  });
  if (stored === 'damaged') return stored;
  if (!stored) return 'missing';
  const hash = createHash('sha256');
  const { stream: source } = stored;
  const stream = new PassThrough();
  // If the reader goes away, the stored file must not stay open.
  stream.once('close', () => source.destroy());
  // What can still be read is in the archive all the same: it may be all that is left.
  source.once('error', () => stream.end());
  source.on('data', (piece: Buffer) => hash.update(piece)).pipe(stream);
  await addStream(zip, stream, file.path, FASTEST);
  return hash.digest('hex') === file.sha256 ? null : 'damaged';
}

/** The person's avatar. @returns its path; null when there is none, or it can't be read */
async function addPicture({ db, actor, files }: ExportDeps, zip: ZipFile): Promise<string | null> {
  const key = (await findAccount(db, actor.userId))?.avatarKey;
  const read = async () => {
    const stored = key ? await files.read(key) : null;
    // Re-encoded to a few kilobytes when it was uploaded.
    return stored && buffer(stored.stream);
  };
  const picture = await read().catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    return null;
  });
  if (!picture) return null;
  const path = 'picture.webp';
  await addStream(zip, Readable.from([picture]), path, FASTEST);
  return path;
}

async function addText(
  zip: ZipFile,
  pieces: AsyncIterable<string> | Iterable<string>,
  path: string,
): Promise<void> {
  await addStream(zip, Readable.from(pieces, { objectMode: false }), path);
}

/** Resolves when the archive has read the stream to its end. */
async function addStream(
  zip: ZipFile,
  stream: Readable,
  path: string,
  options: { compressionLevel?: number } = {},
): Promise<void> {
  const output = zip.outputStream as Readable;
  const giveUp = () => stream.destroy();
  output.once('close', giveUp);
  if (output.destroyed) giveUp();
  else zip.addReadStream(stream, path, options);
  await finished(stream);
  output.off('close', giveUp);
}

/** With its path in the archive. */
type PackedFile = Omit<ReadCapsule['files'][number], 'contributionId'> & { path: string };

/** The files of a capsule, which has a number if it is open. */
function filesOf({ capsule, files }: ReadCapsule, { numbers }: Collection) {
  const folder = capsuleFolder(numbers.get(capsule.id) ?? 0, capsule);
  return files.map((file) => ({ ...file, path: archivePath(folder, file) }));
}

async function* eachFile(deps: ExportDeps, all: Collection): AsyncGenerator<PackedFile> {
  for await (const one of readCapsules(deps, all.opened)) yield* filesOf(one, all);
  for await (const { files } of eachDraft(deps, all)) yield* files;
}

/** A number of its own is in the folder of each draft, because many have the same title, or none. */
async function* eachDraft(deps: ExportDeps, { drafts, draftPaths, isPacked }: Collection) {
  for await (const draft of readDrafts(deps, deps.actor, drafts)) {
    const folder = draftFolder(draft.number, draft.content.fields.title);
    const files = draft.files.flatMap((file) => {
      if (!isPacked) draftPaths.set(file.id, archivePath(folder, file));
      const path = draftPaths.get(file.id);
      return path ? [{ ...file, path }] : [];
    });
    yield { ...draft, files };
  }
}

/** A draft as a program reads it. */
async function* eachDraftEntry(deps: ExportDeps, all: Collection) {
  for await (const { id, createdAt, writtenAt, content, contributions } of eachDraft(deps, all)) {
    const { fields, files } = content;
    yield {
      id,
      createdAt,
      changedAt: writtenAt,
      ...fields,
      recipients: fields.recipients.map(({ name, email }) => ({ name, email })),
      fileInfo: files.map(({ id: fileId, name: fileName, bytes }) => ({ fileId, fileName, bytes })),
      contributions,
    };
  }
}

async function* eachSealed(deps: ExportDeps, ids: string[]): AsyncGenerator<Capsule> {
  for await (const { capsule } of readCapsules(deps, ids)) yield capsule;
}

/** The same for the page. */
function keepsakeOf(deps: ExportDeps, collection: Collection): Keepsake {
  const { account, opened, sealed, drafts, lost, numbers } = collection;
  const numbered = <C extends { id: string }>(capsule: C) => ({
    capsule,
    number: numbers.get(capsule.id) ?? 0,
  });
  const losses = new Map(lost.map(({ fileId, why }) => [fileId, why]));
  const lossOf = <File extends { id: string }>(file: File) => ({
    ...file,
    lost: losses.get(file.id),
  });
  return {
    owner: account,
    siteName: deps.config.siteName,
    now: deps.clock.now(),
    counts: {
      opened: opened.length,
      sealed: sealed.length,
      drafts: drafts.length,
      lost: lost.length,
    },
    async *titles() {
      for await (const { capsule } of readCapsules(deps, opened)) yield numbered(capsule);
    },
    async *opened() {
      for await (const one of readCapsules(deps, opened)) {
        const files = filesOf(one, collection).map(lossOf);
        yield { ...numbered(one.capsule), files, contributions: eachContribution(deps, one) };
      }
    },
    sealed: () => eachSealed(deps, sealed),
    async *drafts() {
      for await (const { files, ...draft } of eachDraft(deps, collection)) {
        yield { ...draft, files: files.map(lossOf) };
      }
    },
  };
}

async function* jsonOf(deps: ExportDeps, collection: Collection): AsyncGenerator<string> {
  const { account, blocked, created, received, lost } = collection;
  yield `{\n"format": ${FORMAT},\n"exportedAt": ${JSON.stringify(deps.clock.now())},\n"account": ${JSON.stringify(account)}`;
  const lists = { created, received };
  for (const type of ['created', 'received'] as const) {
    yield* jsonList(type, readCapsules(deps, lists[type]), ({ capsule, files }) =>
      capsuleJson(deps, { capsule: { ...capsule, type }, files }),
    );
  }
  yield* jsonList('drafts', eachDraftEntry(deps, collection));
  yield* jsonList('invitations', await findInvitationsBy(deps.db, deps.actor.userId));
  yield* jsonList('blocked', blocked);
  yield* jsonList('files', eachFileEntry(deps, collection));
  yield* jsonList('lost', lost);
  yield '\n}\n';
}

async function* jsonList<Item>(
  name: string,
  items: AsyncIterable<Item> | Iterable<Item>,
  asJson: (item: Item) => AsyncIterable<string> | Iterable<string> = (item) => [
    JSON.stringify(item),
  ],
): AsyncGenerator<string> {
  let separator = '\n';
  yield `,\n"${name}": [`;
  for await (const item of items) {
    yield separator;
    yield* asJson(item);
    separator = ',\n';
  }
  yield '\n]';
}

async function* eachFileEntry(deps: ExportDeps, collection: Collection) {
  for await (const file of eachFile(deps, collection)) {
    yield { path: file.path, ...named(file), sha256: file.sha256 };
  }
}

function named({ id, name }: PackedFile) {
  return { fileId: id, fileName: name };
}
