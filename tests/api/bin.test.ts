import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { capsuleFiles, notices, sendings } from '../../server/db/schema.ts';
import { sweep } from '../../server/jobs/sweep.ts';
import { type BinnedCapsule, listBin } from '../../shared/api/bin.ts';
import { type Capsule, getCapsule, getDashboardSummary } from '../../shared/api/capsules.ts';
import type { Endpoint } from '../../shared/api/endpoint.ts';
import { ENDPOINTS } from '../../shared/api/index.ts';
import type { NewCapsuleInput } from '../../shared/api/new-capsule.ts';
import { BIN_DAYS, DAY_MS } from '../../shared/limits.ts';
import {
  addSecond,
  allSent,
  askForMain,
  codeOf,
  confirm,
  confirmMain,
  newAddress,
  visit,
} from '../support/addresses.ts';
import { capsuleFields, seal } from '../support/capsules.ts';
import {
  answerOf,
  expectStatus,
  PASSWORD,
  type SignedIn,
  signUp,
  type TestClient,
} from '../support/client.ts';
import { pdf } from '../support/fixtures.ts';
import { secretIn } from '../support/links.ts';
import { GO_ON } from '../support/mail-world.ts';
import { rare } from '../support/rare.ts';
import { sharedServer } from '../support/server.ts';
import { storedKeys as keysIn } from '../support/stored-keys.ts';
import { until } from '../support/until.ts';
import { unzip } from '../support/unzip.ts';

const server = sharedServer({ clock: '2029-06-01T12:00:00Z' });
const limited = sharedServer({ config: { rateLimits: true } });

beforeEach(() => server.clock.set('2029-06-01T12:00:00Z'));

const MINUTE_MS = 60_000;
const LINK = '/auth/restore-capsule';

/** Ada and Grace, and what Ada has sealed for both of them. */
async function world(change: Partial<NewCapsuleInput> = {}, { url } = server) {
  const ada = await signUp(url, `Ada ${randomUUID().slice(0, 8)}`);
  const grace = await signUp(url, `Grace ${randomUUID().slice(0, 8)}`);
  const to = { recipientEmails: [grace.user.email, ada.user.email], ...change };
  const { id } = await seal(ada, grace, to, [pdf()]);
  return { ada, grace, id };
}

const bin = async (person: TestClient): Promise<BinnedCapsule[]> =>
  answerOf(listBin, await person.get('/api/capsules/bin')).capsules;
const remove = async (person: TestClient, id: string) =>
  expectStatus(await person.delete(`/api/capsules/${id}`), 200);
const restore = (person: TestClient, id: string) => person.post(`/api/capsules/${id}/restore`);
const deleteNow = async (person: TestClient, id: string, password = PASSWORD) =>
  codeOf(await person.request('DELETE', `/api/capsules/${id}?now=true`, { json: { password } }));
const reads = async (person: TestClient, id: string) =>
  codeOf(await person.get(`/api/capsules/${id}`));
const emailsOf = (kind: string, { user }: SignedIn) =>
  server.mailer.sent.filter((mail) => mail.kind === kind && mail.to === user.email);
const storedKeys = async () => new Set(await keysIn(server.deps.config));
const keysOf = async (id: string) =>
  (
    await server.deps.db
      .select({ key: capsuleFiles.storageKey })
      .from(capsuleFiles)
      .where(eq(capsuleFiles.capsuleId, id))
  ).map(({ key }) => key);

/** All that this person can read without naming a capsule, the times of answers left out. */
async function allAnswers(person: SignedIn, others: SignedIn[]) {
  const queries: Record<string, string[]> = {
    '/community/public-profile': others.map(({ user }) => `userId=${user.id}`),
    '/community/search-profile': ['query=Ada', 'query=Grace'],
    '/user/search-recipient': ['query=Ada', 'query=Grace'],
    '/api/capsules/created': ['', 'view=opening', 'view=sealed', 'view=opened', 'query=later'],
    '/api/capsules/received': ['', 'hidden=true', 'view=ready', 'view=sealed', 'query=later'],
    '/api/capsules/dashboard-summary': ['year=2029', 'year=2030'],
  };
  // Their answers are of their time, or other at each call.
  const others_ = ['/auth/validate-token', '/user/export', '/api/capsules/bin'];
  const reading = (Object.values(ENDPOINTS) as Endpoint[]).filter(
    ({ method, path }) => method === 'GET' && !path.includes(':') && !others_.includes(path),
  );
  const answers: Record<string, unknown> = {};
  for (const { path } of reading) {
    for (const query of queries[path] ?? ['']) {
      const { status, json } = await person.get(`${path}?${query}`);
      answers[`${path}?${query}`] = [status, withoutStorage(json)];
    }
  }
  const archive = await unzip((await person.get('/user/export')).bytes);
  answers.exported = [...archive.keys()].sort();
  return answers;
}

