import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { drafts, uploads } from '../../server/db/schema.ts';
import { sweep } from '../../server/jobs/sweep.ts';
import { type Capsule, listCreated } from '../../shared/api/capsules.ts';
import {
  type AccountDraft,
  accountDraftSchema,
  type DraftContent,
  discardAccountDraft,
  listDrafts,
  restOf,
  saveAccountDraft,
} from '../../shared/api/drafts.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { startUpload } from '../../shared/api/uploads.ts';
import { errorBodySchema } from '../../shared/error-body.ts';
import {
  DRAFT_WRITES_KEPT,
  IDEMPOTENCY_HEADER,
  UPLOAD_OFFSET_HEADER,
} from '../../shared/limits.ts';
import { capsuleFields } from '../support/capsules.ts';
import {
  type Answer,
  answerOf,
  createClient,
  expectStatus,
  type SignedIn,
  signUp,
} from '../support/client.ts';
import { type FixtureFile, pdf } from '../support/fixtures.ts';
import { GO_ON } from '../support/mail-world.ts';
import { sharedServer } from '../support/server.ts';

const PHONE = { 'user-agent': 'Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari/537.36' };

const server = sharedServer({
  clock: '2029-11-20T12:00:00Z',
  config: { maxFileMB: 2, storageLimitMB: 4 },
});
let count = 0;

async function newPerson(): Promise<SignedIn> {
  count += 1;
  return signUp(server.url, `Writer ${count}`);
}

async function onPhone({ user, password }: SignedIn): Promise<SignedIn> {
  const client = createClient(server.url);
  await client.get('/user/me');
  expectStatus(await client.post('/auth/login', { email: user.email, password }), 200);
  const request: SignedIn['request'] = (method, path, sent) =>
    client.request(method, path, { ...sent, headers: { ...PHONE, ...sent?.headers } });
  return {
    ...client,
    request,
    put: (path, json) => request('PUT', path, { json }),
    user,
    password,
  };
}

function contentOf(
  personalMessage: string,
  { files = [], ...change }: Partial<DraftContent> = {},
): DraftContent {
  return {
    fields: {
      title: '',
      description: '',
      personalMessage,
      recipients: [],
      dateToUnlock: '',
      notifyRecipient: false,
    },
    files,
    ...change,
  };
}

const path = (id: string) => `/api/drafts/${id}`;

async function save(by: SignedIn, id: string, base: number, content: DraftContent) {
  return answerOf(saveAccountDraft, await by.put(path(id), { base, content }));
}

/** The draft that a refusal shows. */
function changed(answer: Answer): AccountDraft {
  const { code, draft } = errorBodySchema.parse(expectStatus(answer, 409).json);
  expect(code).toBe('DRAFT_CHANGED');
  return accountDraftSchema.parse(draft);
}

const codeOf = (answer: Answer) => errorBodySchema.parse(answer.json).code;

async function pull(by: SignedIn, since = 0): Promise<AccountDraft[]> {
  const { drafts: some, more } = answerOf(listDrafts, await by.get(`/api/drafts?since=${since}`));
  const last = some.at(-1);
  return more && last ? [...some, ...(await pull(by, last.revision))] : some;
}

async function discard(by: SignedIn, id: string, base: number) {
  return answerOf(discardAccountDraft, await by.delete(`${path(id)}?base=${base}`));
}

/** Sends a file as an upload of a draft. */
async function upload(by: SignedIn, draft: string | undefined, { name, bytes }: FixtureFile) {
  const id = randomUUID();
  const start = { fileName: name, bytes: bytes.length, ...(draft && { draft }) };
  answerOf(startUpload, await by.post(`/api/uploads/${id}`, start));
  await finish(by, id, bytes);
  return { id, name, type: 'application/pdf', bytes: bytes.length };
}

