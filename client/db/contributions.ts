import type {
  ContributionContent,
  ContributionLink,
  OwnContribution,
} from '../../shared/api/contributions.ts';
import type { DraftContent } from '../../shared/api/drafts.ts';
import { readFiles, sweepFiles } from './attachments.ts';
import { db } from './database.ts';
import { receiveDrafts } from './draft-sync.ts';
import { contentOf, NOTHING, type StoredDraft } from './receive-draft.ts';
import { type Adding, CONTRIBUTORS, type DraftRow, EMPTY_DRAFT } from './tables.ts';
import { noteArrived } from './uploads.ts';

/*
 * What somebody without an account adds to another person's draft: on this device a draft like any
 * other, and so saved, restored, merged and sent like one. All of them are in a database of their own.
 */

export { CONTRIBUTORS };

/** A contribution, with its files. */
export interface Contribution extends StoredDraft {
  draft: DraftRow & { adding: Adding };
}

type Begun = Pick<DraftRow, 'adding' | 'onlyHere'> & { adding: Adding };

/** What a contribution begins with. Until it is given, it stays on this device. */
export function newContribution(token: string, link: ContributionLink | null): Begun {
  const { organiser = '', title = '' } = link ?? {};
  return { onlyHere: true, adding: { token, secret: newSecret(), organiser, title } };
}

/** 32 random bytes in base64url. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Newest first. */
export async function readContributions(): Promise<Contribution[]> {
  const drafts = await db.drafts.filter(isContribution).toArray();
  const stored = drafts.filter(isContribution).sort((a, b) => b.updatedAt - a.updatedAt);
  return Promise.all(stored.map(async (draft) => ({ draft, files: await readFiles(draft) })));
}

function isContribution(draft: DraftRow): draft is Contribution['draft'] {
  return draft.adding !== undefined;
}

export async function readContribution(id: string): Promise<Contribution | null> {
  const draft = await db.drafts.get(id);
  return draft && isContribution(draft) ? { draft, files: await readFiles(draft) } : null;
}

/** What the server is sent of a contribution. */
export function contributionOf({ fields, files }: DraftContent): ContributionContent {
  return { name: fields.title, letter: fields.personalMessage, files };
}

/** What stands in it now. */
export function contentNow({ draft, files }: StoredDraft): ContributionContent {
  return contributionOf(contentOf(draft, files));
}

async function change(id: string, alter: (draft: Contribution['draft']) => void): Promise<void> {
  await db.drafts.where({ id }).modify((draft) => {
    if (isContribution(draft)) alter(draft);
  });
}

/**
 * From now on it is sent, and so is whatever is changed in it. One that was removed, or came too late
 * for another link, is sent as a new one.
 * @param token of the link by which it is added from now on
 */
export async function give(id: string, token?: string): Promise<void> {
  await db.transaction('rw', db.drafts, db.attachments, db.chunks, async () => {
    const before = await readContribution(id);
    if (before?.draft.adding.outcome) await forgetAccount(before);
    await change(id, (draft) => {
      delete draft.onlyHere;
      delete draft.adding.isTakenBack;
      delete draft.adding.outcome;
      if (token !== undefined) draft.adding.token = token;
      if (draft.account) delete draft.account.refusal;
      // The server says it again for the new link.
      if (token !== undefined) Object.assign(draft.adding, { organiser: '', title: '' });
    });
  });
}

/** It stays on this device, and is not sent any more. What the server has of it, it is told to delete. */
export async function takeBack(id: string): Promise<void> {
  await change(id, (draft) => {
    draft.onlyHere = true;
    if (draft.account) draft.adding.isTakenBack = true;
  });
}

/** The server has nothing of it any more. Files of another device were there alone. */
export async function noteTakenBack(id: string): Promise<void> {
  await db.transaction('rw', db.drafts, db.attachments, db.chunks, async () => {
    const before = await readContribution(id);
    // Given again meanwhile: it is sent as a new one.
    if (before) await forgetAccount(before);
    await change(id, ({ adding }) => {
      delete adding.isTakenBack;
    });
  });
}

