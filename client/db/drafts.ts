import type { NewCapsuleInput } from '../../shared/api/new-capsule.ts';
import { noteOrphaned, readFiles } from './attachments.ts';
import { db } from './database.ts';
import { readExchange } from './due.ts';
import { isSame, mergeFields, type Patch, patched } from './merge-draft.ts';
import { begunWith, NOTHING, SEALED_ELSEWHERE } from './receive-draft.ts';
import { type DraftAccount, type DraftFields, type DraftRow, EMPTY_DRAFT } from './tables.ts';

/** The request that seals a draft, still without its time zone and its uploads. */
export function capsuleOf({ recipients, ...fields }: DraftFields): NewCapsuleInput {
  return { ...fields, recipientEmails: recipients.map(({ email }) => email) };
}

export async function readDraft(id: string): Promise<DraftRow | null> {
  return (await db.drafts.get(id)) ?? null;
}

/** The id under which a draft goes on by now. */
async function idByNow(id: string): Promise<string> {
  const { goesOnAs } = (await db.goneDrafts.get(id)) ?? {};
  return goesOnAs === undefined || (await readDraft(id)) ? id : idByNow(goesOnAs);
}

/** The draft as which this one goes on, most often itself; null when it does not. */
export async function readSuccessor(id: string): Promise<DraftRow | null> {
  return readDraft(await idByNow(id));
}

/** Newest first. */
export async function readDrafts(): Promise<DraftRow[]> {
  const rows = await db.drafts.toArray();
  return rows.sort((a, b) => b.updatedAt - a.updatedAt);
}

/** The person wants what was shared: from now on it is a draft like any other. */
export async function addShared({ id }: Pick<DraftRow, 'id'>): Promise<void> {
  await db.drafts.where({ id }).modify((draft) => {
    delete draft.isSetAside;
    draft.updatedAt += 1;
  });
}

/** Changes what the form says of a draft, or takes it back. */
export async function noteTold(
  id: string,
  told: Pick<DraftRow, 'failure'> | Pick<DraftRow, 'news'>,
): Promise<void> {
  await db.drafts.where({ id }).modify((draft) => {
    Object.assign(draft, told).updatedAt += 1;
  });
}

/**
 * Saves a draft. What has changed comes together with what another device or tab has written since.
 * @param draft as it stands in the form: written whole when the device does not have it
 * @returns the row as it is now; null when another tab has sealed it
 */
export async function saveDraft(
  draft: Omit<DraftRow, 'files'>,
  patch: Patch<DraftFields> = draft,
): Promise<DraftRow | null> {
  const tables = [db.drafts, db.outbox, db.draftSync, db.goneDrafts];
  return db.transaction('rw', tables, async () => {
    if (await db.outbox.get(draft.id)) return null;
    // What is typed while it goes on under a new id goes there.
    const id = await idByNow(draft.id);
    const stored = await readDraft(id);
    const isUnchanged = Object.keys(patch.fields ?? {}).length === 0;
    // All that stands in the form was sealed.
    if (!stored && id !== draft.id && isUnchanged) return null;
    const { onlyOnDevice } = await readExchange();
    const begun =
      id === draft.id
        ? { files: [], ...(!draft.account && onlyOnDevice && { onlyHere: true }), ...draft }
        : {
            ...draft,
            id,
            files: [],
            news: SEALED_ELSEWHERE,
            account: begunWith({ ...draft.fields, ...patch.base }),
          };
    const before = stored ?? begun;
    const change = stored ? patch : { ...patch, base: undefined };
    const saved: DraftRow = {
      ...before,
      fields: patched({ ...EMPTY_DRAFT, ...before.fields }, change, mergeFields),
      // Later than before, whatever the clock says: other tabs follow rows that are newer than theirs.
      updatedAt: stored ? Math.max(draft.updatedAt, stored.updatedAt + 1) : draft.updatedAt,
    };
    await db.drafts.put(saved);
    return saved;
  });
}

/**
 * What is left of a draft that another device has sealed. It joins what the account has kept of it, and what
 * a form that had not heard of it has written there.
 */
export async function putRest(rest: DraftRow): Promise<void> {
  const there = await readDraft(rest.id);
  if (!there) return void (await db.drafts.put(rest));
  const { account, news, updatedAt } = rest;
  const base = (account?.content ?? NOTHING).fields as DraftFields;
  await db.drafts.put({
    ...there,
    ...(news && { news }),
    fields: mergeFields(base, rest.fields, there.fields).fields,
    files: [...new Set([...there.files, ...rest.files])],
    updatedAt: Math.max(updatedAt, there.updatedAt + 1),
  });
}

/** Whether another device has sealed or discarded this draft. */
export async function isGoneElsewhere(id: string): Promise<boolean> {
  const gone = await db.goneDrafts.get(id);
  return gone !== undefined && !(gone.discarded || gone.wasDiscardedHere || gone.wasSealedHere);
}

/** Notes that the account is to discard what it has of a draft. */
export async function noteToDiscard(
  { id, fields: { title } }: Pick<DraftRow, 'id' | 'fields'>,
  discarded: DraftAccount,
): Promise<void> {
  await db.goneDrafts.put({ id, discarded, fields: { title }, goneAt: Date.now() });
}

/**
 * Removes a draft. Uploads that the server has heard of are noted as orphaned.
 * @param seen as the person saw it: what another device has written since brings it back
 */
export async function discardDraft(seen: Omit<DraftRow, 'updatedAt'>): Promise<void> {
  const left = await db.transaction('rw', db.drafts, db.attachments, db.goneDrafts, async () => {
    const draft = await readDraft(seen.id);
    await db.drafts.delete(seen.id);
    if (!draft?.account) return readFiles(draft ?? {});
    const isSeen = isSame([draft.fields, draft.files], [seen.fields, seen.files]);
    // The account keeps the uploads for as long as the draft may come back.
    await noteToDiscard(draft, (!isSeen && seen.account) || draft.account);
    return [];
  });
  await noteOrphaned(left);
}
