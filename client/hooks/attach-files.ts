import { pickedKind } from '../../shared/file-types.ts';
import { MEGABYTE } from '../../shared/limits.ts';
import {
  addAttachment,
  COPYING_LOCK,
  copyAttachment,
  loseUnfinished,
  newAttachment,
  removeAttachment,
} from '../db/attachments.ts';
import { AttachmentError, type AttachmentProblem } from '../db/chunks.ts';
import { randomUuid } from '../db/tables.ts';
import { withLock } from '../db/with-lock.ts';
import { saveSoon } from '../sync/scheduler.ts';
import { beforeReload } from './reload.ts';
import { createExternalStore } from './store.ts';

/* Picked files on their way into this device's database. */

export interface CopyJob {
  /** Also the id of the attachment's row. */
  id: string;
  /** The row of the draft or contribution it was picked for. */
  rowId: string;
  file: File;
  copiedBytes: number;
}

interface CopyState {
  /** One is being copied, the others wait. */
  jobs: readonly CopyJob[];
  /** By row: one sentence for each file that could not be copied. */
  refused: Readonly<Record<string, readonly string[]>>;
}

export const copying = createExternalStore<CopyState>({ jobs: [], refused: {} });

/** Whether it is copied for this row, which may go on under another id than it was picked for. */
export const isCopiedFor =
  (rowId: string, files: readonly string[]) =>
  (job: CopyJob): boolean =>
    job.rowId === rowId || files.includes(job.id);

const aborts = new Map<string, AbortController>();
/** Ends with the last job that was queued. */
let queue: Promise<void> = Promise.resolve();
/** Ends when every batch of files has been copied or refused. */
let batches: Promise<unknown> = Promise.resolve();

beforeReload(untilCopied);

async function untilCopied(): Promise<void> {
  while (copying.get().jobs.length > 0) await batches;
}

/**
 * Adds files to a draft or contribution: their rows at once, their bytes one file after another. Until
 * then nobody can seal or send it without them.
 * @param keepRow saves the row that they belong to; where that fails, none is copied
 * @param isFull whether it failed for want of room
 */
export function attachFiles(
  rowId: string,
  files: readonly File[],
  keepRow: () => Promise<boolean>,
  isFull: () => boolean,
): Promise<void> {
  const jobs = files.map((file) => ({ id: randomUuid(), rowId, file, copiedBytes: 0 }));
  copying.set({ jobs: [...copying.get().jobs, ...jobs] });
  globalThis.addEventListener?.('beforeunload', askBeforeUnload);
  // With persistent storage the browser keeps the files when the disk runs full. It may ask the person.
  void navigator.storage?.persist?.().catch(() => false);
  const copied = copyBatch(jobs, keepRow, isFull).finally(() => {
    if (copying.get().jobs.length > 0) return;
    globalThis.removeEventListener?.('beforeunload', askBeforeUnload);
  });
  batches = Promise.all([batches, copied]);
  return copied;
}

/** Files that are not copied yet would be lost with the page. */
const askBeforeUnload = (event: Event) => event.preventDefault();

async function copyBatch(
  jobs: readonly CopyJob[],
  keepRow: () => Promise<boolean>,
  isFull: () => boolean,
): Promise<void> {
  if (!(await keepRow())) {
    for (const job of jobs) refuse(job, isFull() ? 'device-full' : 'device-failed');
    return;
  }
  let hasFailed = false;
  await withLock(COPYING_LOCK, { mode: 'shared' }, async () => {
    for (const job of jobs.filter(isWanted)) {
      // A row that cannot be written is tried again when its turn comes.
      await addAttachment(job.rowId, newAttachment(job.id, job.file)).catch(() => undefined);
    }
    for (const job of jobs) {
      queue = queue.then(async () => {
        if (isWanted(job) && !(await copyJob(job))) hasFailed = true;
      });
    }
    await queue;
  });
  // A device in trouble may not even have removed half a copy.
  if (hasFailed) await sweepCopies().catch(() => undefined);
}

function isWanted({ id }: CopyJob): boolean {
  return copying.get().jobs.some((job) => job.id === id);
}

/** @returns false when it could not be copied */
async function copyJob(job: CopyJob): Promise<boolean> {
  const abort = new AbortController();
  const { signal } = abort;
  aborts.set(job.id, abort);
  try {
    await Promise.race([copy(job, signal), rejectWhenHung(signal)]);
    dropJobs((other) => other.id === job.id);
    saveSoon();
    return true;
  } catch (error) {
    const problem = error instanceof AttachmentError ? error.problem : 'device-failed';
    if (signal.aborted) dropJobs((other) => other.id === job.id);
    else refuse(job, problem, ' Your text and the other files are saved.');
    return signal.aborted;
  } finally {
    aborts.delete(job.id);
  }
}

