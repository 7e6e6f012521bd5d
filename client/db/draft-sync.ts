import { type AccountDraft, type DraftContent, restOf } from '../../shared/api/drafts.ts';
import { DAY_MS } from '../../shared/limits.ts';
import { forgetArrived, noteOrphaned, readFiles } from './attachments.ts';
import { db, openedUserId } from './database.ts';
import { putRest, readSuccessor } from './drafts.ts';
import { askAnew, noteExchange, readExchange } from './due.ts';
import { isSame } from './merge-draft.ts';
import {
  afterSaving,
  contentOf,
  DISCARDED_HERE,
  isDirty,
  isForAccount,
  isLastWrite,
  NEVER_SENT,
  receive,
  SEALED_HERE,
  type StoredDraft,
} from './receive-draft.ts';
import { type DraftRow, type ExchangeRow, type GoneDraftRow, randomUuid } from './tables.ts';

/* What this device stores about the drafts of the account. */

export interface DraftNews extends GoneDraftRow {
  /** What is left of it says so in its form. */
  saysSo: boolean;
}

/** What became of drafts on other devices, as long as the person has not dismissed it. */
export async function readNews(): Promise<DraftNews[]> {
  const rows = await db.goneDrafts.filter(({ news }) => news !== undefined).toArray();
  return Promise.all(
    rows.map(async ({ goesOnAs: _, ...row }) => {
      const next = await readSuccessor(row.id);
      return { ...row, saysSo: Boolean(next?.news), ...(next && { goesOnAs: next.id }) };
    }),
  );
}

export async function dismissNews(ids: readonly string[]): Promise<void> {
  await db.goneDrafts
    .where('id')
    .anyOf(ids)
    .modify((row) => {
      delete row.news;
    });
  await forgetLongGone();
}

const GONE_KEPT_MS = 30 * DAY_MS;

async function forgetLongGone(): Promise<void> {
  const old = Date.now() - GONE_KEPT_MS;
  await db.goneDrafts.filter((row) => !row.discarded && !row.news && row.goneAt < old).delete();
}

/** A draft that stayed on this device goes to the account from now on. */
export async function saveToAccount({ id }: Pick<DraftRow, 'id'>): Promise<void> {
  await db.drafts.where({ id }).modify((draft) => {
    draft.onlyHere = false;
    draft.updatedAt += 1;
  });
}

const tablesOfDrafts = () => [
  db.drafts,
  db.outbox,
  db.attachments,
  db.orphanedUploads,
  db.goneDrafts,
  db.draftSync,
];

async function readStored(id: string): Promise<StoredDraft | null> {
  const draft = await db.drafts.get(id);
  return draft ? withFiles(draft) : null;
}

/** Every draft that is meant for the account, with its files. */
export async function readForAccount(): Promise<StoredDraft[]> {
  const drafts = await db.drafts.filter(isForAccount).toArray();
  return Promise.all(drafts.map(withFiles));
}

async function withFiles(draft: DraftRow): Promise<StoredDraft> {
  return { draft, files: await readFiles(draft) };
}

/**
 * Takes over what the account says of drafts, in the order of its answer.
 * @param userId whose they are: by now another person's database may be open
 * @param askedSince of which revision on the account was asked: what came back from the outbox meanwhile wants
 * an earlier one
 */
export async function receiveDrafts(
  userId: string,
  drafts: readonly AccountDraft[],
  sync: Partial<ExchangeRow> = {},
  askedSince = 0,
): Promise<void> {
  if (openedUserId() !== userId) throw new Error('Another person has signed in.');
  await db.transaction('rw', tablesOfDrafts(), async () => {
    let heard: Partial<ExchangeRow> = {};
    for (const there of drafts) {
      if (await isFromOther(there)) heard = { heardAt: Date.now() };
      await receiveOne(there);
    }
    const { since, asksAnew, ...others } = sync;
    const isWhole = (await readExchange()).since >= askedSince;
    await noteExchange({ ...heard, ...(isWhole ? sync : others) });
    if (!sync.onlyOnDevice) return;
    await db.drafts
      .filter(({ account, onlyHere }) => !account && onlyHere === undefined)
      .modify({ onlyHere: true });
  });
}

/** For as long after another device has written or sealed, words go and come within seconds. */
export const TOGETHER_MS = 10 * 60_000;

/** Whether this is of another device, and this one did not know of it. */
async function isFromOther(there: AccountDraft): Promise<boolean> {
  const here = await db.drafts.get(there.id);
  const account = here?.account;
  if (account?.revision === there.revision) return false;
  // A new device gets the drafts of weeks, which nobody is writing at.
  const isRecent = Math.abs(Date.now() - Date.parse(there.writtenAt)) < TOGETHER_MS;
  if (!here) return isRecent && there.content !== null;
  return !account || !isLastWrite(account, there);
}

