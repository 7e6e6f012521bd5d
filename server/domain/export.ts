import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Capsule, CapsuleType } from '../../shared/api/capsules.ts';
import type { CurrentUser } from '../../shared/api/user.ts';
import { CAPSULES_PER_PAGE_MAX } from '../../shared/limits.ts';
import { AppError } from '../app-error.ts';
import type { Actor } from '../auth/sessions.ts';
import { findCapsuleIds, findCapsules } from '../db/capsule-pages.ts';
import { type CapsuleRow, type FileRow, findFiles } from '../db/capsules.ts';
import type { Deps } from '../deps.ts';
import { isOpen, viewCapsules } from './capsule-view.ts';
import { getCurrentUser } from './profile.ts';

type ExportDeps = Pick<Deps, 'db' | 'clock' | 'files'> & { actor: Actor };

/** What an archive is made from. Only the ids of capsules, to save memory. */
interface Collection {
  account: CurrentUser;
  created: string[];
  received: string[];
  /** Files that are missing from the archive or incomplete. */
  lost: { path: string; fileId: string; fileName: string; why: Loss }[];
}

type Loss = 'missing' | 'damaged';

/**
 * Everything of a person as a ZIP: the files of open capsules, then the account and all capsules
 * as JSON. Locked capsules are listed without contents. Data is read while the archive is sent,
 * one page of capsules or one file at a time. An unreadable file is named in the JSON, and the
 * export goes on.
 */
export async function exportAccount(
  given: Omit<ExportDeps, 'actor'>,
  actor: Actor,
): Promise<Readable> {
  const now = given.clock.now();
  // One time for the whole export, so that a capsule opening meanwhile is not half in it.
  const deps = { ...given, actor, clock: { now: () => now } };
  const collection: Collection = {
    account: await getCurrentUser(deps, actor),
    created: await findCapsuleIds(deps.db, actor.userId, 'created'),
    received: await findCapsuleIds(deps.db, actor.userId, 'received'),
    lost: [],
  };
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error) => output.destroy(error));
  fill(deps, zip, collection).catch((error: Error) => output.destroy(error));
  return output;
}

async function fill(deps: ExportDeps, zip: ZipFile, collection: Collection): Promise<void> {
  for await (const file of eachFile(deps, collection)) {
    const why = await addFile(deps, zip, file);
    if (why) collection.lost.push({ path: archivePath(file), ...named(file), why });
  }
  const json = Readable.from(jsonOf(deps, collection), { objectMode: false });
  await addStream(zip, json, 'time-capsule.json', { compress: true });
  zip.end();
}

/** @returns why the file is missing or incomplete, or null */
async function addFile({ files }: ExportDeps, zip: ZipFile, file: FileRow): Promise<Loss | null> {
  const stored = await files.read(file.storageKey).catch((error: unknown) => {
    // The whole store is unreachable. An archive without files must not look complete.
    if (error instanceof AppError) throw error;
    return 'damaged' as const;
  });
  if (stored === 'damaged') return stored;
  if (!stored) return 'missing';
  const hash = createHash('sha256');
  const stream = new PassThrough();
  stored.stream.on('data', (piece: Buffer) => hash.update(piece));
  // What can still be read is in the archive all the same: it may be all that is left.
  stored.stream.once('error', () => stream.end());
  // If the client goes away, the stored file must not stay open.
  stream.once('close', () => stored.stream.destroy());
  stored.stream.pipe(stream);
  // Photos, videos and PDFs are already compressed.
  await addStream(zip, stream, archivePath(file), { compress: false });
  return hash.digest('hex') === file.sha256 ? null : 'damaged';
}

/** Resolves when the archive has read the stream to its end. */
async function addStream(
  zip: ZipFile,
  stream: Readable,
  path: string,
  options: { compress: boolean },
): Promise<void> {
  const output = zip.outputStream as Readable;
  const giveUp = () => stream.destroy();
  output.once('close', giveUp);
  if (output.destroyed) giveUp();
  else zip.addReadStream(stream, path, options);
  await finished(stream);
  output.off('close', giveUp);
}

/** The capsules page by page, without their contents. */
async function* eachPage({ db }: ExportDeps, ids: string[]): AsyncGenerator<CapsuleRow[]> {
  for (let at = 0; at < ids.length; at += CAPSULES_PER_PAGE_MAX) {
    yield await findCapsules(db, ids.slice(at, at + CAPSULES_PER_PAGE_MAX));
  }
}

async function* eachCapsule(
  deps: ExportDeps,
  ids: string[],
  type: CapsuleType,
): AsyncGenerator<Capsule> {
  for await (const rows of eachPage(deps, ids))
    yield* await viewCapsules(deps, deps.actor, rows, () => type);
}

async function* eachFile(
  deps: ExportDeps,
  { created, received }: Collection,
): AsyncGenerator<FileRow> {
  for await (const rows of eachPage(deps, [...new Set([...created, ...received])])) {
    const open = rows.filter((row) => isOpen(row, deps.clock.now()));
    if (open.length > 0) {
      yield* await findFiles(
        deps.db,
        open.map(({ id }) => id),
      );
    }
  }
}

async function* jsonOf(deps: ExportDeps, collection: Collection): AsyncGenerator<string> {
  const { account, created, received, lost } = collection;
  yield `{\n"exportedAt": ${JSON.stringify(deps.clock.now())},\n"account": ${JSON.stringify(account)}`;
  yield* jsonList('created', eachCapsule(deps, created, 'created'));
  yield* jsonList('received', eachCapsule(deps, received, 'received'));
  yield* jsonList('files', eachFileEntry(deps, collection));
  yield* jsonList('lost', lost);
  yield '\n}\n';
}

async function* jsonList(
  name: string,
  items: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<string> {
  let separator = '\n';
  yield `,\n"${name}": [`;
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',\n';
  }
  yield '\n]';
}

async function* eachFileEntry(deps: ExportDeps, collection: Collection) {
  for await (const file of eachFile(deps, collection)) {
    yield { path: archivePath(file), ...named(file), sha256: file.sha256 };
  }
}

function named({ id, name }: FileRow) {
  return { fileId: id, fileName: name };
}

/** A unique path that every system can unpack, ending with the name of the file. */
function archivePath({ capsuleId, position, name }: FileRow): string {
  const safe = name
    .normalize('NFC')
    .replace(/[\p{C}<>:"/\\|?*]/gu, '_')
    .replace(/^\.+|[. ]+$/g, '_');
  return `files/${capsuleId}/${String(position + 1).padStart(2, '0')} ${lastBytes(safe, NAME_MAX_BYTES)}`;
}

/** Most file systems allow names of 255 bytes, and the number in front needs some of them. */
const NAME_MAX_BYTES = 240;

/** The end of a text in whole characters, at most this many bytes of UTF-8. */
function lastBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - most);
  // Skip continuation bytes of UTF-8, which start with the bits 10.
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.toString('utf8', start);
}