async function finish(by: SignedIn, id: string, bytes: Buffer): Promise<void> {
  const headers = { 'content-type': 'application/partial-upload', [UPLOAD_OFFSET_HEADER]: '0' };
  const body = new Uint8Array(bytes);
  expectStatus(await by.request('PATCH', `/api/uploads/${id}`, { body, headers }), 200);
}

function sealWith(by: SignedIn, key: string, change = {}, files: FixtureFile[] = []) {
  const fields = capsuleFields(by, { dateToUnlock: '2035-01-01', ...change });
  return by.createCapsule(fields, files, { [IDEMPOTENCY_HEADER]: key });
}

const sealed = (answer: Answer): Capsule => answerOf(createCapsule, answer);

it('leaves as the text that it is stored as', async () => {
  const person = await newPerson();
  const id = randomUUID();
  await save(person, id, 0, contentOf('Dear Mia'));
  const { db } = server.deps;
  const stored = '{ "as": "it is", "otherVersions":[]}';
  await db.update(drafts).set({ content: stored }).where(eq(drafts.id, id));
  const { text } = expectStatus(await person.get('/api/drafts'), 200);
  expect(text).toContain(`"content":${stored}`);
  expect(JSON.parse(text)).toMatchObject({ userId: person.user.id, more: false });
});