async function forgetAccount({ draft, files }: Contribution): Promise<void> {
  const own = files.filter(({ isElsewhere }) => !isElsewhere).map(({ id }) => id);
  await change(draft.id, (row) => {
    delete row.account;
    row.files = own;
  });
  await db.attachments
    .where('id')
    .anyOf(own)
    .modify((file) => {
      file.announced = false;
      delete file.hasArrived;
    });
}

/** Removes it from this device, and from nowhere else. */
export async function forgetContribution(id: string): Promise<void> {
  await db.drafts.delete(id);
  await sweepFiles();
}

/** Notes what became of it for good. */
export async function noteOutcome(
  id: string,
  outcome: NonNullable<Adding['outcome']>,
  arrived: readonly string[] = [],
): Promise<void> {
  await db.transaction('rw', db.drafts, db.attachments, async () => {
    await change(id, (draft) => {
      draft.onlyHere = true;
      draft.adding.outcome = outcome;
      delete draft.adding.isTakenBack;
      if (draft.account) delete draft.account.refusal;
    });
    for (const file of arrived) await noteArrived(file);
  });
}

/** The last of its files that waited has arrived. */
export async function clearRefusal(id: string): Promise<void> {
  await change(id, ({ account }) => {
    if (account) delete account.refusal;
  });
}

/** Begins with what the server has under a personal link, once that is read, or goes on with it here. */
export async function adoptContribution(id: string, secret: string): Promise<void> {
  await db.transaction('rw', db.drafts, db.attachments, async () => {
    const known = await readContribution(id);
    if (!known) {
      await db.drafts.put({
        ...{ id, fields: EMPTY_DRAFT, files: [], updatedAt: 0 },
        account: { revision: 0, content: NOTHING },
        adding: { token: '', secret, newSecret: newSecret(), organiser: '', title: '' },
      });
    } else if (known.draft.adding.secret !== secret && isOpen(known)) {
      await change(id, (draft) => {
        Object.assign(draft.adding, { secret, newSecret: newSecret() });
        if (draft.adding.outcome === undefined) return;
        delete draft.adding.outcome;
        delete draft.onlyHere;
      });
    }
  });
}

/** Something can still become of it. */
const isOpen = ({ draft: { adding } }: Contribution) =>
  adding.outcome === undefined || adding.outcome === 'elsewhere';

/** From now on the device that gave the link doesn't reach it any more. */
export async function takeNewSecret(id: string): Promise<void> {
  await change(id, ({ adding }) => {
    if (adding.newSecret === undefined) return;
    adding.secret = adding.newSecret;
    delete adding.newSecret;
  });
}

/** Takes over what the server has of it: another device may have written. */
export async function receiveContribution(id: string, own: OwnContribution): Promise<void> {
  if (own.state === 'sealed') return noteOutcome(id, 'sealed', own.arrived);
  const before = await readContribution(id);
  if (!before) return;
  const { account, fields } = before.draft;
  const { revision, name, letter, files, arrived } = own;
  const { organiser, title, recipientNames, dateToUnlock } = own;
  const told = { organiser, title, recipientNames, dateToUnlock };
  await change(id, ({ adding }) => Object.assign(adding, told));
  if (account?.revision === revision && !account.unanswered) {
    for (const file of arrived) await noteArrived(file);
    return;
  }
  // The server leaves out spaces around a name.
  const isSameName = fields.title.trim() === name;
  const content = {
    fields: { ...EMPTY_DRAFT, title: isSameName ? fields.title : name, personalMessage: letter },
    files,
  };
  const writtenAt = new Date().toISOString();
  const there = { id, revision, content, gone: null, arrived, writtenOn: '', writtenAt };
  await receiveDrafts(CONTRIBUTORS, [there]);
}
