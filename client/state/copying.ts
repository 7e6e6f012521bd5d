import { COPYING_LOCK, keepFile, noteWaiting, removeUnfinished } from '../local/keep-file.ts';
import { KeepFileError, type KeepFileReason } from '../local/keep-file-error.ts';
import { removeFile, takeFileOut } from '../local/kept-files.ts';
import { readOwner } from '../local/owner.ts';
import { randomUuid } from '../local/uuid.ts';
import { withLock } from '../local/with-lock.ts';
import { beforeReload } from './before-reload.ts';
import './device.ts';
import { createExternalStore } from './external-store.ts';
import { makeThumbnail } from './thumbnail.ts';

/** Picked files on their way into this device's database. */

export interface CopyJob {
  /** The id of its row on this device, too. */
  key: string;
  owner: string;
  /** The draft it was picked for. */
  capsuleId: string;
  file: File;
  /** Its place among the files of the draft, in milliseconds. */
  addedAt: number;
  /** Its draft is saved, so that it can have a row. */
  isReady: boolean;
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
/** Nobody takes what this page notes for leftovers. */
let isHolding = false;
/** Settles when every file that has been picked is noted. */
let noting: Promise<void> = Promise.resolve();
let current: { key: string; abort: AbortController } | null = null;

/** Files that are picked meanwhile are waited for too. */
async function untilCopied(): Promise<void> {
  while (running) await running;
}

beforeReload(untilCopied);

/**
 * Copies files one after another. They are seen to be copied from now on: nobody can seal the
 * draft without them.
 * @param keepDraft saves the draft that they belong to; without room for that, none is copied
 */
export async function copyFiles(
  owner: string,
  capsuleId: string,
  files: readonly File[],
  keepDraft: () => Promise<boolean>,
): Promise<void> {
  const now = Date.now();
  const jobs = files.map((file, at) => {
    const isReady = false;
    return { key: randomUuid(), owner, capsuleId, file, addedAt: now + at, isReady, copied: 0 };
  });
  copying.set({ jobs: [...copying.get().jobs, ...jobs] });
  // What a person has picked should outlast a full disk; the browser may ask them, or decide.
  void navigator.storage?.persist?.().catch(() => false);
  const isOwn = ({ key }: CopyJob) => jobs.some((job) => job.key === key);
  if (await keepDraft()) {
    copying.set({
      jobs: copying.get().jobs.map((job) => (isOwn(job) ? { ...job, isReady: true } : job)),
    });
    if (isHolding) noting = noting.then(noteAll);
  } else {
    refuseForRoom(capsuleId, copying.get().jobs.filter(isOwn));
    drop(isOwn);
  }
  start(owner);
}

function start(owner: string): void {
  globalThis.addEventListener?.('beforeunload', ask);
  running ??= copyUnderLock(owner).finally(() => {
    running = null;
    // Picked when the last one was done.
    if (nextJob()) start(owner);
    else globalThis.removeEventListener?.('beforeunload', ask);
  });
}

/** The browser asks whoever closes the page: what is not copied yet is nowhere else. */
const ask = (event: Event) => event.preventDefault();

/** Keys of those that have a row. */
const noted = new Set<string>();

async function noteAll(): Promise<void> {
  for (const { owner, capsuleId, file, key: id, addedAt } of copying.get().jobs) {
    // It may be taken out at any time.
    const isWanted = () => copying.get().jobs.some(({ key }) => key === id);
    if (id === current?.key || noted.has(id) || file.size === 0 || !isWanted()) continue;
    try {
      await noteWaiting(owner, capsuleId, file, { id, addedAt });
      noted.add(id);
      if (!isWanted()) await removeFile(owner, id);
    } catch {
      // It says so when its turn comes.
    }
  }
}

function nextJob(): CopyJob | undefined {
  return copying.get().jobs.find(({ isReady }) => isReady);
}

async function copyUnderLock(owner: string): Promise<void> {
  const before = refusals;
  await withLock(COPYING_LOCK, { mode: 'shared' }, async () => {
    isHolding = true;
    noting = noting.then(noteAll);
    await copyAll().finally(() => {
      isHolding = false;
    });
  });
  // A device in trouble may not even have let go of half a copy.
  if (refusals > before) await sweepCopies(owner).catch(() => undefined);
}

/** Files that could not be kept since this page began. */
let refusals = 0;

async function copyAll(): Promise<void> {
  for (;;) {
    await noting;
    const job = nextJob();
    if (!job) return;
    const abort = new AbortController();
    current = { key: job.key, abort };
    try {
      await Promise.race([copy(job, abort.signal), hungSince(abort.signal)]);
    } catch (error) {
      if (!abort.signal.aborted) {
        refusals += 1;
        refuseFiles(job.capsuleId, [sentenceOf(job.file, error)]);
      }
    }
    current = null;
    drop((other) => other.key === job.key);
  }
}

async function copy(job: CopyJob, signal: AbortSignal): Promise<void> {
  const { owner, capsuleId, file, key: id, addedAt } = job;
  const thumbnail = await makeThumbnail(file);
  if (!signal.aborted) {
    const onProgress = (copied: number) => change(id, copied);
    await keepFile(owner, capsuleId, file, { id, addedAt, thumbnail, signal, onProgress });
  }
  // Taken out while it was looked at, or when the last of it was being written.
  if (signal.aborted) await removeFile(owner, id);
}

/** How long a copy that was taken out may go on: what lies in some cloud may never come. */
const HUNG_MS = 2_000;

/** Rejects when a copy that was taken out goes on hanging: the others must not wait for it. */
function hungSince(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => setTimeout(reject, HUNG_MS, signal.reason));
  });
}

