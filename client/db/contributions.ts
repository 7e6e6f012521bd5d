import {
  type ContributionContent,
  type ContributionLink,
  contributionSchema,
  type OwnContribution,
} from '../../shared/api/contributions.ts';
import { forgetArrived, noteArrived, readFiles, sweepFiles } from './attachments.ts';
import { db } from './database.ts';
import { fileKey, isSame, mergeLists, type Patch, patched } from './merge-draft.ts';
import { mergeText } from './merge-text.ts';
import type { Attachment, ContributionFields, ContributionRow } from './tables.ts';

/* What somebody without an account adds to another person's draft: rows of a database of their own. */

/** Stands for a person's id: their database is nobody's who signs in, so no sign-out deletes it. */
export const CONTRIBUTORS = 'adding';

/** A contribution, with its files. */
export interface Contribution {
  row: ContributionRow;
  files: Attachment[];
}

export const EMPTY_PART: ContributionFields = { name: '', letter: '' };

/** What a contribution begins with. Until it is given, it stays on this device. */
export function newContribution(
  id: string,
  token: string,
  { organiser = '', title = '' }: Partial<ContributionLink> = {},
): ContributionRow {
  return {
    ...{ id, fields: EMPTY_PART, files: [], updatedAt: Date.now(), state: 'writing', token },
    ...{ secret: newSecret(), asked: { organiser, title } },
  };
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
  const rows = await db.contributions.toArray();
  rows.sort((a, b) => b.updatedAt - a.updatedAt);
  return Promise.all(rows.map(async (row) => ({ row, files: await readFiles(row) })));
}

export async function readContribution(id: string): Promise<Contribution | null> {
  const row = await db.contributions.get(id);
  return row ? { row, files: await readFiles(row) } : null;
}

/** Each change of the row that stands on what is read of it. */
function change<Done>(work: () => Promise<Done>): Promise<Done> {
  return db.transaction('rw', db.contributions, db.attachments, work);
}

async function modify(id: string, alter: (row: ContributionRow) => void): Promise<void> {
  await db.contributions.where({ id }).modify(alter);
}

/** Of two names the later one stands; of a letter each word. */
export function mergePart(
  base: ContributionFields,
  mine: ContributionFields,
  theirs: ContributionFields,
) {
  const texts = {
    name: mergeText(base.name, mine.name, mine.name === base.name ? theirs.name : mine.name),
    letter: mergeText(base.letter, mine.letter, theirs.letter),
  };
  return { texts, fields: { name: texts.name.text, letter: texts.letter.text } };
}

/** Saves what is typed. @param row as it stands in the form: written whole where the device does not have it */
export function savePart(
  row: ContributionRow,
  patch: Patch<ContributionFields> = row,
): Promise<ContributionRow> {
  return change(async () => {
    const stored = await db.contributions.get(row.id);
    const updatedAt = stored ? Math.max(row.updatedAt, stored.updatedAt + 1) : row.updatedAt;
    const fields = stored ? patched(stored.fields, patch, mergePart) : row.fields;
    const saved = { ...(stored ?? row), fields, updatedAt };
    await db.contributions.put(saved);
    return saved;
  });
}

/** What is added, as it stands here. A file that is being copied follows when it is whole. */
function writtenIn({ row: { fields }, files }: Contribution): ContributionContent {
  const whole = files.filter(({ complete, isElsewhere }) => complete || isElsewhere);
  return {
    ...fields,
    files: whole.map(({ id, name, type, bytes }) => ({ id, name, type, bytes })),
  };
}

/** As it is sent, and as the server stores it; null while it says too little. */
export function toSend(one: Contribution): ContributionContent | null {
  return contributionSchema.safeParse(writtenIn(one)).data ?? null;
}

/** The server lacks something of it, but for bytes of files, whether that is to be sent or not. */
export function isUnsent(one: Contribution): boolean {
  const { sent, known } = one.row;
  const { revision: _, ...content } = known ?? { revision: 0, ...EMPTY_PART, files: [] };
  return sent !== undefined || !isSame(toSend(one) ?? writtenIn(one), content);
}

/**
 * From now on it is sent, and so is whatever is changed in it. One that was removed, or came too late
 * for another link, is sent as a new one.
 * @param token of the link by which it is added from now on
 */
export function give(id: string, token?: string): Promise<void> {
  return change(async () => {
    const row = await db.contributions.get(id);
    if (row && isOver(row)) await forgetKnown(id);
    await modify(id, (row) => {
      row.state = 'given';
      delete row.refusal;
      if (token === undefined) return;
      // The server says it again for the new link.
      Object.assign(row, { token, asked: { organiser: '', title: '' } });
    });
  });
}

/** It has come to an end, however that was. */
export function isOver({ state }: ContributionRow): boolean {
  return !['writing', 'given', 'taken-back'].includes(state);
}

/** It stays on this device, and is not sent any more. What the server has of it, it is told to delete. */
export function takeBack(id: string): Promise<void> {
  return modify(id, (row) => {
    row.state = row.known || row.sent ? 'taken-back' : 'writing';
  });
}

/** The server has nothing of it any more. Given again meanwhile, it is sent as a new one. */
export function noteTakenBack(id: string): Promise<void> {
  return change(async () => {
    await forgetKnown(id);
    await modify(id, (row) => {
      if (row.state === 'taken-back') row.state = 'writing';
    });
  });
}