async function copy(job: CopyJob, signal: AbortSignal): Promise<void> {
  const thumbnail = await makeThumbnail(job.file);
  const row = { ...newAttachment(job.id, job.file), thumbnail };
  if (!signal.aborted) {
    await addAttachment(job.rowId, row);
    await copyAttachment(row, job.file, {
      signal,
      onProgress: (copiedBytes) => {
        const { jobs } = copying.get();
        copying.set({
          jobs: jobs.map((other) => (other.id === job.id ? { ...other, copiedBytes } : other)),
        });
      },
    });
  }
  // Removed while its thumbnail was made, or while its last chunk was written.
  if (signal.aborted) await removeAttachment(job.rowId, job.id);
}

/** Reading a file from a cloud folder may hang: once the person removes it, the next file is copied. */
const HUNG_MS = 2_000;

function rejectWhenHung(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => setTimeout(reject, HUNG_MS, signal.reason));
  });
}

function dropJobs(isGone: (job: CopyJob) => boolean): void {
  copying.set({ jobs: copying.get().jobs.filter((job) => !isGone(job)) });
}

const SENTENCES: Record<AttachmentProblem, string> = {
  'device-full': "doesn't fit on this device.",
  'device-failed': "couldn't be saved on this device.",
  unreadable: "couldn't be read. It may have been moved, changed or deleted.",
};

function refuse({ id, rowId, file }: CopyJob, problem: AttachmentProblem, rest = ''): void {
  addRefusals(rowId, [`“${file.name}” ${SENTENCES[problem]}${rest}`]);
  dropJobs((job) => job.id === id);
}

/** Stops copies; the one that is running leaves the list when what it has written is removed. */
export function cancelCopies(isMeant: (job: CopyJob) => boolean): void {
  for (const { id } of copying.get().jobs.filter(isMeant)) aborts.get(id)?.abort();
  dropJobs((job) => isMeant(job) && !aborts.has(job.id));
}

/** Takes a file out of what names it, whether it is copied already or not. */
export async function takeOut(rowId: string, id: string): Promise<void> {
  cancelCopies((job) => job.id === id);
  await removeAttachment(rowId, id);
  saveSoon();
}

export function addRefusals(rowId: string, sentences: readonly string[]): void {
  if (sentences.length === 0) return;
  const { refused } = copying.get();
  copying.set({
    refused: { ...refused, [rowId]: [...(refused[rowId] ?? []), ...sentences] },
  });
}

export function dismissRefusals(rowId: string): void {
  const { [rowId]: _, ...refused } = copying.get().refused;
  copying.set({ refused });
}

/** Cleans up half copies of closed pages and workers, unless one is copying right now. */
export async function sweepCopies(): Promise<void> {
  await withLock(COPYING_LOCK, { ifAvailable: true }, async (isHeld) => {
    // Over plain http there are no locks, and this page itself may be copying.
    if (isHeld) await loseUnfinished(copying.get().jobs.map(({ id }) => id));
  });
}

/** Twice the edge of the square in which a thumbnail is shown, for sharp screens. */
const THUMBNAIL_EDGE = 88;

/** Larger pictures take longer to decode than a glance at them is worth. */
const SOURCE_MAX_BYTES = 16 * MEGABYTE;

/** A small square picture of an image (WebP); null of anything else, and where the browser cannot. */
async function makeThumbnail(file: File): Promise<ArrayBuffer | null> {
  if (pickedKind(file) !== 'image' || file.size > SOURCE_MAX_BYTES) return null;
  try {
    const image = await createImageBitmap(file, {
      resizeWidth: THUMBNAIL_EDGE * 2,
      resizeQuality: 'medium',
    });
    const canvas = new OffscreenCanvas(THUMBNAIL_EDGE, THUMBNAIL_EDGE);
    const scale = Math.max(THUMBNAIL_EDGE / image.width, THUMBNAIL_EDGE / image.height);
    const [width, height] = [image.width * scale, image.height * scale];
    const at = [(THUMBNAIL_EDGE - width) / 2, (THUMBNAIL_EDGE - height) / 2] as const;
    canvas.getContext('2d')?.drawImage(image, ...at, width, height);
    image.close();
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.7 });
    return await blob.arrayBuffer();
  } catch {
    return null;
  }
}
