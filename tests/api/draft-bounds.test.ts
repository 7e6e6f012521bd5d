import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { sweep } from '../../server/jobs/sweep.ts';
import { type DraftContent, listDrafts, setDraftChoice } from '../../shared/api/drafts.ts';
import { errorBodySchema } from '../../shared/error-body.ts';
import {
  DRAFT_FILES_MAX,
  DRAFT_MAX_BYTES,
  DRAFT_RECIPIENTS_MAX,
  DRAFT_VERSIONS_MAX,
} from '../../shared/limits.ts';
import { seal } from '../support/capsules.ts';
import { type Answer, answerOf, expectStatus, type SignedIn, signUp } from '../support/client.ts';
import { GO_ON } from '../support/mail-world.ts';
import { rare } from '../support/rare.ts';
import { sharedServer, startTestServer } from '../support/server.ts';

const CANARY = 'canary-of-a-draft';

let logged = '';
const lines = new Writable({
  write(line: Buffer, _encoding, done) {
    logged += line.toString();
    done();
  },
});
const server = sharedServer({
  clock: '2029-12-20T12:00:00Z',
  deps: { log: pino({ level: 'trace' }, lines) },
});
let count = 0;
const newPerson = () => {
  count += 1;
  return signUp(server.url, `Writer ${count}`);
};

const codeOf = ({ json }: Answer) => errorBodySchema.parse(json).code;
const path = () => `/api/drafts/${randomUUID()}`;

function contentOf(fields: Partial<DraftContent['fields']> = {}, rest = {}) {
  return {
    fields: {
      ...{ title: '', description: '', personalMessage: '', dateToUnlock: '' },
      ...{ recipients: [], notifyRecipient: false },
      ...fields,
    },
    files: [],
    ...rest,
  };
}

const many = <Item>(length: number, item: Item) => Array.from({ length }, () => item);
const PERSON = { id: 'x', name: 'Mia', email: 'mia@example.org', avatar: '', isYou: false };
const FILE = { id: randomUUID(), name: 'a.pdf', type: 'application/pdf', bytes: 1 };
const VERSION = { id: 1, fields: {}, writtenOn: '', writtenAt: '2029-12-20T12:00:00.000Z' };

const recipients = (length: number) => contentOf({ recipients: many(length, PERSON) });
const files = (length: number) => contentOf({}, { files: many(length, FILE) });
const versions = (length: number) => contentOf({}, { otherVersions: many(length, VERSION) });

describe('what is no draft', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'Dear Mia'],
    ['a list of drafts', [contentOf()]],
    ['no fields', { files: [] }],
    ['a number in a text', contentOf({ title: 1 as never })],
    ['a title of a page', contentOf({ title: 'x'.repeat(1_001) })],
    ['a letter beyond all letters', contentOf({ personalMessage: 'x'.repeat(200_001) })],
    ['too many recipients', recipients(DRAFT_RECIPIENTS_MAX + 1)],
    ['too many files', files(DRAFT_FILES_MAX + 1)],
    ['too many versions', versions(DRAFT_VERSIONS_MAX + 1)],
    ['a file whose id is a path', contentOf({}, { files: [{ ...FILE, id: '../x' }] })],
    ['a file of less than nothing', contentOf({}, { files: [{ ...FILE, bytes: -1 }] })],
    ['more than two megabytes', contentOf({ title: 'x'.repeat(DRAFT_MAX_BYTES) })],
  ])('%s is refused', async (_what, content) => {
    const person = await newPerson();
    const answer = await person.put(path(), { base: 0, content });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_FAILED']);
    const { drafts } = answerOf(listDrafts, await person.get('/api/drafts'));
    expect(drafts).toEqual([]);
  });

  it.each([
    ['brackets alone', `${'['.repeat(500_000)}`],
    ['a tree deeper than any draft', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['a list longer than any draft', `[${'0,'.repeat(500_000)}0]`],
    ['half of a draft', '{"base":0,"content":{"fields"'],
  ])('%s is refused before it is read', async (_what, body) => {
    const person = await newPerson();
    const headers = { 'content-type': 'application/json' };
    const answer = await person.request('PUT', path(), { body, headers });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'MALFORMED_BODY']);
  });

  it.each([-1, 0.5, 'a', null, 2 ** 60])('a base of %s', async (base) => {
    const person = await newPerson();
    const answer = await person.put(path(), { base, content: contentOf() });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it.each(['/api/drafts?since=a', '/api/drafts?since=-1', '/api/drafts?since=1e400'])(
    '%s',
    async (url) => {
      expect((await (await newPerson()).get(url)).status).toBe(400);
    },
  );

  it('an id that is none', async () => {
    const person = await newPerson();
    for (const id of ['1', '..%2F', '%00', 'x'.repeat(1_000)]) {
      const answer = await person.put(`/api/drafts/${id}`, { base: 0, content: contentOf() });
      expect([400, 404]).toContain(answer.status);
    }
  });
});