/** Files of another device were with the server alone. */
async function forgetKnown(id: string): Promise<void> {
  const files = (await readContribution(id))?.files ?? [];
  const own = files.filter(({ isElsewhere }) => !isElsewhere);
  await modify(id, (row) => {
    row.files = own.map((file) => file.id);
    delete row.known;
    delete row.sent;
  });
  const notSent = ({ hasArrived: _, ...file }: Attachment) => ({ ...file, announced: false });
  await db.attachments.bulkPut(own.map(notSent));
}

/** Removes it from this device, and from nowhere else. */
export async function forgetContribution(id: string): Promise<void> {
  await db.contributions.delete(id);
  await sweepFiles();
}

/** Notes what became of it for good. */
export function noteOutcome(
  id: string,
  state: ContributionRow['state'],
  arrived: readonly string[] = [],
): Promise<void> {
  return change(async () => {
    await modify(id, (row) => {
      row.state = state;
      delete row.refusal;
    });
    await noteArrived(...arrived);
  });
}

/** Begins with what the server has under the newest personal link, or goes on with it here. */
export function adoptContribution(id: string, secret: string, own: OwnContribution): Promise<void> {
  return change(async () => {
    const here = await db.contributions.get(id);
    const state = here && !isOver(here) ? here.state : 'given';
    const row = { ...(here ?? newContribution(id, '')), state, secret, newSecret: newSecret() };
    await db.contributions.put(row);
    await receiveContribution(id, own);
  });
}

/** What is to be sent now, noted before it leaves: what was sent before without an answer goes again. */
export function takeToSend(id: string): Promise<ContributionRow | null> {
  return change(async () => {
    const one = await readContribution(id);
    // It may have been taken back a moment ago.
    const isDue = one?.row.state === 'given' && isUnsent(one);
    const sent = isDue && (one.row.sent ?? toSend(one));
    if (!sent) return null;
    const row = { ...one.row, sent, sentAt: Date.now() };
    await db.contributions.put(row);
    return row;
  });
}

/** With what was sent, the server knows the new secret: whoever gave the link doesn't reach it any more. */
export function takeNewSecret(id: string): Promise<void> {
  return modify(id, (row) => {
    if (!row.sent) return;
    row.secret = row.newSecret ?? row.secret;
    delete row.newSecret;
  });
}

/** The server has saved what was sent. */
export async function noteSaved(id: string, revision: number): Promise<void> {
  await takeNewSecret(id);
  await modify(id, (row) => {
    if (row.sent) row.known = { ...row.sent, revision };
    delete row.sent;
    delete row.refusal;
  });
}

/** The server has not taken what was sent, for a reason that does not pass by itself. */
export function noteRefused(id: string, refusal: string): Promise<void> {
  return change(async () => {
    const one = await readContribution(id);
    await modify(id, (row) => {
      // What was written since is not refused.
      const isOurs = one && isSame(row.sent, toSend(one));
      delete row.sent;
      if (isOurs) Object.assign(row, { refusal, refusedAt: row.updatedAt });
    });
  });
}

/**
 * Takes over what the server has of it. Only one device can write at a time, so this is either what was
 * sent from here or what a device has left whose part goes on here.
 */
export function receiveContribution(id: string, own: OwnContribution): Promise<void> {
  if (own.state === 'sealed') return noteOutcome(id, 'sealed', own.arrived);
  return change(async () => {
    const one = await readContribution(id);
    if (!one) return;
    const { revision, name, letter, files, arrived } = own;
    const { organiser, title, recipientNames, dateToUnlock } = own;
    const row = { ...one.row, asked: { organiser, title, recipientNames, dateToUnlock } };
    // It was put back.
    if (row.state === 'gone') row.state = 'given';
    if (revision !== row.known?.revision) {
      const there = { name, letter, files };
      // The server has come back from a backup. By a link from another device it would be one that began anew.
      const isRestored = !row.newSecret && revision < (row.known?.revision ?? 0);
      const isOurs = isRestored || isSame(row.sent, there);
      const base = (isOurs ? there : row.known) ?? { ...EMPTY_PART, files: [] };
      const { fields } = mergePart(base, row.fields, there);
      const merged = mergeLists(base.files, writtenIn(one).files, files, fileKey);
      const copied = one.files.filter(({ complete, isElsewhere }) => !complete && !isElsewhere);
      await db.attachments.bulkPut(merged.map((file) => rowOf(file, one.files)));
      row.files = [...merged, ...copied].map((file) => file.id);
      // The open form follows rows that are newer than its own.
      if (!isSame(fields, row.fields)) row.updatedAt = Math.max(row.updatedAt + 1, Date.now());
      Object.assign(row, { fields, known: { ...there, revision } });
      delete row.sent;
    }
    await db.contributions.put(row);
    // The server lets go of them with a discarded draft, and that may have come back.
    await forgetArrived(one.files.filter(({ id }) => !arrived.includes(id)));
    await noteArrived(...arrived);
  });
}

/** The bytes of what only the server names are on another device. */
function rowOf(
  file: ContributionContent['files'][number],
  here: readonly Attachment[],
): Attachment {
  const elsewhere = { complete: false, announced: true, isElsewhere: true as const };
  const row = here.find(({ id }) => id === file.id);
  return row ?? { ...file, ...elsewhere, thumbnail: null, lastModified: 0 };
}
