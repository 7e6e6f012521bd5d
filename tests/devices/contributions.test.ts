import 'fake-indexeddb/auto';
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { attach } from '../../client/db/attach.support.ts';
import { removeAttachment } from '../../client/db/attachments.ts';
import {
  CONTRIBUTORS,
  give,
  newContribution,
  readContribution,
  savePart,
  takeBack,
  takeToSend,
} from '../../client/db/contributions.ts';
import { db, openDatabase } from '../../client/db/database.ts';
import { randomUuid } from '../../client/db/tables.ts';
import { runQueue } from '../../client/sync/queue.ts';
import { contributionQueue, openPersonalLink } from '../../client/sync/send-contributions.ts';
import { contributions, uploads, users } from '../../server/db/schema.ts';
import { listAdded } from '../../shared/api/contributions.ts';
import { codeOf } from '../support/addresses.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { linkPath, newDraft, newLink, sealDraft, Writer } from '../support/contributions.ts';
import { sharedServer } from '../support/server.ts';
import { browserFetch } from './browser-fetch.ts';

/* The device of somebody who adds without an account, against the server itself. */

const server = sharedServer({ clock: '2029-12-20T12:00:00Z' });

/** Asked for every request before it leaves; true swallows its answer. */
let losesAnswer: (line: string) => boolean;
/** Runs before the answer is there. */
let meanwhile: (line: string) => Promise<void>;
let count = 0;
let anna: SignedIn;
let draft: string;
let token: string;

beforeEach(async () => {
  losesAnswer = () => false;
  meanwhile = async () => undefined;
  const device = browserFetch(server.url);
  const { fetch } = globalThis;
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', async (address: string | URL, init: RequestInit = {}) => {
    // The organiser's calls, and their files.
    if (typeof address !== 'string' || !address.startsWith('/')) return fetch(address, init);
    const answer = await device(address, init);
    // Not of the first call of all, which is refused and brings the token.
    await meanwhile(`${init.method} ${address}`);
    if (answer.ok && losesAnswer(`${init.method} ${address}`)) throw new TypeError('Network error');
    return answer;
  });
  count += 1;
  anna = await signUp(server.url, `Anna ${count}`);
  draft = await newDraft(anna);
  token = await newLink(anna, draft);
  await openDatabase(CONTRIBUTORS);
  await Promise.all(db.tables.map((table) => table.clear()));
});
afterEach(() => vi.unstubAllGlobals());

const id = randomUuidEach();

function randomUuidEach() {
  let last = '';
  beforeEach(() => {
    last = randomUuid();
  });
  return () => last;
}

/** Types into the contribution of this device. */
async function write(letter: string, name = 'Grandpa Karl'): Promise<void> {
  const row = (await readContribution(id()))?.row ?? newContribution(id(), token);
  await savePart({ ...row, fields: { name, letter }, updatedAt: Date.now() });
}

/** Runs the sender at once, whatever pauses are noted. */
async function send(): Promise<void> {
  await db.draftSync.clear();
  await db.contributions.toCollection().modify({ sentAt: 0 });
  await db.attachments.toCollection().modify((file) => {
    if (file.refused) file.refused.at = 0;
  });
  await runQueue(contributionQueue);
}

/** Another device to which its writer has taken the personal link. */
async function otherDevice(): Promise<Writer> {
  const here = await readContribution(id());
  const writer = new Writer(server.url, token);
  const secret = here?.row.secret ?? '';
  return Object.assign(writer, { id: id(), secret, path: `/api/contributions/${id()}` });
}

async function added() {
  const list = answerOf(listAdded, await anna.get(`/api/drafts/${draft}/contributions`));
  return list.contributions.map(({ name, fileCount }) => [name, fileCount]);
}

const state = async () => (await readContribution(id()))?.row.state;
const refusal = async () => (await readContribution(id()))?.files[0]?.refused?.message;

