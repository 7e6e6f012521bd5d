import { COPYING_LOCK, KeepFileError, keepFile, removeUnfinished } from '../local/kept-files.ts';
import { randomUuid } from '../local/uuid.ts';
import { beforeReload } from './before-reload.ts';
import { createExternalStore } from './external-store.ts';
import { makeThumbnail } from './thumbnail.ts';

/** Picked files on their way into this device's database. */

export interface CopyJob {
  key: string;
  owner: string;
  /** The draft it was picked for. */
  capsuleId: string;
  file: File;
  /** Bytes. */
  copied: number;
}

interface CopyingState {
  /** The first one is being copied, the others wait. */
  jobs: readonly CopyJob[];
  /** By draft: one sentence for each file that could not be kept. */
  refused: Readonly<Record<string, readonly string[]>>;
}

export const copying = createExternalStore<CopyingState>({ jobs: [], refused: {} });

let running: Promise<void> | null = null;
let current: { key: string; abort: AbortController } | null = null;

beforeReload(async () => running ?? undefined);

/** Copies files one after another; the draft they belong to must have been saved. */
export function copyFiles(owner: string, capsuleId: string, files: readonly File[]): void {
  if (files.length === 0) return;
  const jobs = files.map((file) => ({ key: randomUuid(), owner, capsuleId, file, copied: 0 }));
  copying.set({ jobs: [...copying.get().jobs, ...jobs] });
  // What a person has picked should outlast a full disk; the browser may ask them, or decide.
  void navigator.storage?.persist?.().catch(() => false);
  running ??= navigator.locks.request(COPYING_LOCK, { mode: 'shared' }, copyAll).finally(() => {
    running = null;
  });
}

async function copyAll(): Promise<void> {
  for (;;) {
    const job = copying.get().jobs[0];
    if (!job) return;
    const abort = new AbortController();
    current = { key: job.key, abort };
    try {
      await keepFile(job.owner, job.capsuleId, job.file, {
        thumbnail: await makeThumbnail(job.file),
        signal: abort.signal,
        onProgress: (copied) => change(job.key, copied),
      });
    } catch (error) {
      if (!abort.signal.aborted) refuseFiles(job.capsuleId, [sentenceOf(job.file, error)]);
    }
    current = null;
    drop((other) => other.key === job.key);
  }
}

function change(key: string, copied: number): void {
  const { jobs } = copying.get();
  copying.set({ jobs: jobs.map((job) => (job.key === key ? { ...job, copied } : job)) });
}

function drop(isGone: (job: CopyJob) => boolean): void {
  copying.set({ jobs: copying.get().jobs.filter((job) => !isGone(job)) });
}

function sentenceOf({ name }: File, error: unknown): string {
  const why =
    error instanceof KeepFileError && error.reason === 'device-full'
      ? 'did not fit on this device.'
      : 'could not be read.';
  return `“${name}” ${why} Your text and the other files are kept.`;
}

/** Takes files out again before they are copied. */
export function cancelCopies(isMeant: (job: CopyJob) => boolean): void {
  const meant = copying.get().jobs.filter(isMeant);
  // The one under way leaves the list when its copy has been removed.
  for (const { key } of meant) if (current?.key === key) current.abort.abort();
  drop((job) => isMeant(job) && job.key !== current?.key);
}

export function refuseFiles(capsuleId: string, sentences: readonly string[]): void {
  if (sentences.length === 0) return;
  const { refused } = copying.get();
  copying.set({
    refused: { ...refused, [capsuleId]: [...(refused[capsuleId] ?? []), ...sentences] },
  });
}

export function dismissRefused(capsuleId: string): void {
  const { [capsuleId]: _, ...refused } = copying.get().refused;
  copying.set({ refused });
}

/** Removes what a crash left half copied, unless some page is copying right now. */
export async function sweepCopies(owner: string): Promise<void> {
  await navigator.locks.request(COPYING_LOCK, { ifAvailable: true }, async (lock) => {
    if (lock) await removeUnfinished(owner);
  });
}