describe('a draft of the account', () => {
  it('is on every device of its person, and says which wrote it last', async () => {
    const person = await newPerson();
    const phone = await onPhone(person);
    const id = randomUUID();
    const content = contentOf('Dear Mia,', {
      fields: {
        ...contentOf('').fields,
        title: 'For Mia',
        recipients: [{ id: 'x', name: 'Mia', email: 'mia@example.org', avatar: 'M', isYou: false }],
      },
    });
    const first = await save(person, id, 0, contentOf('Dear'));
    expect(first.writtenOn).toBe('');
    const second = await save(phone, id, first.revision, content);
    expect(second.writtenOn).toBe('Chrome on Android');
    expect(second.writtenAt).toMatch(/^2029-11-20T12:/);
    expect(second.revision).toBeGreaterThan(first.revision);
    const { previous, ...written } = second;
    expect(previous).toBe(0);
    const found = { id, ...written, content, gone: null, arrived: [], writes: [] };
    expect(await pull(person)).toEqual([found]);
    expect(await pull(person, first.revision)).toEqual([found]);
    expect(await pull(person, second.revision)).toEqual([]);
    const other = await save(person, randomUUID(), 0, contentOf('another'));
    expect(other.previous).toBe(second.revision);
  });

  it('is not overwritten by a device that has not seen the last revision', async () => {
    const person = await newPerson();
    const phone = await onPhone(person);
    const id = randomUUID();
    const { revision: base } = await save(person, id, 0, contentOf('a'));
    const words = ['from the desk', 'from the phone'];
    const answers = await Promise.all(
      [person, phone].map((by, n) =>
        by.put(path(id), { base, content: contentOf(words[n] ?? '') }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = answers.findIndex(({ status }) => status === 200);
    const current = changed(answers[1 - winner] as Answer);
    expect(current.content?.fields.personalMessage).toBe(words[winner]);
    expect(await pull(person)).toEqual([current]);
    expect(changed(await phone.put(path(id), { base: 0, content: contentOf('b') }))).toEqual(
      current,
    );
  });

  it('may be saved again with the same words after a lost answer', async () => {
    const person = await newPerson();
    const id = randomUUID();
    const first = await save(person, id, 0, contentOf('once'));
    expect(await save(person, id, 0, contentOf('once'))).toEqual(first);
  });

  it('answers a repeat of a write with what it made, also when another device has written since', async () => {
    const person = await newPerson();
    const [id, writeId] = [randomUUID(), randomUUID()];
    const write = { base: 0, content: contentOf('Dear'), writeId };
    const first = answerOf(saveAccountDraft, await person.put(path(id), write));
    const other = await save(person, id, first.revision, contentOf('Dear Mia'));
    const again = answerOf(saveAccountDraft, await person.put(path(id), write));
    expect(again).toMatchObject({ revision: first.revision, previous: first.previous });
    const third = await person.put(path(id), { ...write, writeId: randomUUID() });
    expect(changed(third)).toMatchObject({
      ...{ revision: other.revision, writes: [writeId] },
      content: contentOf('Dear Mia'),
    });
  });

  it('remembers only so many writes, and forgets none of them when it is sealed', async () => {
    const person = await newPerson();
    const id = randomUUID();
    const ids = Array.from({ length: DRAFT_WRITES_KEPT + 3 }, () => randomUUID());
    let base = 0;
    for (const [at, writeId] of ids.entries()) {
      const write = { base, content: contentOf(`Dear ${at}`), writeId };
      base = answerOf(saveAccountDraft, await person.put(path(id), write)).revision;
    }
    sealed(await sealWith(person, id, { draft: { id, revision: base } }));
    const [gone] = await pull(person);
    expect(gone).toMatchObject({ gone: 'sealed', writes: ids.slice(3) });
  });

  it('of an older app has its other versions behind the text, once, and answers it as it knows', async () => {
    const person = await newPerson();
    const id = randomUUID();
    const other = { id: 7, fields: { title: 'Mia', personalMessage: 'Dear child' } };
    const writtenAt = '2029-11-19T12:00:00Z';
    const otherVersions = [{ ...other, writtenOn: 'Chrome on Android', writtenAt }];
    const put = async (base: number, letter: string) => {
      const content = { ...contentOf(letter), otherVersions };
      return answerOf(saveAccountDraft, await person.put(path(id), { base, content })).revision;
    };
    const first = await put(0, 'Dear Mia');
    await put(first, 'Dear Mia!');
    const { json } = expectStatus(await person.get('/api/drafts'), 200);
    const together = { title: 'Mia', personalMessage: 'Dear Mia!\n\nDear child' };
    expect(json).toMatchObject({ drafts: [{ content: { fields: together, otherVersions: [] } }] });
    // As a server of before has stored it.
    const { db } = server.deps;
    const content = JSON.stringify({ ...contentOf('Dear'), otherVersions });
    await db.update(drafts).set({ content }).where(eq(drafts.id, id));
    const [again] = await pull(person);
    expect(again?.content?.fields.personalMessage).toBe('Dear\n\nDear child');
  });

  it('of an older app whose versions make it too long is read, and can be shortened', async () => {
    const person = await newPerson();
    const id = randomUUID();
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(90_000));
    const otherVersions = texts.map((personalMessage, at) => {
      const by = { writtenOn: 'Chrome on Android', writtenAt: '2029-11-19T12:00:00Z' };
      return { id: at, fields: { personalMessage }, ...by };
    });
    const content = { ...contentOf('Dear Mia'), otherVersions };
    expectStatus(await person.put(path(id), { base: 0, content }), 200);
    const [long] = await pull(person);
    const personalMessage = ['Dear Mia', ...texts].join('\n\n');
    expect(long?.content?.fields).toMatchObject({ personalMessage });
    const { revision } = long as AccountDraft;
    const tooLong = await person.put(path(id), { base: revision, content: long?.content });
    const { errors } = errorBodySchema.parse(expectStatus(tooLong, 400).json);
    const sentence = 'The letter is too long to be saved to your account.';
    expect(Object.values(errors ?? {})).toEqual([sentence]);
    await save(person, id, revision, contentOf('Dear Mia!'));
    const old = { base: 1, content: contentOf('Dear Mia?') };
    expect(changed(await person.put(path(id), old)).content?.fields).toEqual(
      contentOf('Dear Mia!').fields,
    );
  });

  it('has revisions in the order of commits, however many devices write at once', async () => {
    const person = await newPerson();
    const ids = Array.from({ length: 30 }, () => randomUUID());
    const saved: number[] = [];
    let cursor = 0;
    const heard = new Set<string>();
    const reader = (async () => {
      while (heard.size < ids.length) {
        for (const { id, revision } of await pull(person, cursor)) {
          expect(revision).toBeGreaterThan(cursor);
          cursor = revision;
          heard.add(id);
        }
      }
    })();
    await Promise.all(
      ids.map(async (id) => saved.push((await save(person, id, 0, contentOf(id))).revision)),
    );
    await reader;
    expect(new Set(saved).size).toBe(ids.length);
    expect(heard).toEqual(new Set(ids));
  });

  it('is nobody else’s: the same id is another draft of another person', async () => {
    const person = await newPerson();
    const stranger = await newPerson();
    const id = randomUUID();
    const file = await upload(person, id, pdf());
    const content = contentOf('canary-of-a-draft', { files: [file] });
    const { revision } = await save(person, id, 0, content);
    const nothing = randomUUID();
    const say = async (name: string, fileId: string) =>
      [
        await stranger.get(`${path(name)}/files/${fileId}`),
        await stranger.delete(`${path(name)}?base=${revision}`),
        await stranger.get('/api/drafts'),
        await stranger.put(path(name), { base: revision, content: contentOf('mine') }),
        await stranger.delete(`${path(name)}?base=0`),
      ].map(
        ({ status, text }) =>
          `${status} ${text.replace(/\d{13}|\d\d:\d\d\.\d{3}/g, 'n').replaceAll(name, 'id')}`,
      );
    const answers = await say(id, file.id);
    expect(answers.join()).not.toContain('canary');
    await discardAll(stranger);
    await server.deps.db.delete(drafts).where(eq(drafts.userId, stranger.user.id));
    expect(await say(nothing, randomUUID())).toEqual(answers);
    expect(await pull(person)).toMatchObject([{ id, revision, content, arrived: [file.id] }]);
  });
});

async function discardAll(by: SignedIn): Promise<void> {
  for (const { id, revision } of await pull(by)) await discard(by, id, revision);
}

describe('a discarded draft', () => {
  it('is gone on every device, and stays if another one has written meanwhile', async () => {
    const person = await newPerson();
    const id = randomUUID();
    const first = await save(person, id, 0, contentOf('a'));
    const second = await save(person, id, first.revision, contentOf('b'));
    const refused = await person.delete(`${path(id)}?base=${first.revision}`);
    expect(changed(refused)).toMatchObject({ revision: second.revision, gone: null });
    await discard(person, id, second.revision);
    await discard(person, id, second.revision);
    const [gone] = await pull(person, second.revision);
    expect(gone).toMatchObject({ id, content: null, gone: 'discarded', arrived: [] });
  });

  it('comes back with its files when another device has newer words', async () => {
    const person = await newPerson();
    const id = randomUUID();
    const file = await upload(person, id, pdf());
    const first = await save(person, id, 0, contentOf('a', { files: [file] }));
    await discard(person, id, first.revision);
    const words = contentOf('written on a train', { files: [file] });
    const gone = changed(await person.put(path(id), { base: first.revision, content: words }));
    expect(gone.gone).toBe('discarded');
    await save(person, id, gone.revision, words);
    expect(await pull(person)).toMatchObject([{ content: words, gone: null, arrived: [file.id] }]);
  });
});

describe('sealing', () => {
  it('ends the draft for ever, and takes its files once', async () => {
    const person = await newPerson();
    const id = randomUUID();
    const file = await upload(person, id, pdf());
    const { revision } = await save(person, id, 0, contentOf('a', { files: [file] }));
    const seal = { draft: { id, revision: revision }, uploads: [file.id] };
    expect(sealed(await sealWith(person, id, seal)).mediaCount).toBe(1);
    const [gone] = await pull(person, revision);
    expect(gone).toMatchObject({ id, content: null, gone: 'sealed', arrived: [] });
    for (const base of [0, revision, gone?.revision ?? 0, 9_000_000_000_000]) {
      expect(changed(await person.put(path(id), { base, content: contentOf('b') }))).toEqual(gone);
    }
    await discard(person, id, gone?.revision ?? 0);
    expect(await pull(person)).toEqual([gone]);
    expect((await person.get(`${path(id)}/files/${file.id}`)).status).toBe(404);
    expect(codeOf(await sealWith(person, randomUUID(), { uploads: [file.id] }))).toBe(
      'UPLOAD_NOT_FOUND',
    );
  });

  it('from two devices at once makes one capsule', async () => {
    const person = await newPerson();
    const phone = await onPhone(person);
    const id = randomUUID();
    const file = await upload(person, id, pdf());
    const { revision } = await save(person, id, 0, contentOf('a', { files: [file] }));
    const seal = { draft: { id, revision: revision }, uploads: [file.id] };
    const ids = new Set<string>();
    await Promise.all(
      [person, phone].map(async (by) => {
        for (let answer = await sealWith(by, id, seal); ; answer = await sealWith(by, id, seal)) {
          if (answer.status === 409) continue;
          ids.add(sealed(answer).id);
          return;
        }
      }),
    );
    expect(ids.size).toBe(1);
    expect(answerOf(listCreated, await person.get('/api/capsules/created')).capsules).toHaveLength(
      1,
    );
    expect(await pull(person)).toMatchObject([{ id, gone: 'sealed' }]);
    expect(codeOf(await sealWith(phone, id, { ...seal, title: 'Other words' }))).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
  });

  it('by an older app ends the draft of its key, and leaves none where there was none', async () => {
    const person = await newPerson();
    const id = randomUUID();
    const { revision } = await save(person, id, 0, contentOf('a'));
    const answer = await sealWith(person, id, {});
    expect(sealed(await sealWith(person, id, { draft: { id, revision: 0 } }))).toEqual(
      sealed(answer),
    );
    expect(await pull(person, revision)).toMatchObject([{ id, gone: 'sealed' }]);
    sealed(await sealWith(person, randomUUID()));
    expect(await pull(person)).toHaveLength(1);
  });

  it('comes before a draft that is still on its way', async () => {
    const person = await newPerson();
    const id = randomUUID();
    sealed(await sealWith(person, id, { draft: { id, revision: 0 } }));
    const late = await person.put(path(id), { base: 0, content: contentOf('a') });
    expect(changed(late)).toMatchObject({ id, gone: 'sealed' });
  });

  it('leaves nothing of words that came without an answer, and of which a newer form was sealed', async () => {
    const person = await newPerson();
    const [id, unanswered] = [randomUUID(), randomUUID()];
    await person.put(path(id), { base: 0, content: contentOf('Dear'), writeId: unanswered });
    const seal = { draft: { id, revision: 0, unanswered }, personalMessage: 'Dear Mia' };
    sealed(await sealWith(person, id, seal));
    expect(await pull(person)).toMatchObject([{ id, gone: 'sealed' }]);
  });

  it('leaves what another device has written since as a draft of its own', async () => {
    const person = await newPerson();
    const id = randomUUID();
    const [inIt, later] = [await upload(person, id, pdf()), await upload(person, id, pdf('later'))];
    const first = await save(person, id, 0, contentOf('a', { files: [inIt] }));
    const newer = contentOf('words from the phone', { files: [inIt, later] });
    const second = await save(person, id, first.revision, newer);
    const seal = { draft: { id, revision: first.revision }, uploads: [inIt.id] };
    sealed(await sealWith(person, id, { ...seal, personalMessage: 'a' }));
    const [gone, rest] = await pull(person, second.revision);
    expect(gone).toMatchObject({ id, gone: 'sealed' });
    expect(rest).toMatchObject({
      content: { ...newer, files: [later] },
      writtenOn: second.writtenOn,
      gone: null,
      arrived: [later.id],
    });
    expect(rest?.id).toBe(restOf(id));
  });

  it('leaves nothing where the capsule has all that was written', async () => {
    const person = await newPerson();
    const id = randomUUID();
    await save(person, id, 0, contentOf('all of it '));
    sealed(
      await sealWith(person, id, { draft: { id, revision: 1 }, personalMessage: 'all of it' }),
    );
    expect(await pull(person)).toMatchObject([{ id, gone: 'sealed' }]);
  });
});

describe('the files of a draft', () => {
  it('are sent to its owner, whole and in part, once they have arrived', async () => {
    const person = await newPerson();
    const id = randomUUID();
    const { bytes, name } = pdf();
    const fileId = randomUUID();
    const file = { id: fileId, name, type: 'application/pdf', bytes: bytes.length };
    await save(person, id, 0, contentOf('a', { files: [file] }));
    const start = { fileName: name, bytes: bytes.length, draft: id };
    answerOf(startUpload, await person.post(`/api/uploads/${fileId}`, start));
    expect(await pull(person)).toMatchObject([{ arrived: [] }]);
    const at = `${path(id)}/files/${fileId}`;
    expect((await person.get(at)).status).toBe(404);
    await finish(person, fileId, bytes);
    expect(await pull(person)).toMatchObject([{ arrived: [fileId] }]);
    const whole = await person.get(at);
    expect(whole.bytes.equals(bytes)).toBe(true);
    expect(whole.headers.get('cache-control')).toBe('private, no-store');
    expect(whole.headers.get('content-security-policy')).toContain('sandbox');
    const part = await person.get(at, { range: 'bytes=1-4' });
    expect([part.status, part.bytes]).toEqual([206, bytes.subarray(1, 5)]);
    expect((await person.get(`${path(randomUUID())}/files/${fileId}`)).status).toBe(404);
  });

  it('stay as long as the draft names them, and a week beyond', async () => {
    const person = await newPerson();
    const id = randomUUID();
    // One is named only by the draft, and one is not named any more.
    const [kept, named, removed] = [
      await upload(person, id, pdf()),
      await upload(person, undefined, pdf('named')),
      await upload(person, id, pdf('removed')),
    ];
    const first = await save(person, id, 0, contentOf('a', { files: [kept, named, removed] }));
    const { revision } = await save(
      person,
      id,
      first.revision,
      contentOf('a', { files: [kept, named] }),
    );
    const left = async () =>
      (
        await server.deps.db
          .select({ id: uploads.id })
          .from(uploads)
          .where(eq(uploads.userId, person.user.id))
      )
        .map((row) => row.id)
        .sort();
    server.clock.advance({ days: 20 });
    await sweep(server.deps, GO_ON);
    expect(await left()).toEqual([kept.id, named.id].sort());
    const [draft] = await pull(person);
    await discard(person, id, draft?.revision ?? revision);
    server.clock.advance({ days: 6 });
    await sweep(server.deps, GO_ON);
    expect(await left()).toHaveLength(2);
    server.clock.advance({ days: 2 });
    await sweep(server.deps, GO_ON);
    expect(await left()).toEqual([]);
  });
});

describe('storage', () => {
  it('counts what drafts say, and what is sealed no longer as a draft', async () => {
    const person = await newPerson();
    const id = randomUUID();
    const long = 'x'.repeat(190_000);
    const ids = Array.from({ length: 20 }, () => randomUUID());
    for (const one of ids) await save(person, one, 0, contentOf(long));
    const over = await person.put(path(id), {
      base: 0,
      content: contentOf(`${long}${long.slice(0, 9_000)}`),
    });
    expect(over.status).toBe(200);
    for (const n of [1, 2]) {
      const more = await person.put(path(randomUUID()), { base: 0, content: contentOf(long) });
      if (n === 2) expect([more.status, codeOf(more)]).toEqual([413, 'STORAGE_LIMIT_REACHED']);
    }
    // What becomes shorter is always saved.
    const [first] = await pull(person);
    await save(person, first?.id ?? '', first?.revision ?? 0, contentOf('short'));
    sealed(
      await sealWith(person, id, {
        draft: { id, revision: 0 },
        personalMessage: 'y'.repeat(49_000),
      }),
    );
  });
});