function change(key: string, copied: number): void {
  const { jobs } = copying.get();
  copying.set({ jobs: jobs.map((job) => (job.key === key ? { ...job, copied } : job)) });
}

function drop(isGone: (job: CopyJob) => boolean): void {
  copying.set({ jobs: copying.get().jobs.filter((job) => !isGone(job)) });
}

function sentenceOf({ name }: File, error: unknown): string {
  const reason = error instanceof KeepFileError ? error.reason : 'device-failed';
  return `“${name}” ${WHY_NOT[reason]} Your text and the other files are kept.`;
}

const WHY_NOT: Record<KeepFileReason, string> = {
  'device-full': 'did not fit on this device.',
  'device-failed': 'could not be kept on this device.',
  unreadable: 'could not be read: it may have been moved, changed or deleted.',
  empty: 'is empty.',
};

/** Files whose draft the device has no room for are not copied: nothing would name them. */
function refuseForRoom(capsuleId: string, jobs: readonly CopyJob[]): void {
  const sentences = jobs.map(({ file }) => `“${file.name}” did not fit on this device.`);
  refuseFiles(capsuleId, sentences);
}

/** Takes files out again before they are copied. */
export function cancelCopies(isMeant: (job: CopyJob) => boolean): void {
  const meant = copying.get().jobs.filter(isMeant);
  // The one under way leaves the list when its copy has been removed.
  for (const { key } of meant) if (current?.key === key) current.abort.abort();
  drop((job) => isMeant(job) && job.key !== current?.key);
}

/** Takes one file out again, though it may have been kept since the person saw it being copied. */
export function takeOut({ owner, key }: Pick<CopyJob, 'owner' | 'key'>): void {
  cancelCopies((job) => job.key === key);
  // What cannot be removed is still shown, and can be tried again.
  void takeFileOut(owner, key).catch(() => undefined);
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

/** After copies were cancelled for somebody who stays after all. */
export async function sweepAll(): Promise<void> {
  await untilCopied();
  const owner = await readOwner().catch(() => null);
  if (owner !== null) await sweepCopies(owner).catch(() => undefined);
}

/** Removes what a crash left half copied, unless some page is copying right now; its name stays. */
export async function sweepCopies(owner: string): Promise<void> {
  await withLock(COPYING_LOCK, { ifAvailable: true }, async (isHeld) => {
    if (isHeld) await removeUnfinished(owner);
  });
}
