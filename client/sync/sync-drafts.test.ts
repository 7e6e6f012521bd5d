import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { restOf } from '../../shared/api/drafts.ts';
import { rare } from '../../tests/support/rare.ts';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { attach } from '../db/attach.support.ts';
import { readAttachments } from '../db/attachments.ts';
import { db, openDatabase } from '../db/database.ts';
import { retryRefusedDrafts } from '../db/draft-sync.ts';
import { readDraft, saveDraft } from '../db/drafts.ts';
import { askAnew, noteOpenDraft, readExchange } from '../db/due.ts';
import { enqueue, reopenAsDraft } from '../db/outbox.ts';
import { type DraftRow, EMPTY_DRAFT } from '../db/tables.ts';
import { createAccountModel } from './account-model.support.ts';
import { outboxQueue } from './drain.ts';
import { PAUSE_LOCK } from './locks.ts';
import { runQueue } from './queue.ts';
import { nextDraftSync, saveWords, syncDrafts } from './sync-drafts.ts';

const id = sampleId(1);
const { signal } = new AbortController();
const looking = { signal, isLeaving: () => false };
const leaving = { signal, isLeaving: () => true };
const HOUR_MS = 3_600_000;
/** Of a request and its answer, with a cookie: more than a browser sends over HTTP/2. */
const HEADS_BYTES = 1_200;

let account: ReturnType<typeof createAccountModel>;
let sent: string[];
let bytes: number;
let answerWith: ((address: string) => Response | null) | null;

beforeEach(async () => {
  account = createAccountModel();
  sent = [];
  bytes = 0;
  answerWith = null;
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    sent.push(`${init.method} ${address.split('/')[2]}`);
    const answer = answerWith?.(address) ?? (await account.respond(address, init));
    const body = init.body instanceof Blob ? init.body.size : 0;
    bytes += HEADS_BYTES + body + (await answer.clone().arrayBuffer()).byteLength;
    return answer;
  });
  await openDatabase(sampleId(101));
  await Promise.all(db.tables.map((table) => table.clear()));
});
afterEach(() => void vi.useRealTimers());

function write(personalMessage: string): Promise<unknown> {
  const fields = { ...EMPTY_DRAFT, personalMessage };
  return saveDraft({ id, fields, updatedAt: Date.now() });
}

rare(
  '20,000 words that are typed in an hour cost at most 2 MB',
  async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const words = Array.from({ length: 20_000 }, (_, at) => `word${at % 10}`);
    const begun = Date.now();
    // Later the pauses are minutes long anyway.
    for (let at = 0; at <= HOUR_MS; at += at < HOUR_MS / 20 ? 5_000 : 30_000) {
      vi.setSystemTime(begun + at);
      await write(words.slice(0, Math.round((at / HOUR_MS) * words.length)).join(' '));
      if ((await nextDraftSync(false)) <= Date.now()) await syncDrafts(looking);
    }
    await syncDrafts(leaving);
    expect(account.drafts.get(id)?.content?.fields.personalMessage).toHaveLength(119_999);
    expect(bytes).toBeLessThan(2_000_000);
    expect(sent.filter((line) => line.startsWith('PUT')).length).toBeGreaterThan(50);
  },
  30_000,
);

it('is silent where the server is older, and asks it again a quarter of an hour later', async () => {
  await write('Dear');
  answerWith = (address) =>
    address.startsWith('/api/drafts')
      ? Response.json({ message: 'Not found', code: 'NOT_FOUND' }, { status: 404 })
      : null;
  await syncDrafts(looking);
  expect(await nextDraftSync(false)).toBeGreaterThan(Date.now() + 14 * 60_000);
  sent = [];
  await syncDrafts(looking);
  expect(sent).toEqual([]);
  expect((await readDraft(id))?.account?.refusal).toBeUndefined();
});