/** Of the calls about a capsule that have one. */
const BODIES: Record<string, object> = {
  hidden: { hidden: true },
  read: { tell: true, timeZone: 'UTC' },
};

const withoutStorage = (json: unknown) =>
  typeof json === 'object' && json !== null && ('storageUsed' in json || 'binnedItems' in json)
    ? { ...json, storageUsed: null, binnedItems: null }
    : json;

describe('a deleted capsule', () => {
  rare('is nowhere in anything that its people can read, as if it had never been', async () => {
    const { ada, grace, id: older } = await world({ dateToUnlock: '2029-06-02' });
    const people = [ada, grace];
    const read = () => Promise.all(people.map((person) => allAnswers(person, people)));
    for (const day of ['2029-06-01T12:00:00Z', '2029-06-07T12:00:00Z']) {
      server.clock.set('2029-06-01T12:00:00Z');
      const both = { recipientEmails: people.map(({ user }) => user.email) };
      const { id } = await seal(ada, grace, { ...both, dateToUnlock: '2029-06-06' }, [pdf()]);
      await remove(ada, id);
      const hidden = await seal(ada, grace, { ...both, dateToUnlock: '2029-06-05' });
      expectStatus(await grace.put(`/api/capsules/${hidden.id}/hidden`, { hidden: true }), 200);
      server.clock.set(day);
      await server.announce();
      await remove(ada, hidden.id);
      const deleted = await read();
      for (const one of [id, hidden.id]) expect(await deleteNow(ada, one)).toBe(200);
      expect(deleted).toEqual(await read());
    }
    server.clock.set('2029-06-01T12:00:00Z');
    expect(await reads(ada, older)).toBe(200);
  });

  it('is for nobody to be told from none at all, whatever is asked of it', async () => {
    const { ada, grace, id } = await world();
    const stranger = await signUp(server.url, 'Stranger');
    await remove(ada, id);
    const ofTheBin = ['/api/capsules/:id/restore'];
    const about = (Object.values(ENDPOINTS) as Endpoint[]).filter(
      ({ path }) => path.startsWith('/api/capsules/:id') && !ofTheBin.includes(path),
    );
    expect(about.length).toBeGreaterThan(5);
    for (const person of [ada, grace, stranger]) {
      for (const { method, path } of about) {
        const ask = async (named: string) => {
          const real = path.replace(':id', named).replace(':notice', randomUUID());
          const json = BODIES[path.slice(path.lastIndexOf('/') + 1)];
          const { status, text } = await person.request(method, real, { json });
          return [status, text];
        };
        expect(await ask(id)).toEqual(await ask(randomUUID()));
        expect((await ask(id))[0]).toBe(404);
      }
    }
    for (const person of [grace, stranger]) {
      const missing = await restore(person, randomUUID());
      const theirs = await restore(person, id);
      expect([theirs.status, theirs.text]).toEqual([missing.status, missing.text]);
      expect(await deleteNow(person, id)).toBe('CAPSULE_NOT_FOUND');
      expect(await bin(person)).toEqual([]);
    }
  });

  it('comes back just as it was', async () => {
    const { ada, grace, id } = await world({ dateToUnlock: '2029-06-02' });
    expectStatus(await grace.put(`/api/capsules/${id}/hidden`, { hidden: true }), 200);
    server.clock.set('2029-06-02T12:00:00Z');
    await server.announce();
    const seenBy = async (person: TestClient): Promise<Capsule> =>
      answerOf(getCapsule, await person.get(`/api/capsules/${id}`));
    const before = [await seenBy(ada), await seenBy(grace)];
    await remove(ada, id);
    expect(await bin(ada)).toEqual([
      {
        id,
        title: 'For later',
        dateToUnlock: '2029-06-02',
        timeZone: 'UTC',
        recipients: [
          { name: grace.user.name, isOwner: false },
          { name: ada.user.name, isOwner: true },
        ],
        deletedAt: expect.stringMatching(/^2029-06-02T12:00/),
        goneAt: expect.stringMatching(/^2029-06-09T12:00/),
      },
    ]);
    expectStatus(await restore(ada, id), 200);
    expect([await seenBy(ada), await seenBy(grace)]).toEqual(before);
    expect(await bin(ada)).toEqual([]);
    const file = before[1]?.fileInfo[0]?.fileId;
    expect((await grace.get(`/api/capsules/download/${file}`)).bytes).toEqual(pdf().bytes);
    expect(codeOf(await restore(ada, id))).toBe('CAPSULE_NOT_FOUND');
  });

  it('is not announced on its day, but is when it comes back after it', async () => {
    const { ada, grace, id } = await world({ dateToUnlock: '2029-06-03' });
    await remove(ada, id);
    server.clock.set('2029-06-04T00:00:00Z');
    await server.announce();
    await allSent(server);
    expect(emailsOf('capsule-opened', grace)).toEqual([]);
    expectStatus(await restore(ada, id), 200);
    // The server's own pass may be at it: then this one leaves it to that.
    await server.announce();
    await until(() => emailsOf('capsule-opened', grace)[0] ?? null);
    // Once, even if it is deleted and brought back again.
    await remove(ada, id);
    server.clock.advance({ days: 1 });
    expectStatus(await restore(ada, id), 200);
    await server.announce();
    await allSent(server);
    expect(emailsOf('capsule-opened', grace)).toHaveLength(1);
  });

  it('lets the emails about it wait, and they go when it is back', async () => {
    const { ada, grace, id } = await world({ dateToUnlock: '2029-06-03', notifyRecipient: true });
    server.clock.set('2029-06-03T12:00:00Z');
    await server.announce();
    await allSent(server);
    // The reminder is due in a month.
    const reminder = () =>
      server.deps.db
        .select({ at: sendings.nextAttemptAt })
        .from(notices)
        .innerJoin(sendings, eq(sendings.emailId, notices.emailId))
        .where(
          and(
            eq(notices.capsuleId, id),
            eq(notices.userId, grace.user.id),
            eq(notices.kind, 'capsule-reminder'),
          ),
        );
    const [before] = await reminder();
    expect(before?.at).not.toBeNull();
    await remove(ada, id);
    expect(await reminder()).toEqual([]);
    expectStatus(await restore(ada, id), 200);
    await server.announce();
    const [after, ...others] = await reminder();
    expect(Number(after?.at)).toBeGreaterThanOrEqual(Number(before?.at));
    expect(others).toEqual([]);
    // The announcement itself was sent before, and is not sent again.
    expect(emailsOf('capsule-opened', grace)).toHaveLength(1);
  });

  it('is told to nobody where it was only their own', async () => {
    const { ada, grace, id } = await world();
    const own = await seal(ada, ada, { recipientEmails: [ada.user.email] });
    await remove(ada, own.id);
    await remove(ada, id);
    await allSent(server);
    expect(emailsOf('capsule-deleted', ada)).toHaveLength(1);
    expect((await bin(ada)).map((capsule) => capsule.id).sort()).toEqual([own.id, id].sort());
    expect(emailsOf('capsule-deleted', grace)).toEqual([]);
  });

  it('is told to both addresses, each with a link that brings it back without a session', async () => {
    const { ada, id } = await world();
    await confirmMain(server, ada);
    const second = await addSecond(server, ada);
    await remove(ada, id);
    await allSent(server);
    const main = await server.mailedLink(ada.user.email, LINK);
    const other = await server.mailedLink(second, LINK);
    const [mail] = emailsOf('capsule-deleted', ada);
    expect(mail?.text).toContain('For later');
    expect(mail?.text).not.toContain('I was here.');
    expect(main.search).toBe('');
    const visitor = await visit(server.url);
    const press = async (token: string) => codeOf(await visitor.post(LINK, { token }));
    // No GET brings anything back.
    await visitor.get(main.pathname);
    expect(await reads(ada, id)).toBe('CAPSULE_NOT_FOUND');
    expect(await press(`${secretIn(main)}x`)).toBe('INVALID_RESTORE_LINK');
    expect(await press(`${randomUUID()}.${secretIn(main).split('.')[1]}`)).toBe(
      'INVALID_RESTORE_LINK',
    );
    expect(await press(secretIn(other))).toBe(200);
    expect(await reads(ada, id)).toBe(200);
    expect(await press(secretIn(main))).toBe('INVALID_RESTORE_LINK');
    // A later deletion has a link of its own.
    await remove(ada, id);
    expect(await press(secretIn(main))).toBe('INVALID_RESTORE_LINK');
    await allSent(server);
    expect(await press(secretIn(await server.mailedLink(second, LINK)))).toBe(200);
  });

  it('is gone for good after a week, and its files with it', async () => {
    const { ada, id } = await world({ dateToUnlock: '2040-01-01' });
    const keys = await keysOf(id);
    await remove(ada, id);
    server.clock.advance({ ms: BIN_DAYS * DAY_MS - MINUTE_MS });
    await sweep(server.deps, GO_ON);
    expect(await bin(ada)).toHaveLength(1);
    expect((await storedKeys()).has(String(keys[0]))).toBe(true);
    server.clock.advance({ ms: MINUTE_MS });
    await sweep(server.deps, GO_ON);
    expect(await bin(ada)).toEqual([]);
    expect(codeOf(await restore(ada, id))).toBe('CAPSULE_NOT_FOUND');
    expect(await keysOf(id)).toEqual([]);
    server.deps.filesReleased();
    await expect.poll(async () => (await storedKeys()).has(String(keys[0]))).toBe(false);
  });

  it('ends to the second, however late the sweep is', async () => {
    const { ada, id } = await world({ dateToUnlock: '2040-01-01' });
    await remove(ada, id);
    await allSent(server);
    const token = secretIn(await server.mailedLink(ada.user.email, LINK));
    const [binned] = await bin(ada);
    const goneAt = Date.parse(String(binned?.goneAt));
    const counted = async () => (await ada.get('/api/capsules/created')).json;
    server.clock.set(new Date(goneAt - 1_000).toISOString());
    expect(await bin(ada)).toHaveLength(1);
    expect(await counted()).toMatchObject({ binnedItems: 1 });
    for (const late of [0, 3_000, 2 * DAY_MS]) {
      server.clock.set(new Date(goneAt + late).toISOString());
      expect(await bin(ada)).toEqual([]);
      expect(await counted()).toMatchObject({ binnedItems: 0 });
      expect(codeOf(await restore(ada, id))).toBe('CAPSULE_NOT_FOUND');
      expect(codeOf(await ada.post(LINK, { token }))).toBe('INVALID_RESTORE_LINK');
      expect(await deleteNow(ada, id)).toBe('CAPSULE_NOT_FOUND');
      expect(await keysOf(id)).toHaveLength(1);
    }
    server.clock.set(new Date(goneAt - 1_000).toISOString());
    expect(codeOf(await ada.post(LINK, { token }))).toBe(200);
    expect(await reads(ada, id)).toBe(200);
  });

  it('goes at once with the password, which is as costly to guess at as elsewhere', async () => {
    const { ada, id } = await world();
    const keys = await keysOf(id);
    // Not past the bin.
    expect(await deleteNow(ada, id)).toBe('CAPSULE_NOT_FOUND');
    await remove(ada, id);
    expect(await deleteNow(ada, id, 'guessed')).toBe('VALIDATION_FAILED');
    const bare = await ada.delete(`/api/capsules/${id}?now=true`);
    expect(codeOf(bare)).toBe('VALIDATION_FAILED');
    expect(await bin(ada)).toHaveLength(1);
    expect(await deleteNow(ada, id)).toBe(200);
    expect(await bin(ada)).toEqual([]);
    await expect.poll(async () => (await storedKeys()).has(String(keys[0]))).toBe(false);
    const one = await world({ dateToUnlock: '2040-01-01' }, limited);
    await remove(one.ada, one.id);
    const answers: unknown[] = [];
    for (let guess = 0; guess < 11; guess += 1) {
      answers.push(await deleteNow(one.ada, one.id, `guess ${guess}`));
    }
    expect(answers.slice(8)).toEqual(['VALIDATION_FAILED', 'UNAUTHENTICATED', 'UNAUTHENTICATED']);
  });

  it('counts towards the storage until it is gone, and a full person is told so', async () => {
    const { ada, id } = await world();
    const { storageLimitMB } = server.deps.config;
    const used = async () => {
      const { json } = await ada.get('/api/capsules/dashboard-summary');
      return (json as { storageUsed: unknown }).storageUsed;
    };
    const letter = { personalMessage: 'x'.repeat(50_000) };
    await remove(ada, (await seal(ada, ada, letter)).id);
    const before = await used();
    await remove(ada, id);
    expect(await used()).toEqual(before);
    Object.assign(server.deps.config, { storageLimitMB: 0.06 });
    const full = await ada.createCapsule(capsuleFields(ada, letter), []);
    expect(codeOf(full)).toBe('STORAGE_LIMIT_REACHED');
    expect((full.json as { message: string }).message).toMatch(/bin/);
    for (const one of await bin(ada)) expect(await deleteNow(ada, one.id)).toBe(200);
    expectStatus(await ada.createCapsule(capsuleFields(ada, letter), []), 201);
    Object.assign(server.deps.config, { storageLimitMB });
  });

  it('goes with the account of its owner, and without a recipient whose account is gone', async () => {
    const { ada, grace, id } = await world();
    const keys = await keysOf(id);
    await remove(ada, id);
    const leave = (person: TestClient) =>
      person.post('/user/delete-account', { password: PASSWORD, capsules: 'deliver' });
    expectStatus(await leave(grace), 200);
    expect(await bin(ada)).toMatchObject([{ recipients: [{ name: ada.user.name }] }]);
    expectStatus(await restore(ada, id), 200);
    expect(await reads(ada, id)).toBe(200);
    await remove(ada, id);
    expectStatus(await leave(ada), 200);
    expect(await keysOf(id)).toEqual([]);
    await expect.poll(async () => (await storedKeys()).has(String(keys[0]))).toBe(false);
  });

  it('comes back with whoever was invited and has an account by now, and without who refused', async () => {
    const [ada, grace] = [await signUp(server.url, 'Ada Host'), await signUp(server.url, 'Grace')];
    const [invited, refusing] = [newAddress(), newAddress()];
    for (const email of [invited, refusing]) await ada.post('/user/invitations', { email });
    const to = { recipientEmails: [invited, refusing], dateToUnlock: '2029-06-02' };
    const { id } = await seal(ada, grace, to);
    await remove(ada, id);
    await askForMain(grace, invited);
    await confirm(server, invited, grace);
    await allSent(server);
    const link = await server.mailedLink(refusing, '/auth');
    const invitation = secretIn(link, 'invitation');
    const visitor = await visit(server.url);
    expectStatus(await visitor.post('/auth/refuse-invitation', { token: invitation }), 200);
    expectStatus(await restore(ada, id), 200);
    expect((await ada.get(`/api/capsules/${id}`)).json).toMatchObject({
      recipientEmails: [invited],
      refusals: 1,
    });
    expect(await reads(grace, id)).toBe(200);
  });

  it('is deleted, brought back and deleted for good once, however many ask at the same moment', async () => {
    const { ada, id } = await world();
    const at = async (work: () => Promise<unknown>) => {
      const answers = await Promise.all(Array.from({ length: 12 }, work));
      return answers.filter((answer) => answer === 200).length;
    };
    expect(await at(async () => codeOf(await ada.delete(`/api/capsules/${id}`)))).toBe(1);
    expect(await at(async () => codeOf(await restore(ada, id)))).toBe(1);
    await remove(ada, id);
    const either = [() => deleteNow(ada, id), async () => codeOf(await restore(ada, id))];
    const answers = await Promise.all(either.map((one) => one()));
    expect(answers.filter((answer) => answer === 200)).toHaveLength(1);
  });

  rare(
    'is told at most twenty times a day, whatever else is deleted and brought back',
    async () => {
      const ada = await signUp(limited.url, 'Ada Many');
      const grace = await signUp(limited.url, 'Grace Many');
      await confirmMain(limited, ada);
      const { id: own } = await seal(ada, ada, { dateToUnlock: '2040-01-01' });
      for (let count = 0; count < 20; count += 1) {
        await remove(ada, own);
        expectStatus(await restore(ada, own), 200);
      }
      for (let count = 0; count < 22; count += 1) {
        const { id } = await seal(ada, grace, { dateToUnlock: '2040-01-01' });
        await remove(ada, id);
      }
      await allSent(limited);
      const told = limited.mailer.sent.filter(({ kind }) => kind === 'capsule-deleted');
      expect(told.filter(({ to }) => to === ada.user.email)).toHaveLength(20);
      expect(await bin(ada)).toHaveLength(22);
    },
  );
});

it('the summary is as before when a capsule came back', async () => {
  const { ada, id } = await world();
  const summary = async () =>
    answerOf(getDashboardSummary, await ada.get('/api/capsules/dashboard-summary'));
  const before = await summary();
  await remove(ada, id);
  expectStatus(await restore(ada, id), 200);
  expect(await summary()).toEqual(before);
});
