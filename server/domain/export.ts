import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Capsule, CapsuleType } from '../../shared/api/capsules.ts';
import { CAPSULES_PER_PAGE_MAX } from '../../shared/limits.ts';
import type { FileRow } from '../db/capsules.ts';
import { findContents } from '../db/capsules.ts';
import type { Actor, Deps } from '../deps.ts';
import { listCapsules } from './capsules.ts';
import { getCurrentUser } from './profile.ts';

type ExportDeps = Pick<Deps, 'db' | 'clock' | 'files'>;

/**
 * Everything of a person as a ZIP: the account and all capsules as JSON, and the files of
 * those that have opened. A locked one is in it as it is anywhere: from outside.
 * Bytes are read as the archive is sent, one file at a time.
 */
export async function exportAccount(deps: ExportDeps, actor: Actor): Promise<Readable> {
  const account = await getCurrentUser(deps, actor);
  const created = await allCapsules(deps, actor, 'created');
  const received = await allCapsules(deps, actor, 'received');
  const open = [...created, ...received].filter((capsule) => !capsule.locked);
  const contents = await findContents(deps.db, [...new Set(open.map(({ id }) => id))]);
  const files = [...contents.values()].flatMap((content) => content.files);

  const zip = new ZipFile();
  const text = JSON.stringify(
    {
      exportedAt: deps.clock.now().toISOString(),
      account,
      created,
      received,
      files: files.map((file) => ({
        path: archivePath(file),
        fileId: file.id,
        fileName: file.name,
        sha256: file.sha256,
      })),
    },
    null,
    2,
  );
  zip.addBuffer(Buffer.from(text), 'time-capsule.json');
  const output = zip.outputStream as Readable;
  let reading: Readable | null = null;
  for (const file of files) {
    // Photos, videos and PDF are compressed already.
    zip.addReadStreamLazy(archivePath(file), { compress: false, size: file.bytes }, (answer) => {
      deps.files.read(file.storageKey).then(
        (stored) => {
          reading = stored?.stream ?? null;
          if (output.destroyed) reading?.destroy();
          if (stored) answer(null, stored.stream);
          else answer(new Error('A stored file is missing.'), Readable.from([]));
        },
        (error) => answer(error, Readable.from([])),
      );
    });
  }
  zip.end();
  zip.on('error', (error) => output.destroy(error));
  // Whoever waited for it may be gone: the file that is being read must not stay open.
  output.once('close', () => reading?.destroy());
  return output;
}

async function allCapsules(deps: ExportDeps, actor: Actor, type: CapsuleType): Promise<Capsule[]> {
  const all: Capsule[] = [];
  for (let page = 1; ; page += 1) {
    const { capsules, pagination } = await listCapsules(deps, actor, {
      type,
      page,
      limit: CAPSULES_PER_PAGE_MAX,
    });
    all.push(...capsules);
    if (page >= pagination.totalPages) return all;
  }
}

/** A path every system can unpack, one of a kind, that still ends as the file was named. */
function archivePath({ capsuleId, position, name }: FileRow): string {
  const safe = name
    .normalize('NFC')
    .replace(/[\p{C}<>:"/\\|?*]/gu, '_')
    .replace(/^\.+|[. ]+$/g, '_')
    .slice(-120);
  return `files/${capsuleId}/${String(position + 1).padStart(2, '0')} ${safe}`;
}