it('what the account refuses stays here, with the reason, and the others go on', async () => {
  await write('Too long');
  await saveDraft({ id: sampleId(2), fields: { ...EMPTY_DRAFT, title: 'Fits' }, updatedAt: 1 });
  const full = { message: 'Your storage is full.', code: 'STORAGE_LIMIT_REACHED' };
  answerWith = (address) => (address.endsWith(id) ? Response.json(full, { status: 413 }) : null);
  await syncDrafts(looking);
  expect((await readDraft(id))?.account).toMatchObject({ refusal: full.message, revision: 0 });
  expect([...account.drafts.keys()]).toEqual([sampleId(2)]);
});

it('a refused file holds up no words, and is tried again once there is room', async () => {
  await write('Dear');
  await attach(id, new File(['abc'], 'a.txt'));
  const full = { message: 'Your storage is full.', code: 'STORAGE_LIMIT_REACHED' };
  answerWith = (address) =>
    address.startsWith('/api/uploads') ? Response.json(full, { status: 413 }) : null;
  await syncDrafts(leaving);
  expect(await readAttachments(id)).toMatchObject([{ refused: { message: full.message } }]);
  await write('Dear Mia');
  sent = [];
  await syncDrafts(leaving);
  expect(account.drafts.get(id)?.content?.fields.personalMessage).toBe('Dear Mia');
  expect(sent.filter((line) => line.endsWith('uploads'))).toEqual([]);
  answerWith = null;
  await retryRefusedDrafts();
  await syncDrafts(leaving);
  const [file] = await readAttachments(id);
  expect([file?.hasArrived, file?.refused]).toEqual([true, undefined]);
});

it('refused words go again as soon as they are changed', async () => {
  await write('Too long');
  const refused = { message: 'Too long.', code: 'STORAGE_LIMIT_REACHED' };
  answerWith = (address) => (address.endsWith(id) ? Response.json(refused, { status: 413 }) : null);
  await syncDrafts(looking);
  answerWith = null;
  await syncDrafts(looking);
  expect(account.drafts.has(id)).toBe(false);
  const { fields } = (await readDraft(id)) as DraftRow;
  await saveDraft({
    id,
    fields: { ...fields, personalMessage: 'Short' },
    updatedAt: Date.now() + 1,
  });
  await syncDrafts(leaving);
  expect(account.drafts.get(id)?.content?.fields.personalMessage).toBe('Short');
});

it('refused words are not sent again and again by a device whose clock is behind', async () => {
  await saveDraft({ id, fields: { ...EMPTY_DRAFT, title: 'Hi' }, updatedAt: Date.now() + HOUR_MS });
  const refused = { message: 'Too long.', code: 'STORAGE_LIMIT_REACHED' };
  answerWith = (address) => (address.endsWith(id) ? Response.json(refused, { status: 413 }) : null);
  await syncDrafts(leaving);
  expect(await nextDraftSync(true)).toBe(Infinity);
  sent = [];
  await syncDrafts(leaving);
  expect(sent.filter((line) => line.startsWith('PUT'))).toEqual([]);
});

it('while a draft is open, or another device writes and seals, it is asked every few seconds, and once a minute otherwise', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await write('Dear');
  await syncDrafts(looking);
  const until = async () => Number(await nextDraftSync(false)) - Date.now();
  expect(await until()).toBe(60_000);
  const [first, second] = [noteOpenDraft(), noteOpenDraft()];
  first();
  expect(await until()).toBe(8_000);
  second();
  expect(await until()).toBe(60_000);
  const fields = { ...EMPTY_DRAFT, personalMessage: 'Dear Mia' };
  const body = new Blob([
    JSON.stringify({ base: 1, content: { fields, files: [] }, writeId: 'x' }),
  ]);
  await account.respond(`/api/drafts/${id}`, { method: 'PUT', body });
  vi.setSystemTime(Date.now() + 60_000);
  await syncDrafts(looking);
  expect((await readDraft(id))?.fields.personalMessage).toBe('Dear Mia');
  expect(await until()).toBeLessThanOrEqual(5_000);
  vi.setSystemTime(Date.now() + 10 * 60_000);
  await syncDrafts(looking);
  expect(await until()).toBe(60_000);
  Object.assign(account.drafts.get(id) ?? {}, { content: null, gone: 'sealed', revision: 3 });
  vi.setSystemTime(Date.now() + 60_000);
  await syncDrafts(looking);
  expect([await readDraft(id), await until()]).toEqual([null, 4_000]);
});

