import { useLiveQuery } from 'dexie-react-hooks';
import { abandonUpload } from '../../shared/api/uploads.ts';
import { call } from '../http/call.ts';
import type { DraftRow, KeptFileRow, OutboxRow } from '../local/db.ts';
import { discardDraft, readDrafts } from '../local/drafts.ts';
import { readFiles, removeFile } from '../local/kept-files.ts';
import { discardItem, readItem, readOutbox, reopenAsDraft, retryNow } from '../local/outbox.ts';
import { randomUuid } from '../local/uuid.ts';
import { cancelCopies } from './copying.ts';
import { pauseSending, sendNow } from './outgoing.ts';

type Key = Pick<OutboxRow, 'owner' | 'id'>;

/** Undefined until the device has been asked. */
export function useOutbox(owner: string | null): OutboxRow[] | undefined {
  return useLiveQuery(async () => (owner === null ? [] : readOutbox(owner)), [owner]);
}

/** Null when it is not in the outbox (any more). */
export function useOutboxItem({ owner, id }: Key): OutboxRow | null | undefined {
  return useLiveQuery(() => readItem(owner, id), [owner, id]);
}

export function useDrafts(owner: string | null): DraftRow[] | undefined {
  return useLiveQuery(async () => (owner === null ? [] : readDrafts(owner)), [owner]);
}

/** The files this device keeps for a draft or a queued capsule. */
export function useKeptFiles({ owner, id }: Key): KeptFileRow[] | undefined {
  return useLiveQuery(() => readFiles(owner, id), [owner, id]);
}

export async function tryNow(item: Key): Promise<void> {
  await retryNow(item, Date.now());
  sendNow();
}

/** @returns the id of the draft it has become; null when it may have arrived */
export async function editItem(item: OutboxRow): Promise<string | null> {
  if (item.state === 'sending') await pauseSending();
  const draft = await reopenAsDraft(item, randomUuid(), Date.now());
  sendNow();
  return draft?.id ?? null;
}

/** @returns false when it may have arrived and is kept therefore */
export async function discardQueued(item: OutboxRow): Promise<boolean> {
  if (item.state === 'sending') await pauseSending();
  const files = await readFiles(item.owner, item.id);
  const isGone = await discardItem(item);
  if (isGone) abandon(files);
  sendNow();
  return isGone;
}

export async function discardUnfinished(draft: Key): Promise<void> {
  cancelCopies((job) => job.capsuleId === draft.id);
  const files = await readFiles(draft.owner, draft.id);
  await discardDraft(draft);
  abandon(files);
}

export async function removeKeptFile(file: KeptFileRow): Promise<void> {
  await removeFile(file.owner, file.id);
  abandon([file]);
}

/** What has reached the server of files that are no longer wanted; a week later it goes by itself. */
function abandon(files: readonly KeptFileRow[]): void {
  for (const { id, announced } of files) {
    if (announced) call(abandonUpload, { params: { id } }).catch(() => undefined);
  }
}