async function receiveOne(there: AccountDraft): Promise<void> {
  const { id } = there;
  const before = await db.goneDrafts.get(id);
  // Sealed or discarded here: the account is still to hear of it, and says then what it makes of it.
  if (before?.discarded || (await db.outbox.get(id))) return;
  const here = await readStored(id);
  if (here?.draft.onlyHere) return;
  const known = await readFiles({ files: there.content?.files.map((file) => file.id) ?? [] });
  const { after, news } = receive(here, there, known);
  const ids = after?.files.map((file) => file.id) ?? [];
  if (here && here.draft.id !== after?.draft.id) await db.drafts.delete(id);
  if (here && there.content) {
    // What another device has taken out; of what is gone, the account keeps the uploads.
    await noteOrphaned(here.files.filter((file) => !ids.includes(file.id)));
  }
  if (after) {
    const why = !here && (await whyBack(id, before));
    const draft = { ...after.draft, files: ids, ...(why && { news: why }) };
    await db.goneDrafts.delete(id);
    await (draft.id === id ? db.drafts.put(draft) : putRest(draft));
    await db.attachments.bulkPut(after.files);
    // Of what is gone, the account may have let go of the bytes.
    if (!there.content) await forgetArrived(after.files);
  }
  if (!news || !here) return;
  // What it goes on as is sent once it's known what the account has kept of it.
  if (after) await noteExchange({ asksAnew: true });
  const { title } = here.draft.fields;
  await db.goneDrafts.put({
    ...{ id, news, fields: { title }, goneAt: Date.now() },
    ...(news === 'sealed' && { goesOnAs: after?.draft.id ?? restOf(id) }),
  });
}

/** Why another device brings back a draft that was let go of here, or what is left of one. */
async function whyBack(id: string, before: GoneDraftRow | undefined): Promise<string | null> {
  if (before?.wasDiscardedHere) return DISCARDED_HERE;
  const rows = await db.goneDrafts.toArray();
  const isOf = (row: GoneDraftRow) => row.wasSealedHere && restOf(row.id) === id;
  return rows.some(isOf) ? SEALED_HERE : null;
}

/** What is to be sent of a draft now, noted before it leaves; null when the account has all of it. */
export async function takeForSending(
  id: string,
  now: number,
): Promise<{ base: number; content: DraftContent; writeId: string } | null> {
  return db.transaction('rw', db.drafts, db.attachments, async () => {
    const stored = await readStored(id);
    if (!stored || !isDirty(stored)) return null;
    const { account = NEVER_SENT } = stored.draft;
    // What was sent before without an answer goes again instead.
    const { unanswered = { id: randomUuid(), content: contentOf(stored.draft, stored.files) } } =
      account;
    await db.drafts.update(id, { account: { ...account, unanswered, sentAt: now } });
    return { base: account.revision, content: unanswered.content, writeId: unanswered.id };
  });
}

/** The account has saved what was sent, wherever the draft is by now. */
export async function noteSaved(
  id: string,
  { revision, previous }: { revision: number; previous: number },
): Promise<void> {
  await db.transaction('rw', db.drafts, db.outbox, db.goneDrafts, db.draftSync, async () => {
    const note = (row: Pick<DraftRow, 'account'>) => {
      if (row.account?.unanswered) row.account = afterSaving(row.account, revision);
    };
    await db.drafts.where({ id }).modify(note);
    await db.outbox.where({ id }).modify(note);
    await db.goneDrafts.where({ id }).modify((row) => {
      if (row.discarded?.unanswered) row.discarded = afterSaving(row.discarded, revision);
    });
    // Nobody else has written in between: this device need not fetch its own words.
    const { since } = await readExchange();
    if (previous <= since) await noteExchange({ since: Math.max(since, revision) });
  });
}

/** The account has not taken what was sent, for a reason that does not pass by itself. */
export async function noteRefused(id: string, refusal: string): Promise<void> {
  await db.transaction('rw', db.drafts, db.attachments, async () => {
    const stored = await readStored(id);
    if (!stored?.draft.account) return;
    const { unanswered, ...account } = stored.draft.account;
    // What was written since is not refused.
    const isOurs = isSame(unanswered?.content, contentOf(stored.draft, stored.files));
    const refused = isOurs && { refusal, refusedAt: stored.draft.updatedAt };
    await db.drafts.update(id, { account: { ...account, ...refused, sentAt: Date.now() } });
  });
}

/** Called when there may be more room on the account. */
export async function retryRefusedDrafts(): Promise<void> {
  await db.attachments
    .filter(({ refused }) => refused !== undefined)
    .modify((file) => {
      delete file.refused;
    });
  await db.drafts
    .filter(({ account }) => account?.refusal !== undefined)
    .modify((draft) => {
      delete draft.account?.sentAt;
      delete draft.account?.refusedAt;
    });
  await askAnew();
}

/** Drafts that were discarded here, as far as the account can be told. */
export async function readDiscarded(): Promise<GoneDraftRow[]> {
  return db.goneDrafts.filter(({ discarded }) => discarded !== undefined).toArray();
}

/**
 * The account has been told that a draft was discarded.
 * @param there as the account has it, where it has newer words
 */
export async function noteDiscarded(id: string, there: AccountDraft | null): Promise<void> {
  await db.transaction('rw', tablesOfDrafts(), async () => {
    const row = await db.goneDrafts.get(id);
    if (row?.discarded && there && isLastWrite(row.discarded, there)) {
      // These were the last words from here, though no answer came.
      await db.goneDrafts.put({ ...row, discarded: afterSaving(row.discarded, there.revision) });
      return;
    }
    // Nothing of what it said stays, but another device may still bring it back.
    const fields = { title: '' };
    await db.goneDrafts.put({ id, fields, wasDiscardedHere: true, goneAt: Date.now() });
    await forgetLongGone();
    if (there) await receiveOne(there);
  });
}

/** The account has sealed what it had of a draft: what another device has written besides may come back. */
export async function noteSealedHere(id: string): Promise<void> {
  await db.goneDrafts.put({ id, fields: { title: '' }, wasSealedHere: true, goneAt: Date.now() });
  await forgetLongGone();
}