it.each([
  [60_000, 4_000],
  [HOUR_MS, 60_000],
])('a draft of another device that is %i ms old is asked for again in %i ms', async (age, next) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const content = { fields: { ...EMPTY_DRAFT, title: 'Dear' }, files: [] };
  const body = new Blob([JSON.stringify({ base: 0, content, writeId: 'x' })]);
  await account.respond(`/api/drafts/${id}`, { method: 'PUT', body });
  Object.assign(account.drafts.get(id) ?? {}, { writtenAt: new Date().toISOString() });
  vi.setSystemTime(Date.now() + age);
  await syncDrafts(looking);
  expect((await readDraft(id))?.fields.title).toBe('Dear');
  expect(Number(await nextDraftSync(false)) - Date.now()).toBe(next);
});

it('who looks again has it asked at once, and it stays known that it has answered before', async () => {
  await syncDrafts(looking);
  const before = await readExchange();
  await askAnew();
  expect((await readExchange()).askedAt).toBe(before.askedAt);
  expect(await nextDraftSync(false)).toBeLessThanOrEqual(Date.now());
  sent = [];
  await syncDrafts(looking);
  expect(sent).toContain('GET drafts?since=0');
  expect(await nextDraftSync(false)).toBeGreaterThan(Date.now() + 50_000);
});

it("another person's drafts never come into this person's database", async () => {
  account.respond = async (address) =>
    address.startsWith('/user')
      ? createAccountModel().respond(address, {})
      : Response.json({ userId: sampleId(102), drafts: [], more: false, onlyOnDevice: true });
  await write('Mine');
  await syncDrafts(looking);
  expect((await readDraft(id))?.onlyHere).toBeUndefined();
  expect(await db.draftSync.get('drafts')).toMatchObject({ since: 0, onlyOnDevice: false });
});

it('files wait where bytes cost something, and go in parts elsewhere', async () => {
  await write('Dear');
  await attach(id, new File(['abc'], 'a.txt'));
  vi.stubGlobal('navigator', { onLine: true, connection: { saveData: true } });
  await syncDrafts(leaving);
  expect(await readAttachments(id)).toMatchObject([{ announced: false }]);
  vi.stubGlobal('navigator', { onLine: true });
  await syncDrafts(leaving);
  expect(await readAttachments(id)).toMatchObject([{ hasArrived: true }]);
  expect([...account.uploads.values()]).toMatchObject([{ received: 3, draft: id }]);
  expect(await nextDraftSync(true)).toBe(Infinity);
});

it('a pause that begins while a capsule is sent holds up what would follow it', async () => {
  await write('Dear');
  // Asked before the capsules, and again before the drafts.
  const query = vi.fn(async () => ({ held: [{ name: PAUSE_LOCK }] }));
  query.mockResolvedValueOnce({ held: [] });
  vi.stubGlobal('navigator', { onLine: true, locks: { query } });
  sent = [];
  await runQueue(outboxQueue(), looking);
  expect([query.mock.calls.length, sent]).toEqual([2, []]);
});