it('a draft may hold what no capsule can, and comes back to the letter', async () => {
  const person = await newPerson();
  const strange = 'NUL \0, half of an emoji \ud83d, \u2028 and </script>';
  const content = contentOf(
    {
      title: strange,
      personalMessage: strange,
      dateToUnlock: 'soon',
      recipients: many(DRAFT_RECIPIENTS_MAX, { ...PERSON, email: 'nobody' }),
    },
    { files: many(DRAFT_FILES_MAX, { ...FILE, name: strange }) },
  );
  expectStatus(await person.put(path(), { base: 0, content }), 200);
  const { drafts } = answerOf(listDrafts, await person.get('/api/drafts'));
  expect(drafts[0]?.content).toEqual(content);
});

it('what a draft says is in no answer to anybody else, and in no log', async () => {
  const [person, stranger] = [await newPerson(), await newPerson()];
  const url = path();
  const fields = { title: CANARY, recipients: [{ ...PERSON, email: stranger.user.email }] };
  const content = contentOf(fields, { files: [{ ...FILE, name: CANARY }] });
  expectStatus(await person.put(url, { base: 0, content }), 200);
  expectStatus(await person.put(url, { base: 0, content: { ...content, fields: CANARY } }), 400);
  expectStatus(await person.put(url, { base: 0, content: contentOf({ title: 'other' }) }), 409);
  const capsule = await seal(person, stranger);
  const urls = [
    ...[url, '/api/drafts', '/user/me', '/user/export', '/user/search-recipient?query=canary'],
    ...['/api/capsules/received', '/api/capsules/dashboard-summary', '/api/capsules/opened'],
    ...[`/api/capsules/${capsule.id}`, `/api/capsules/received?query=${CANARY}`],
    `/community/public-profile?userId=${person.user.id}`,
    `/community/search-profile?query=${CANARY}`,
  ];
  for (const one of urls) expect((await stranger.get(one)).bytes.includes(CANARY)).toBe(false);
  expect(server.mailer.sent.filter(({ text }) => text.includes(CANARY))).toEqual([]);
  expect(logged).not.toContain(CANARY);
});

it('whether new drafts stay on the device is a choice of the person', async () => {
  const person = await newPerson();
  const chosen = async () => answerOf(listDrafts, await person.get('/api/drafts')).onlyOnDevice;
  expect(await chosen()).toBe(false);
  for (const onlyOnDevice of [true, false]) {
    answerOf(setDraftChoice, await person.put('/user/draft-choice', { onlyOnDevice }));
    expect(await chosen()).toBe(onlyOnDevice);
  }
});

it('no draft is saved while an operator works on the server, and none by who is suspended', async () => {
  const person = await newPerson();
  const save = (by: SignedIn) => by.put(path(), { base: 0, content: contentOf() });
  const { sql } = await import('drizzle-orm');
  const setSince = (since: string) =>
    server.deps.db.execute(sql.raw(`update server_state set maintenance_since = ${since}`));
  await setSince('now()');
  expect(codeOf(await save(person))).toBe('MAINTENANCE');
  expectStatus(await person.get('/api/drafts'), 200);
  await setSince('null');
  expectStatus(await save(person), 200);
  await server.deps.sessions.endAll(person.user.id);
  expect((await save(person)).status).toBe(401);
});

it('what is gone is remembered for 400 days', async () => {
  const person = await newPerson();
  const url = path();
  const { json } = expectStatus(await person.put(url, { base: 0, content: contentOf() }), 200);
  const kept = path();
  expectStatus(await person.put(kept, { base: 0, content: contentOf() }), 200);
  const { revision } = json as { revision: number };
  expectStatus(await person.delete(`${url}?base=${revision}`), 200);
  const rows = async () =>
    (await server.deps.db.query.drafts.findMany())
      .filter(({ userId }) => userId === person.user.id)
      .map(({ gone }) => gone);
  server.clock.advance({ days: 399 });
  await sweep(server.deps, GO_ON);
  expect((await rows()).sort()).toEqual(['discarded', null]);
  server.clock.advance({ days: 2 });
  await sweep(server.deps, GO_ON);
  expect(await rows()).toEqual([null]);
});

rare('one person saves no more than a few drafts a second, and no more at once', async () => {
  const limited = await startTestServer({ config: { rateLimits: true } });
  try {
    const person = await signUp(limited.url, 'Limited');
    const save = () => person.put(path(), { base: 0, content: contentOf() });
    const statuses = (await Promise.all(many(60, null).map(save))).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(22);
    let answer = await save();
    for (let more = 0; more < 90 && answer.status !== 429; more += 1) answer = await save();
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await limited.close();
  }
});
