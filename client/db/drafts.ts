import type { OtherVersion } from '../../shared/api/drafts.ts';
import type { NewCapsuleInput } from '../../shared/api/new-capsule.ts';
import { deleteAttachmentsOf, readAttachments, removeEvenWhenFull } from './attachments.ts';
import { db } from './database.ts';
import { contentOf } from './draft-account.ts';
import { mergeDraft, versionKey } from './merge-draft.ts';
import {
  type DraftAccount,
  type DraftFields,
  type DraftRow,
  EMPTY_DRAFT,
  type GoneDraftRow,
  type OutboxFailure,
} from './tables.ts';

/** The request that seals a draft, still without its time zone and its uploads. */
export function capsuleOf({ recipients, ...fields }: DraftFields): NewCapsuleInput {
  return { ...fields, recipientEmails: recipients.map(({ email }) => email) };
}

export async function readDraft(id: string): Promise<DraftRow | null> {
  return (await db.drafts.get(id)) ?? null;
}

/** The draft under whose id this one goes on; null when it does not. */
export async function readSuccessor(id: string): Promise<DraftRow | null> {
  return (await db.drafts.filter(({ movedFrom }) => movedFrom === id).first()) ?? null;
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

/** What has changed in a draft. */
export interface DraftPatch {
  fields?: Partial<DraftFields>;
  /** What stood in these fields when the person changed them. */
  base?: Partial<DraftFields>;
  /** The last revision of another device that they saw in the draft; 0 for none. */
  seen?: number;
  /** Other versions that were taken or let go, and what gave way to them. */
  letGo?: readonly OtherVersion[];
  replaced?: readonly OtherVersion[];
  /** Why the draft came back from the outbox; null once the reason is dismissed or mended. */
  failure?: OutboxFailure | null | undefined;
}

export function withPatch(draft: DraftRow, patch: DraftPatch): DraftRow {
  const { fields, failure, letGo = [], replaced = [] } = patch;
  const { failure: before, otherVersions = [], ...rest } = draft;
  const reason = failure === undefined ? before : failure;
  const gone = [...letGo, ...replaced].map(versionKey);
  const kept = otherVersions.filter((one) => !gone.includes(versionKey(one)));
  const versions = [...kept, ...replaced];
  return {
    ...rest,
    fields: { ...rest.fields, ...fields },
    ...(reason && { failure: reason }),
    ...(versions.length > 0 && { otherVersions: versions }),
  };
}

/** Makes of what was typed on an older text what the rules say, where another device has written meanwhile. */
function mergeTyped(stored: DraftRow, id: string, patch: DraftPatch): DraftPatch {
  const { fields = {}, base, seen } = patch;
  const now = new Date();
  const moved = { revision: -now.getTime(), writtenOn: '', writtenAt: now.toISOString() };
  const elsewhere = stored.elsewhere ?? (stored.id === id ? null : moved);
  if (!elsewhere || seen === undefined || seen === elsewhere.revision) return patch;
  const theirs = contentOf(stored, []);
  const unknown = Object.keys(fields).map((name) => [name, Object(EMPTY_DRAFT)[name]]);
  const before = { ...theirs.fields, ...Object.fromEntries(unknown), ...base };
  const merged = mergeDraft(
    { ...theirs, fields: before },
    { ...theirs, fields: { ...theirs.fields, ...fields } },
    theirs,
    elsewhere,
  );
  const replaced = merged.otherVersions.slice(theirs.otherVersions.length);
  return {
    ...patch,
    fields: merged.fields as DraftFields,
    replaced: [...(patch.replaced ?? []), ...replaced],
  };
}

/**
 * Saves a draft. Only what has changed is written, so that two tabs with the same draft keep what
 * each has typed; in the same field the last one wins.
 * @param draft as it stands in the form: written whole when the device does not have it
 * @returns the row as it is now; null when another tab has sealed it
 */
export async function saveDraft(
  draft: DraftRow,
  patch: DraftPatch = draft,
): Promise<DraftRow | null> {
  return db.transaction('rw', db.drafts, db.outbox, db.draftSync, async () => {
    if (await db.outbox.get(draft.id)) return null;
    // What is typed while it goes on under a new id goes there.
    const stored = (await readDraft(draft.id)) ?? (await readSuccessor(draft.id));
    const saved: DraftRow = {
      ...withPatch(
        stored ?? { ...(!draft.account && (await usualChoice())), ...draft },
        stored ? mergeTyped(stored, draft.id, patch) : patch,
      ),
      // Later than before, whatever the clock says: other tabs follow rows that are newer than theirs.
      updatedAt: stored ? Math.max(draft.updatedAt, stored.updatedAt + 1) : draft.updatedAt,
    };
    await db.drafts.put(saved);
    return saved;
  });
}

/** What a person has chosen for the drafts that they begin. */
async function usualChoice(): Promise<Pick<DraftRow, 'onlyHere'>> {
  const isOnlyHere = (await db.draftSync.get('drafts'))?.onlyOnDevice === true;
  return isOnlyHere ? { onlyHere: true } : {};
}

/** Notes that the account is to discard what it has of a draft. */
export async function noteToDiscard(
  { id, fields: { title } }: Pick<DraftRow, 'id' | 'fields'>,
  discarded: DraftAccount,
  goesOnAs?: string,
): Promise<void> {
  const row: GoneDraftRow = { id, discarded, fields: { title }, goneAt: Date.now() };
  await db.goneDrafts.put(goesOnAs === undefined ? row : { ...row, goesOnAs });
}

/** Removes a draft and its files. Uploads that the server has heard of are noted as orphaned. */
export async function discardDraft({ id }: Pick<DraftRow, 'id'>): Promise<void> {
  const tables = [db.drafts, db.outbox, db.attachments, db.orphanedUploads, db.chunks];
  await removeEvenWhenFull((note) =>
    db.transaction('rw', [...tables, db.goneDrafts], async () => {
      const draft = await db.drafts.get(id);
      await db.drafts.delete(id);
      // Another tab has sealed it while the person was asked: the files are the capsule's.
      if (await db.outbox.get(id)) return;
      if (draft?.account) await noteToDiscard(draft, draft.account);
      // The account keeps the uploads for as long as the draft may come back.
      else await note(await readAttachments(id));
      await deleteAttachmentsOf(id);
    }),
  );
}