it('uploads that nothing names are cancelled; one that the server keeps holds up nothing', async () => {
  const ids = [7, 8].map(sampleId);
  await db.orphanedUploads.bulkPut(ids.map((id) => ({ id })));
  for (const id of ids) account.uploads.set(id, { fileName: 'a.txt', bytes: 3, received: 3 });
  expect(await nextDraftSync(true)).toBeLessThanOrEqual(Date.now());
  answerWith = () => Response.error();
  await runQueue(outboxQueue(), looking);
  expect(await db.orphanedUploads.count()).toBe(2);
  expect((await readExchange()).attempts).toBe(1);
  const kept = { message: 'Not now.', code: 'FORBIDDEN' };
  answerWith = (address) =>
    address.endsWith(sampleId(7)) ? Response.json(kept, { status: 403 }) : null;
  await askAnew();
  await runQueue(outboxQueue(), looking);
  expect([...account.uploads.keys()]).toEqual([sampleId(7)]);
  expect([await db.orphanedUploads.count(), await nextDraftSync(true)]).toEqual([0, Infinity]);
});

it('a run that went well has not failed where the disk is too full to remove anything', async () => {
  await write('Dear');
  const file = await attach(id, new File(['abc'], 'a.txt'));
  await db.drafts.update(id, { files: [] });
  const refuse = () => {
    throw new DOMException('Full', 'QuotaExceededError');
  };
  db.attachments.hook('deleting', refuse);
  onTestFinished(() => db.attachments.hook('deleting').unsubscribe(refuse));
  expect(await runQueue(outboxQueue(), looking)).toBeGreaterThan(Date.now());
  expect((await readDraft(id))?.account?.revision).toBe(1);
  expect(await db.attachments.get(file.id)).toBeDefined();
});

it('words that somebody waits for leave beside a file, and one after the other', async () => {
  await write('Dear');
  await attach(id, new File(['abc'], 'a.txt'));
  const answer = account.respond;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let run: Promise<void> = Promise.resolve();
  await new Promise<void>((begun) => {
    account.respond = async (address, init) => {
      if (init.method === 'PATCH') {
        begun();
        await held;
      }
      return answer(address, init);
    };
    run = syncDrafts(looking);
  });
  const fields = { ...EMPTY_DRAFT, title: 'For Mia' };
  await saveDraft({ id: sampleId(2), fields, updatedAt: 1 });
  await saveWords(sampleId(2), new AbortController().signal);
  expect(account.drafts.get(sampleId(2))?.content?.fields.title).toBe('For Mia');
  release();
  await run;
  expect((await readDraft(sampleId(2)))?.account?.revision).toBe(2);
});

it('a file that a refused capsule has sent is the draft’s on the account', async () => {
  const whole = { title: 'Us', description: 'From us', dateToUnlock: '2036-01-01' };
  const fields = { ...EMPTY_DRAFT, ...whole, recipients: [account.person] };
  await saveDraft({ id, fields, updatedAt: Date.now() });
  await syncDrafts(leaving);
  const file = await attach(id, new File(['abc'], 'a.txt'));
  await enqueue((await readDraft(id)) as never, 'UTC', Date.now());
  const full = { message: 'No room', code: 'STORAGE_LIMIT_REACHED' };
  answerWith = (address) =>
    address === '/api/capsules' ? Response.json(full, { status: 413 }) : null;
  await runQueue(outboxQueue(), leaving);
  await reopenAsDraft(id, sampleId(2));
  expect(account.uploads.get(file.id)).toMatchObject({ received: 3, draft: id });
  await syncDrafts(leaving);
  expect(await readAttachments(id)).toMatchObject([{ hasArrived: true }]);
  expect(account.drafts.get(id)?.content?.files).toHaveLength(1);
});