describe('a device that adds to a draft of somebody else', () => {
  it('sends nothing before it is given, and once after a lost answer', async () => {
    await write('My blessing');
    await send();
    expect(await added()).toEqual([]);
    await give(id());
    losesAnswer = (line) => line.startsWith('PUT /api/contributions/');
    await send();
    losesAnswer = () => false;
    await write('My blessing, and a story');
    await send();
    await send();
    expect(await added()).toEqual([['Grandpa Karl', 0]]);
    expect(await (await otherDevice()).own()).toMatchObject({ letter: 'My blessing, and a story' });
  });

  it('what was corrected after a lost answer stands once, and what was taken out stays out', async () => {
    // A key cuts a smiley in half, and a name may end with a space.
    await write('Dear Mai, I lov\ud83d', 'Grandpa ');
    const lake = new File(['%PDF-1.4 the lake'], 'lake.pdf', { type: 'application/pdf' });
    const file = await attach(id(), lake);
    await give(id());
    losesAnswer = (line) => line.startsWith('PUT /api/contributions/');
    await send();
    losesAnswer = () => false;
    await removeAttachment(id(), file.id);
    const [name, letter] = ['Grandpa Karl', 'Dear Mia, I love you'];
    await write(letter, name);
    await send();
    const part = await readContribution(id());
    expect([part?.row.fields, part?.files]).toEqual([{ name, letter }, []]);
    expect(await (await otherDevice()).own()).toMatchObject({ name, letter, files: [] });
  });

  it('the bytes go of a file that another device has taken out', async () => {
    await write('My blessing');
    await attach(id(), new File(['%PDF-1.4 the lake'], 'lake.pdf', { type: 'application/pdf' }));
    await give(id());
    await send();
    await (await otherDevice()).save(1, { letter: 'My blessing' });
    await send();
    expect(await Promise.all([db.attachments.count(), db.chunks.count()])).toEqual([0, 0]);
  });

  it('keeps both letters when two devices have written', async () => {
    await write('My blessing');
    await give(id());
    await send();
    await (await otherDevice()).save(1, { name: 'Grandpa Karl', letter: 'From the train' });
    await write('At the desk');
    await send();
    const row = (await readContribution(id()))?.row;
    expect(row?.fields.letter).toContain('At the desk');
    expect(row?.fields.letter).toContain('From the train');
  });

  it('goes on by a personal link with a secret of its own, and where it was begun nothing is lost', async () => {
    const begun = new Writer(server.url, token);
    await begun.save(0, { name: 'Grandpa Karl', letter: '.' });
    // Opened here, where nobody else has it.
    await db.contributions.clear();
    await openPersonalLink(begun.id, begun.secret);
    const here = async () => (await readContribution(begun.id))?.row;
    const type = async (letter: string) => {
      const row = await here();
      if (!row) throw new Error('It is there.');
      await savePart({ ...row, fields: { ...row.fields, letter }, updatedAt: Date.now() });
    };
    await send();
    expect((await here())?.fields.letter).toBe('.');
    expect(await begun.own()).toMatchObject({ letter: '.' });
    losesAnswer = (line) => line.startsWith('PUT /api/contributions/');
    await type('My blessing');
    await send();
    losesAnswer = () => false;
    await type('My blessing, and a story');
    await send();
    const { secret = '', newSecret } = (await here()) ?? {};
    expect([secret === begun.secret, newSecret]).toEqual([false, undefined]);
    expect(codeOf(await begun.request('GET', begun.path))).toBe('CONTRIBUTION_ELSEWHERE');
    const now = Object.assign(new Writer(server.url), { id: begun.id, path: begun.path, secret });
    expect(await now.own()).toMatchObject({ letter: 'My blessing, and a story' });

    // A third device goes on. What is typed here meanwhile stays, and is merged once its link is opened.
    const third = randomBytes(32).toString('base64url');
    const letter = 'From the train';
    await now.save(((await now.own()) as { revision: number }).revision, {
      letter,
      newSecret: third,
    });
    await type('At the desk');
    await send();
    expect((await here())?.state).toBe('elsewhere');
    expect((await here())?.fields.letter).toBe('At the desk');
    await openPersonalLink(begun.id, third);
    await send();
    const row = await here();
    expect(row?.state).toBe('given');
    expect(row?.fields.letter).toContain('At the desk');
    expect(row?.fields.letter).toContain(letter);
    const last = { id: begun.id, path: begun.path, secret: row?.secret ?? '' };
    expect(last.secret).not.toBe(third);
    expect(await Object.assign(new Writer(server.url), last).own()).toMatchObject({
      letter: row?.fields.letter,
    });
  });

  describe('that opens a personal link', () => {
    let begun: Writer;
    beforeEach(async () => {
      begun = new Writer(server.url, token);
      await begun.save(0, { name: 'Grandpa Karl', letter: 'My blessing' });
    });
    const here = async () => (await readContribution(begun.id))?.row;
    /** As the device has it whose secret this is. */
    const by = (secret: string) =>
      Object.assign(new Writer(server.url), { id: begun.id, path: begun.path, secret });
    const type = async (letter: string) => {
      const row = await here();
      if (!row) throw new Error('It is there.');
      await savePart({ ...row, fields: { ...row.fields, letter }, updatedAt: Date.now() });
      await send();
    };
    const third = randomBytes(32).toString('base64url');

    it('keeps what it has gone on with when the same link is opened once more', async () => {
      await openPersonalLink(begun.id, begun.secret);
      await type('My blessing, and a story');
      await openPersonalLink(begun.id, begun.secret);
      await send();
      await type('My blessing, and two stories');
      const row = await here();
      expect(row?.state).toBe('given');
      const { letter } = (await by(row?.secret ?? '').own()) as { letter: string };
      expect(letter).toBe('My blessing, and two stories');
    });

    it('has nothing of a link that is not the newest, and of one that is no link', async () => {
      await begun.save(1, { letter: 'From the train', newSecret: third });
      const code = (one: Promise<void>) => one.catch((error) => error.code);
      expect(await code(openPersonalLink(begun.id, begun.secret))).toBe('CONTRIBUTION_ELSEWHERE');
      expect(await code(openPersonalLink(begun.id, 'x'.repeat(43)))).toBe('CONTRIBUTION_NOT_FOUND');
      expect(await here()).toBeUndefined();
      await openPersonalLink(begun.id, third);
      expect((await here())?.fields.letter).toBe('From the train');
    });

    it('goes on by the newest one before it has heard that another device did', async () => {
      await openPersonalLink(begun.id, begun.secret);
      await type('At the desk');
      const { secret = '', known } = (await here()) ?? {};
      await by(secret).save(known?.revision ?? 0, { letter: 'From the train', newSecret: third });
      await openPersonalLink(begun.id, third);
      await send();
      expect(await here()).toMatchObject({ state: 'given', fields: { letter: 'From the train' } });
    });

    it('says that another device has gone on where it has only looked', async () => {
      await openPersonalLink(begun.id, begun.secret);
      await begun.save(1, { letter: 'From the train', newSecret: third });
      await send();
      expect((await here())?.state).toBe('elsewhere');
    });

    it('takes over what was taken back elsewhere and begun anew', async () => {
      await openPersonalLink(begun.id, begun.secret);
      await type('At the desk');
      const own = by((await here())?.secret ?? '');
      await own.request('DELETE', own.path);
      await send();
      expect((await here())?.state).toBe('gone');
      const anew = Object.assign(new Writer(server.url, token), { ...by(third), token });
      await anew.save(0, { letter: 'From the train' });
      await openPersonalLink(begun.id, third);
      expect(await here()).toMatchObject({ state: 'given', fields: { letter: 'From the train' } });
    });

    it('takes it back at once', async () => {
      await openPersonalLink(begun.id, begun.secret);
      await takeBack(begun.id);
      await send();
      expect(codeOf(await begun.request('GET', begun.path))).toBe('CONTRIBUTION_NOT_FOUND');
    });
  });

  it('what stands here goes again when the server has come back from a backup', async () => {
    await write('My blessing');
    await give(id());
    await send();
    const rows = await server.deps.db
      .select()
      .from(contributions)
      .where(eq(contributions.id, id()));
    await attach(id(), new File(['%PDF-1.4 the lake'], 'lake.pdf', { type: 'application/pdf' }));
    await write('My blessing, and a story');
    await send();
    const [backup] = rows;
    if (!backup) throw new Error('It is there.');
    await server.deps.db.update(contributions).set(backup).where(eq(contributions.id, id()));
    await send();
    await send();
    const letter = 'My blessing, and a story';
    const part = await readContribution(id());
    expect([part?.row.fields.letter, part?.files.length]).toEqual([letter, 1]);
    expect(await (await otherDevice()).own()).toMatchObject({ letter });
    expect(await added()).toEqual([['Grandpa Karl', 1]]);
  });

  it('words arrive when there is no room for a file, which says why it waits', async () => {
    await write('My blessing');
    await attach(id(), new File(['%PDF-1.4 the lake'], 'lake.pdf', { type: 'application/pdf' }));
    await give(id());
    await server.deps.db.update(users).set({ storageLimitMB: 0 });
    meanwhile = async (line) => {
      if (line.includes('/uploads/')) await write('My blessing, and a story');
    };
    await runQueue(contributionQueue);
    expect(await added()).toEqual([['Grandpa Karl', 0]]);
    expect(await refusal()).toContain("There's no room for this file");
    // A refused file holds up no words.
    await runQueue(contributionQueue);
    expect(await (await otherDevice()).own()).toMatchObject({ letter: 'My blessing, and a story' });
    await server.deps.db.update(users).set({ storageLimitMB: null });
    await send();
    expect(await added()).toEqual([['Grandpa Karl', 1]]);
    expect(await refusal()).toBeUndefined();
  });

  it('what was removed unread stays here, and can be sent again as a new one', async () => {
    await write('My blessing');
    await give(id());
    await send();
    await anna.delete(`/api/drafts/${draft}/contributions/${id()}`);
    await send();
    expect(await state()).toBe('gone');
    expect((await readContribution(id()))?.row.fields.letter).toBe('My blessing');
    await anna.post(`/api/drafts/${draft}/contributions/${id()}/put-back`);
    await send();
    expect(await state()).toBe('given');
    await anna.delete(`/api/drafts/${draft}/contributions/${id()}`);
    await send();
    await give(id());
    await send();
    expect(await added()).toEqual([['Grandpa Karl', 0]]);
  });

  it('taken back offline, it is taken back when the connection is there, and stays here', async () => {
    await write('My blessing');
    await give(id());
    await send();
    await takeBack(id());
    await send();
    expect(await added()).toEqual([]);
    expect((await readContribution(id()))?.row.fields.letter).toBe('My blessing');
  });

  it('taken back before it was sent, it is not sent', async () => {
    await write('My blessing');
    await give(id());
    await takeBack(id());
    expect(await takeToSend(id())).toBeNull();
  });

  it('says what came too late, and what is in', async () => {
    await write('My blessing');
    await give(id());
    await sealDraft(anna, draft);
    await send();
    expect(await state()).toBe('late');
  });

  it('a draft that was discarded has come back: the files of what was added are sent again', async () => {
    await write('My blessing');
    const lake = new File(['%PDF-1.4 the lake'], 'lake.pdf', { type: 'application/pdf' });
    const file = await attach(id(), lake);
    await give(id());
    await send();
    const ofFile = eq(uploads.id, file.id);
    const isWhole = async () => {
      const [row] = await server.deps.db.select().from(uploads).where(ofFile);
      return row?.received === file.bytes;
    };
    expect(await isWhole()).toBe(true);
    await server.deps.db.delete(uploads).where(ofFile);
    await send();
    await send();
    expect(await isWhole()).toBe(true);
  });

  it('an answer that was lost before the seal is found out', async () => {
    await write('My blessing');
    await give(id());
    losesAnswer = (line) => line.startsWith('PUT /api/contributions/');
    await send();
    await sealDraft(anna, draft);
    losesAnswer = () => false;
    await send();
    expect(await state()).toBe('sealed');
  });

  it('an ended link takes nothing from who came in time, and tells the others', async () => {
    await write('My blessing');
    await give(id());
    await send();
    await anna.delete(linkPath(draft));
    await write('My blessing, changed');
    await send();
    expect(await (await otherDevice()).own()).toMatchObject({ letter: 'My blessing, changed' });

    const other = randomUuid();
    const fields = { name: 'Per', letter: 'So small' };
    await savePart({ ...newContribution(other, token), fields });
    await give(other);
    await send();
    expect((await readContribution(other))?.row.state).toBe('ended');
    expect(await added()).toEqual([['Grandpa Karl', 0]]);
  });
});