it.each([
  { own: 'Dear Anna', kept: 'Dear Mia', isHeard: false },
  { own: 'Dear Anna', kept: 'Dear Mia', isHeard: true },
  { own: 'Dear', kept: 'Dear', isHeard: false },
])(
  '"Create" on two devices leaves one draft with all that is not sealed: $own, $kept, $isHeard',
  async (one) => {
    const { own, kept, isHeard } = one;
    const whole = { title: 'Us', description: 'From us', dateToUnlock: '2036-01-01' };
    const fields = { ...EMPTY_DRAFT, ...whole, recipients: [account.person] };
    await saveDraft({ id, fields: { ...fields, personalMessage: 'Dear' }, updatedAt: Date.now() });
    await attach(id, new File(['abc'], 'a.txt'));
    await syncDrafts(leaving);
    const files = account.drafts.get(id)?.content?.files ?? [];
    const content = { fields: { ...fields, personalMessage: kept }, files };
    const body = new Blob([JSON.stringify({ base: 1, content, writeId: sampleId(7) })]);
    await account.respond(`/api/drafts/${id}`, { method: 'PUT', body });
    const form = new FormData();
    const uploads = files.map((file) => file.id);
    const sealed = { ...fields, personalMessage: 'Dear Tom', draft: { id, revision: 1 }, uploads };
    form.append('capsule', new Blob([JSON.stringify(sealed)]));
    const headers = { 'Idempotency-Key': id };
    await account.respond('/api/capsules', { method: 'POST', headers, body: form });

    const late = await attach(id, new File(['def'], 'b.txt'));
    const patch = { fields: { personalMessage: own } };
    const stored = await saveDraft({ id, fields, updatedAt: Date.now() }, patch);
    if (!stored) throw new Error('It is not sealed here yet.');
    await enqueue(stored, 'UTC', Date.now());
    if (isHeard) {
      await askAnew();
      await syncDrafts(looking);
    }
    await runQueue(outboxQueue(), leaving);
    const rest = restOf(id);
    expect((await readDraft(rest))?.news).toMatch(/^You sealed this on another device/);
    await syncDrafts(leaving);
    const [draft, ...others] = await db.drafts.toArray();
    const words = new Set([...own.split(' '), ...kept.split(' ')]);
    expect([draft?.id, others, await db.outbox.count()]).toEqual([rest, [], 0]);
    expect(draft?.fields.personalMessage.split(' ').sort()).toEqual([...words].sort());
    expect(account.drafts.get(rest)?.content?.fields).toEqual(draft?.fields);
    expect((await readAttachments(rest)).map((file) => file.id)).toEqual([late.id]);
  },
);

describe('while a film is on its way', () => {
  const PART_BYTES = 4_194_304;
  const film = () => new File([new Uint8Array(2 * PART_BYTES)], 'film.mp4');
  const other = sampleId(2);

  /** Another device writes while the first part leaves. @returns what is here when the second one does */
  function writeBetweenParts(): { found: string | undefined } {
    const seen: { found: string | undefined } = { found: undefined };
    const answer = account.respond;
    let parts = 0;
    account.respond = async (address, init) => {
      if (init.method !== 'PATCH') return answer(address, init);
      parts += 1;
      if (parts === 2) seen.found = (await readDraft(other))?.fields.title;
      else {
        const fields = { ...EMPTY_DRAFT, title: 'From the other device' };
        const json = JSON.stringify({ base: 0, content: { fields, files: [] }, writeId: 'x' });
        await answer(`/api/drafts/${other}`, { method: 'PUT', body: new Blob([json]) });
        vi.setSystemTime(Date.now() + 60_000);
      }
      return answer(address, init);
    };
    return seen;
  }

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await write('Dear');
    await attach(id, film());
  });

  it('of a draft, the account is asked what other devices have written', async () => {
    const seen = writeBetweenParts();
    await syncDrafts(looking);
    expect(seen.found).toBe('From the other device');
  });

  it('of a capsule, it is asked too', async () => {
    const draft = await readDraft(id);
    if (draft) await enqueue(draft, 'Europe/Berlin', Date.now());
    const seen = writeBetweenParts();
    await runQueue(outboxQueue(), looking);
    expect(seen.found).toBe('From the other device');
    expect(account.uploads.get((await readAttachments(id))[0]?.id ?? '')?.received).toBe(
      2 * PART_BYTES,
    );
  });
});
