import { randomBytes, randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashToken } from '../../server/auth/token-hash.ts';
import {
  contributionLinks,
  contributions,
  drafts,
  uploads,
  users,
} from '../../server/db/schema.ts';
import { queueEmails } from '../../server/domain/emails/queue.ts';
import { sweep } from '../../server/jobs/sweep.ts';
import {
  type Capsule,
  capsulePageSchema,
  getCapsule,
  getDashboardSummary,
} from '../../shared/api/capsules.ts';
import {
  type ContributionFile,
  listAdded,
  openContributionLink,
  startContributionUpload,
  takeBackContribution,
} from '../../shared/api/contributions.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { DAY_MS, MEGABYTE } from '../../shared/limits.ts';
import { allSent, codeOf } from '../support/addresses.ts';
import { type Answer, answerOf, expectStatus, type SignedIn, signUp } from '../support/client.ts';
import {
  linkPath,
  namedFile as named,
  newDraft,
  newLink,
  sealDraft,
  Writer,
} from '../support/contributions.ts';
import { largeVideo, pdf, sha256 } from '../support/fixtures.ts';
import { GO_ON } from '../support/mail-world.ts';
import { rare } from '../support/rare.ts';
import { sharedServer } from '../support/server.ts';
import { storedKeys as keysIn } from '../support/stored-keys.ts';
import { unzip } from '../support/unzip.ts';

const CANARY = 'canary-in-a-mine';
const TODAY = '2029-12-20T12:00:00Z';

const server = sharedServer({ clock: TODAY, config: { storageLimitMB: 30 } });
const limited = sharedServer({ clock: TODAY, config: { rateLimits: true, trustedProxies: 1 } });
let count = 0;

async function newPerson(name = 'Organiser', { url } = server): Promise<SignedIn> {
  count += 1;
  return signUp(url, `${name} ${count}`);
}

const writerOf = (token?: string) => new Writer(server.url, token);

const added = async (by: SignedIn, draft: string) =>
  answerOf(listAdded, await by.get(`/api/drafts/${draft}/contributions`));

const names = async (by: SignedIn, draft: string) =>
  (await added(by, draft)).contributions.map(({ name }) => name);

const sealed = (answer: Answer): Capsule => answerOf(createCapsule, answer);

const read = async (by: SignedIn, id: string) =>
  answerOf(getCapsule, await by.get(`/api/capsules/${id}`));

async function emailsTo({ user }: SignedIn) {
  server.deps.mailQueued();
  await allSent(server);
  return server.mailer.sent.filter(({ to, text }) => to === user.email && /\/create\?/.test(text));
}

beforeEach(() => server.clock.set(TODAY));

const contentOf = (personalMessage: string) => ({
  fields: {
    ...{ title: 'For Mia', description: '', personalMessage, recipients: [] },
    ...{ dateToUnlock: '', notifyRecipient: false },
  },
  files: [],
  otherVersions: [],
});

describe('a link to add by', () => {
  rare('reads the title, and not the draft', async () => {
    const organiser = await newPerson();
    const draft = await newDraft(organiser, ' For Mia \ud800');
    const writer = writerOf(await newLink(organiser, draft));
    await writer.save(0);
    const { db } = server.deps;
    const set = (change: object) => db.update(drafts).set(change).where(eq(drafts.id, draft));
    const title = async () => [
      answerOf(openContributionLink, await writer.open()).title,
      await writer.own(),
    ];
    await set({ content: 'no JSON' });
    const mended = 'For Mia \ufffd';
    expect(await title()).toEqual([mended, expect.objectContaining({ title: mended })]);
    expect((await added(organiser, draft)).contributions).toHaveLength(1);
    // As a server of before 1.0.0 has left it.
    await set({ title: null, recipientNames: null, dateToUnlock: null });
    const link = answerOf(openContributionLink, await writer.open());
    expect(link).toMatchObject({ title: '', recipientNames: [] });
  });

  it('says who asks and what for, and nothing else of the draft', async () => {
    const organiser = await newPerson('Anna');
    const draft = await newDraft(organiser);
    const until = '2029-12-24';
    const token = await newLink(organiser, draft, { words: ' Tell her of her birth. ', until });
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const link = await writerOf(token).open();
    expect(answerOf(openContributionLink, link)).toEqual({
      ...{ organiser: organiser.user.name, title: 'For Mia, 18', until },
      ...{ words: 'Tell her of her birth.', maxFileMB: 20, maxMB: 20 },
      recipientNames: [],
    });
    expect(link.text).not.toContain('Dear Mia');
    expect(await added(organiser, draft)).toEqual({
      link: {
        words: 'Tell her of her birth.',
        ...{ isSurprise: false, until, token },
        madeAt: expect.stringMatching(/^2029-12-20/),
      },
      ...{ most: 50, contributions: [] },
    });
  });

  it('says for whom and for which day, by names and never by addresses, unless it is a surprise', async () => {
    const organiser = await newPerson('Anna');
    const draft = randomUUID();
    const someone = { avatar: '', isYou: false };
    const recipients = [
      { ...someone, id: 'a', name: 'Mia Becker', email: 'mia@home.example', givenName: ' Mia\0 ' },
      { ...someone, id: 'b', name: 'tom@home.example', email: 'tom@home.example', toInvite: true },
      { ...someone, id: 'c', name: 'Per', email: 'per@home.example' },
      { ...someone, id: 'd', name: organiser.user.name, email: 'anna@home.example', isYou: true },
    ];
    const { fields, ...rest } = contentOf('');
    const save = async (base: number, change: object) => {
      const content = { ...rest, fields: { ...fields, recipients, ...change } };
      expectStatus(await organiser.put(`/api/drafts/${draft}`, { base, content }), 200);
    };
    await save(0, { dateToUnlock: '2030-11-30' });
    const told = writerOf(await newLink(organiser, draft));
    const answer = await told.open();
    expect(answerOf(openContributionLink, answer)).toMatchObject({
      ...{ recipientNames: ['Mia', 'Per'], dateToUnlock: '2030-11-30' },
    });
    expect(answer.text).not.toContain('example');
    // The same for whoever comes back by a personal link.
    await told.save(0);
    expect(await told.own()).toMatchObject({
      ...{ recipientNames: ['Mia', 'Per'], dateToUnlock: '2030-11-30' },
    });
    await save(Number.MAX_SAFE_INTEGER, { dateToUnlock: 'soon', recipients: [] });
    const { json: unknown } = await told.open();
    expect(unknown).toMatchObject({ recipientNames: [] });
    expect(Object.keys(Object(unknown))).not.toContain('dateToUnlock');

    expectStatus(await organiser.delete(linkPath(draft)), 200);
    const surprised = writerOf(await newLink(organiser, draft, { isSurprise: true }));
    expect(await told.own()).not.toHaveProperty('recipientNames');
    const { json } = await surprised.open();
    expect(json).toMatchObject({ organiser: organiser.user.name, title: 'For Mia' });
    expect(Object.keys(Object(json))).not.toContain('recipientNames');
    expect(Object.keys(Object(json))).not.toContain('dateToUnlock');
  });

  it('stays the same on a device that does not know it yet, until it is turned off or over', async () => {
    const organiser = await newPerson();
    const draft = await newDraft(organiser);
    const link = async () => (await added(organiser, draft)).link;
    const make = (change = {}) => newLink(organiser, draft, { until: '2029-12-21', ...change });
    const [token, ...others] = await Promise.all([make(), make(), make()]);
    expect(others).toEqual([token, token]);
    const made = await link();
    server.clock.set('2029-12-21T23:59:59Z');
    expect(await make({ words: 'Of the phone', until: null })).toBe(token);
    expect(await link()).toEqual(made);
    expectStatus(await writerOf(token).open(), 200);
    // Where it is the next day already, its form says that it is over.
    const next = await make({ until: null, utcOffset: 60, timeZone: 'Europe/Berlin' });
    expect((await link())?.token).toBe(next);
    expectStatus(await writerOf(token).open(), 404);
  });

  it('is shown again to its organiser, and is another one once the former has ended', async () => {
    const organiser = await newPerson();
    const draft = await newDraft(organiser);
    const link = async () => (await added(organiser, draft)).link;
    const first = await newLink(organiser, draft);
    expect((await link())?.token).toBe(first);
    expectStatus(await organiser.delete(linkPath(draft)), 200);
    expect(await link()).toBeNull();
    const second = await newLink(organiser, draft);
    expect(second).not.toBe(first);
    expect((await link())?.token).toBe(second);
    const other = await newPerson();
    const theirs = await other.get(`/api/drafts/${draft}/contributions`);
    expect(codeOf(theirs)).toBe('NOT_FOUND');
    // One that a version before this one has made at random goes on, and is shown nowhere.
    const { db } = server.deps;
    const random = randomBytes(32).toString('base64url');
    const stored = db.update(contributionLinks).set({ tokenHash: hashToken(random) });
    await stored.where(eq(contributionLinks.draftId, draft));
    expect(await link()).not.toHaveProperty('token');
    expectStatus(await writerOf(random).open(), 200);
    const rows = await db.select().from(contributionLinks);
    expect(JSON.stringify(rows)).not.toContain(first);
  });

  it('tells its organiser once of each who adds, and nothing of what was added', async () => {
    const organiser = await newPerson();
    const draft = await newDraft(organiser);
    const token = await newLink(organiser, draft);
    const karl = writerOf(token);
    const file = named(pdf('canary.pdf'));
    await karl.save(0, { name: 'Grandpa Karl', letter: CANARY, files: [file] });
    await karl.save(0, { name: 'Grandpa Karl', letter: CANARY, files: [file] });
    await karl.save(1, { name: 'Grandpa Karl', letter: `${CANARY}, again` });
    await writerOf(token).save(0, { name: 'www.win.example' });
    const [first, second, ...more] = await emailsTo(organiser);
    expect(more).toEqual([]);
    expect(first?.subject).toBe('Grandpa Karl has added to your time capsule');
    expect(second?.subject).toBe('Someone has added to your time capsule');
    expect(first?.text).toContain(`/create?draft=${draft}`);
    expect(first?.text).toContain('For Mia, 18');
    expect(JSON.stringify([first, second])).not.toMatch(/canary|win\.example/);
  });

  it('tells nothing of what was taken back or removed before the email went', async () => {
    const organiser = await newPerson();
    const draft = await newDraft(organiser);
    const token = await newLink(organiser, draft);
    const writer = writerOf(token);
    await writer.save(0);
    expect(await emailsTo(organiser)).toHaveLength(1);
    const again = async (aboutId: string) => {
      await queueEmails(server.deps.db, server.deps, 'contribution-added', [
        { id: organiser.user.id, aboutId },
      ]);
      return emailsTo(organiser);
    };
    expect(await again(writer.id)).toHaveLength(2);
    expectStatus(await organiser.delete(`/api/drafts/${draft}/contributions/${writer.id}`), 200);
    expect(await again(writer.id)).toHaveLength(2);
    expect(await again(randomUUID())).toHaveLength(2);
  });

  it('is refused in the same words when it was guessed, ended, is over, or its draft is gone', async () => {
    const organiser = await newPerson();
    const draft = await newDraft(organiser);
    const first = writerOf(await newLink(organiser, draft, { until: '2029-12-21' }));
    expectStatus(await first.open(), 200);
    const refusal = await writerOf(randomBytes(32).toString('base64url')).open();
    expect(codeOf(refusal)).toBe('CONTRIBUTION_LINK_INVALID');
    const refused = async (writer: Writer) => {
      expect((await writer.open()).json).toEqual(refusal.json);
      expect((await writer.put(0)).json).toEqual(refusal.json);
    };
    await refused(writerOf());
    expectStatus(await organiser.delete(linkPath(draft)), 200);
    await refused(first);
    const second = writerOf(await newLink(organiser, draft, { until: '2029-12-21' }));
    await refused(first);
    server.clock.set('2029-12-21T23:59:59Z');
    expectStatus(await second.open(), 200);
    server.clock.set('2029-12-22T00:00:00Z');
    await refused(second);
    const third = writerOf(await newLink(organiser, draft));
    expectStatus(await organiser.delete(linkPath(draft)), 200);
    await refused(third);
    const fourth = writerOf(await newLink(organiser, draft));
    const { db } = server.deps;
    const suspend = (suspendedAt: Date | null) =>
      db.update(users).set({ suspendedAt }).where(eq(users.id, organiser.user.id));
    await suspend(new Date());
    await refused(fourth);
    await suspend(null);
    expectStatus(await fourth.open(), 200);
    const [{ revision } = { revision: 0 }] = await db
      .select()
      .from(drafts)
      .where(eq(drafts.id, draft));
    expectStatus(await organiser.delete(`/api/drafts/${draft}?base=${revision}`), 200);
    await refused(fourth);
    expect(await names(organiser, await newDraft(organiser))).toEqual([]);
  });

  it('ends with the day where its organiser is', async () => {
    const organiser = await newPerson();
    const draft = await newDraft(organiser);
    const zone = { until: '2029-12-21', timeZone: 'Pacific/Auckland' };
    const writer = writerOf(await newLink(organiser, draft, zone));
    server.clock.set('2029-12-21T10:59:59Z');
    expectStatus(await writer.open(), 200);
    server.clock.set('2029-12-21T11:00:00Z');
    expectStatus(await writer.open(), 404);
    expectStatus(await organiser.post(linkPath(draft), zone), 400);
  });

  it('is made by whose draft it is alone, and only for a draft that is saved to the account', async () => {
    const organiser = await newPerson();
    const other = await newPerson();
    const draft = await newDraft(organiser);
    const writer = writerOf(await newLink(organiser, draft));
    await writer.save(0);
    for (const answer of [
      await other.post(linkPath(draft), {}),
      await other.get(`/api/drafts/${draft}/contributions`),
      await other.delete(`/api/drafts/${draft}/contributions/${writer.id}`),
      await organiser.post(linkPath(randomUUID()), {}),
    ]) {
      expectStatus(answer, 404);
    }
    expectStatus(await other.delete(linkPath(draft)), 200);
    expect(await names(organiser, draft)).toEqual(['Grandpa']);
    expectStatus(await writer.open(), 200);
  });
});

describe('a contribution', () => {
  let organiser: SignedIn;
  let draft: string;
  let token: string;
  beforeEach(async () => {
    organiser = await newPerson();
    draft = await newDraft(organiser);
    token = await newLink(organiser, draft);
  });

  it('is seen by its organiser as who and how much, and by its writer as they wrote it', async () => {
    const writer = writerOf(token);
    const [one, two] = [pdf('Album.pdf'), pdf('Film.pdf', 'more')];
    const files = [named(one), named(two)];
    expect(await writer.save(0, { files })).toBe(1);
    await writer.upload(files[0] as ContributionFile, one.bytes);
    const seen = await organiser.get(`/api/drafts/${draft}/contributions`);
    expect(answerOf(listAdded, seen).contributions).toEqual([
      {
        ...{ id: writer.id, name: 'Grandpa', hasLetter: true },
        ...{ fileCount: 1, bytes: one.bytes.length, underWay: 1 },
        updatedAt: expect.stringMatching(/^2029-12-20T12/),
      },
    ]);
    expect(seen.text).not.toMatch(/blessing|Album|Film/);
    expect(await writer.own()).toEqual({
      ...{ state: 'waiting', revision: 1, organiser: organiser.user.name, title: 'For Mia, 18' },
      ...{ name: 'Grandpa', letter: 'A blessing', files, arrived: [files[0]?.id] },
      recipientNames: [],
    });
  });

  it('is changed and taken back by the device that wrote it, and nobody else', async () => {
    const writer = writerOf(token);
    expect(await writer.save(0)).toBe(1);
    // The answer was lost.
    expect(await writer.save(0)).toBe(1);
    // Half of an emoji, as a device may have it while somebody types.
    const half = new Writer(server.url, token);
    expect(await half.save(0, { letter: 'Love \ud83d', name: 'Half \ud83d' })).toBe(1);
    expect(await half.save(0, { letter: 'Love \ud83d', name: 'Half \ud83d' })).toBe(1);
    answerOf(takeBackContribution, await half.request('DELETE', half.path));
    expect(await writer.save(1, { letter: 'Two blessings' })).toBe(2);
    expect(await writer.save(1, { letter: 'Two blessings' })).toBe(2);
    expect(codeOf(await writer.put(1, { letter: 'Three' }))).toBe('CONTRIBUTION_CHANGED');
    const thief = writerOf(token);
    const asThief = (method: string, json?: object) =>
      thief.request(method, writer.path, json && { json });
    for (const answer of [
      await asThief('GET'),
      await asThief('DELETE'),
      await asThief('PUT', { base: 2, name: 'Thief', letter: 'x', files: [] }),
      await thief.request('GET', `${writer.path}/uploads/${randomUUID()}`),
    ]) {
      expect(codeOf(answer)).toBe('CONTRIBUTION_NOT_FOUND');
    }
    // Once in, a link that has ended takes nothing away.
    expectStatus(await organiser.delete(linkPath(draft)), 200);
    expect(await writer.save(2, { letter: 'Four' })).toBe(3);
    answerOf(takeBackContribution, await writer.request('DELETE', writer.path));
    expect(await names(organiser, draft)).toEqual([]);
    expect(codeOf(await writer.request('GET', writer.path))).toBe('CONTRIBUTION_NOT_FOUND');
    expect(codeOf(await writer.put(3))).toBe('CONTRIBUTION_NOT_FOUND');
  });

  it('is judged as titles and letters are', async () => {
    const refused = async (change: object, field: string) => {
      const { errors } = expectStatus(await writerOf(token).put(0, change), 400).json as {
        errors: Record<string, string>;
      };
      expect(Object.keys(errors)).toEqual([field]);
    };
    await refused({ name: '  ' }, 'name');
    await refused({ name: '\u200b\u200d' }, 'name');
    await refused({ name: 'G\u202erandpa' }, 'name');
    await refused({ name: 'x'.repeat(51) }, 'name');
    await refused({ letter: 'x'.repeat(50_001) }, 'letter');
    await refused({ letter: ' \u2800\n' }, 'letter');
    const file = { id: randomUUID(), name: 'a.mp4', type: 'video/mp4', bytes: 12_000_000 };
    await refused({ files: [file, { ...file, id: randomUUID() }] }, 'files');
    await refused({ files: [file, file] }, 'files');
    await refused(
      { files: Array.from({ length: 21 }, () => ({ ...file, bytes: 1, id: randomUUID() })) },
      'files',
    );
    expect(await writerOf(token).save(0, { letter: 'ü'.repeat(50_000) })).toBe(1);
    expect(await writerOf(token).save(0, { letter: '\0', files: [file] })).toBe(1);
  });

  it('brings only files that it names, each once, and lets go of those it does not name any more', async () => {
    const writer = writerOf(token);
    const [one, two] = [pdf('one.pdf'), pdf('two.pdf', 'more')];
    const files = [named(one), named(two)];
    const [first, second] = files as [ContributionFile, ContributionFile];
    await writer.save(0, { files });
    expect(codeOf(await writer.start(named(one)))).toBe('UPLOAD_NOT_FOUND');
    expect(codeOf(await writer.start({ ...first, bytes: 5 }))).toBe('UPLOAD_NOT_FOUND');
    await writer.upload(first, one.bytes);
    answerOf(startContributionUpload, await writer.start(first));
    const half = two.bytes.length;
    answerOf(startContributionUpload, await writer.start(second));
    expectStatus(await writer.send(second, two.bytes.subarray(0, half)), 200);
    const before = await server.deps.db.select().from(uploads);
    await writer.save(1, { files: [second] });
    const rows = await server.deps.db
      .select()
      .from(uploads)
      .where(eq(uploads.contributionId, writer.id));
    expect(rows.map(({ id }) => id)).toEqual([second.id]);
    const { storageKey } = before.find(({ id }) => id === first.id) ?? { storageKey: '' };
    expect(await keysIn(server.deps.config)).toContain(storageKey);
    server.deps.filesReleased();
    await expect.poll(() => keysIn(server.deps.config)).not.toContain(storageKey);
  });

  it('never reaches its organiser before the day, not by the id of an upload either', async () => {
    const writer = writerOf(token);
    const file = pdf(`${CANARY}.pdf`, `${CANARY} sings`);
    const one = named(file);
    await writer.save(0, { letter: `${CANARY} sings`, files: [one] });
    await writer.upload(one, file.bytes);
    expectStatus(await organiser.get(`/api/uploads/${one.id}`), 404);
    expectStatus(await organiser.delete(`/api/uploads/${one.id}`), 404);
    const content = {
      fields: {
        ...{ title: 'Mine', description: '', personalMessage: '', recipients: [] },
        ...{ dateToUnlock: '', notifyRecipient: false },
      },
      ...{ files: [one], otherVersions: [] },
    };
    const other = randomUUID();
    const { text } = await organiser.put(`/api/drafts/${other}`, { base: 0, content });
    expectStatus(await organiser.get(`/api/drafts/${other}/files/${one.id}`), 404);
    expectStatus(await organiser.get(`/api/drafts/${draft}/files/${one.id}`), 404);
    const pulled = await organiser.get('/api/drafts');
    expect(pulled.text).not.toContain(`"arrived":["${one.id}`);
    expect(text).not.toContain(CANARY);
    const archive = await unzip((await organiser.get('/user/export')).bytes);
    for (const [path, bytes] of archive)
      expect(`${path} ${bytes}`).not.toContain(`${CANARY} sings`);
    const { drafts: exported } = JSON.parse(String(archive.get('time-capsule.json')));
    expect(exported).toMatchObject([
      { id: draft, contributions: 1 },
      { id: other, contributions: 0 },
    ]);
    const naming = { uploads: [one.id] };
    expect(codeOf(await sealDraft(organiser, draft, naming))).toBe('UPLOAD_NOT_FOUND');
    expect(await names(organiser, draft)).toEqual(['Grandpa']);
    expect((await writer.own()).arrived).toEqual([one.id]);
  });

  it('is removed unread by its organiser, with its files', async () => {
    const writer = writerOf(token);
    const file = pdf();
    const one = named(file);
    await writer.save(0, { files: [one] });
    await writer.upload(one, file.bytes);
    const path = `/api/drafts/${draft}/contributions/${writer.id}`;
    expectStatus(await organiser.delete(path), 200);
    expectStatus(await organiser.delete(path), 404);
    expect(await names(organiser, draft)).toEqual([]);
    expect(codeOf(await writer.request('GET', writer.path))).toBe('CONTRIBUTION_NOT_FOUND');
    expect(codeOf(await writer.send(one, file.bytes))).toBe('CONTRIBUTION_NOT_FOUND');
    // For a week it can be put back, with its files, and to the second no longer.
    const back = () => organiser.post(`${path}/put-back`);
    const late = writerOf(token);
    await late.save(0, { name: 'Late' });
    const latePath = `/api/drafts/${draft}/contributions/${late.id}`;
    expect((await added(organiser, draft)).removed).toEqual([{ id: writer.id, name: 'Grandpa' }]);
    server.clock.set(new Date(new Date(TODAY).getTime() + 6 * DAY_MS).toISOString());
    await sweep(server.deps, GO_ON);
    expectStatus(await (await newPerson()).post(`${path}/put-back`), 404);
    expectStatus(await back(), 200);
    expectStatus(await back(), 404);
    expect(await added(organiser, draft)).not.toHaveProperty('removed');
    expect((await writer.own()).arrived).toEqual([one.id]);
    expectStatus(await organiser.delete(latePath), 200);
    server.clock.advance({ ms: 7 * DAY_MS });
    expect(await added(organiser, draft)).not.toHaveProperty('removed');
    expectStatus(await organiser.post(`${latePath}/put-back`), 404);
    expectStatus(await organiser.delete(path), 200);
    server.clock.advance({ ms: 7 * DAY_MS });
    await sweep(server.deps, GO_ON);
    const { db } = server.deps;
    for (const id of [writer.id, late.id]) {
      expect(await db.select().from(contributions).where(eq(contributions.id, id))).toEqual([]);
      expect(await db.select().from(uploads).where(eq(uploads.contributionId, id))).toEqual([]);
    }
  });

  it('that was removed is in no capsule, and can be added again', async () => {
    const [first, second] = [writerOf(token), writerOf(token)];
    await first.save(0, { name: 'First' });
    await second.save(0, { name: 'Second' });
    for (const { id } of [first, second]) {
      expectStatus(await organiser.delete(`/api/drafts/${draft}/contributions/${id}`), 200);
    }
    expect(codeOf(await second.put(1, { letter: 'more' }))).toBe('CONTRIBUTION_NOT_FOUND');
    expect(await second.save(0, { name: 'Second' })).toBe(1);
    expect(await names(organiser, draft)).toEqual(['Second']);
    const { id } = answerOf(createCapsule, await sealDraft(organiser, draft));
    const path = `/api/drafts/${draft}/contributions/${first.id}`;
    expectStatus(await organiser.post(`${path}/put-back`), 404);
    server.clock.set('2030-01-01T00:00:00Z');
    expect((await read(organiser, id)).contributions).toMatchObject([{ name: 'Second' }]);
  });

  it('has a secret of whoever goes on with it by a personal link, which then ends', async () => {
    // The organiser begins it in his name, and gives him the link of that.
    const begun = writerOf(token);
    await begun.save(0, { letter: '.' });
    const grandpa = Object.assign(writerOf(), { ...begun, secret: begun.secret });
    expect(await grandpa.own()).toMatchObject({ letter: '.', revision: 1 });
    const newSecret = randomBytes(32).toString('base64url');
    const words = { letter: CANARY, newSecret };
    expect(await grandpa.save(1, words)).toBe(2);
    // A repeat after a lost answer, and one with newer words.
    expect(await grandpa.save(1, words)).toBe(2);
    expect(await grandpa.save(2, { ...words, letter: `${CANARY}!` })).toBe(3);
    for (const answer of [
      await begun.request('GET', begun.path),
      await begun.put(3, { letter: 'mine again' }),
      await begun.put(3, { newSecret: begun.secret }),
      await begun.request('DELETE', begun.path),
      await begun.start(named(pdf())),
    ]) {
      expect(codeOf(answer)).toBe('CONTRIBUTION_ELSEWHERE');
      expect(answer.text).not.toContain(CANARY);
    }
    const his = Object.assign(writerOf(), { ...begun, secret: newSecret });
    expect(await his.own()).toMatchObject({ letter: `${CANARY}!`, revision: 3 });
    // Removed, and sent again under the same id: the former link reads nothing of that either.
    expectStatus(await organiser.delete(`/api/drafts/${draft}/contributions/${begun.id}`), 200);
    expect(codeOf(await begun.put(0))).toBe('CONTRIBUTION_NOT_FOUND');
  });

  it('is one of so many', async () => {
    server.deps.config.maxContributors = 2;
    try {
      const [first, second, third] = [token, token, token].map((one) => writerOf(one));
      await first?.save(0);
      await second?.save(0);
      expect(codeOf((await third?.put(0)) as Answer)).toBe('CONTRIBUTIONS_FULL');
      expect(await second?.save(1, { letter: 'changed' })).toBe(2);
      await first?.request('DELETE', first.path);
      expect(await third?.save(0)).toBe(1);
      // What the organiser removes can come back, and makes room for as many only.
      for (const one of [second, third]) {
        const path = `/api/drafts/${draft}/contributions/${one?.id}`;
        expectStatus(await organiser.delete(path), 200);
      }
      const [fourth, fifth, sixth] = [token, token, token].map((one) => writerOf(one));
      await fourth?.save(0);
      await fifth?.save(0);
      const removal = `/api/drafts/${draft}/contributions/${fifth?.id}`;
      expectStatus(await organiser.delete(removal), 200);
      expect(codeOf((await sixth?.put(0)) as Answer)).toBe('CONTRIBUTIONS_FULL');
    } finally {
      server.deps.config.maxContributors = 50;
    }
  });

  rare(
    'arrives where the storage of its organiser is full: the words at once, the file when there is room',
    async () => {
      const writer = writerOf(token);
      const bytes = Buffer.concat(await largeVideo(18 * 1_048_576, 'a').toArray());
      const film = { name: 'film.mp4', type: 'video/mp4', bytes };
      const other = writerOf(token);
      const [one, two] = [named(film), named(film)];
      await other.save(0, { files: [two] });
      expectStatus(await other.start(two), 201);
      await writer.save(0, { files: [one] });
      const refused = await writer.start(one);
      expect([codeOf(refused), refused.status]).toEqual(['STORAGE_LIMIT_REACHED', 413]);
      expect(refused.text).toContain('Your words have arrived');
      expect(await names(organiser, draft)).toEqual(['Grandpa', 'Grandpa']);
      expectStatus(await organiser.delete(`/api/drafts/${draft}/contributions/${other.id}`), 200);
      await writer.upload(one, bytes);
    },
  );

  rare(
    'whose words are beyond 10 MB counts, and is refused where there is no room for it',
    async () => {
      const { db } = server.deps;
      const writer = writerOf(token);
      await writer.save(0);
      const used = async () => {
        const answer = await organiser.get('/api/capsules/dashboard-summary');
        return answerOf(getDashboardSummary, answer).storageUsed.totalMB;
      };
      const write = (megabytes: number) =>
        db
          .update(contributions)
          .set({ letter: 'x'.repeat(megabytes * MEGABYTE) })
          .where(eq(contributions.id, writer.id));
      await db.update(users).set({ storageLimitMB: 2 }).where(eq(users.id, organiser.user.id));
      await write(9);
      expect(await used()).toBe(0);
      expect(await writerOf(token).save(0)).toBe(1);
      await write(11);
      expect(await used()).toBe(1);
      expect(await writerOf(token).save(0)).toBe(1);
      await write(12);
      expect(await used()).toBe(2);
      const refused = await writerOf(token).put(0);
      expect([codeOf(refused), refused.status]).toEqual(['STORAGE_LIMIT_REACHED', 413]);
      expect(refused.text).toContain("There's no room for your words");
      // Less is never refused.
      expect(await writer.save(1, { letter: 'less' })).toBe(2);
      expect(await writerOf(token).save(0)).toBe(1);
    },
  );

  it('makes the server delete nothing of another draft to have room', async () => {
    const writer = writerOf(token);
    const file = pdf();
    const one = named(file);
    await writer.save(0, { files: [one] });
    await writer.upload(one, file.bytes);
    expectStatus(
      await organiser.delete(`/api/drafts/${draft}?base=${Number.MAX_SAFE_INTEGER}`),
      200,
    );
    const other = await newDraft(organiser);
    const stranger = writerOf(await newLink(organiser, other));
    const { db } = server.deps;
    await db.update(users).set({ storageLimitMB: 0 }).where(eq(users.id, organiser.user.id));
    const large = { ...named(file), bytes: 5 * MEGABYTE };
    await stranger.save(0, { files: [large] });
    expect(codeOf(await stranger.start(large))).toBe('STORAGE_LIMIT_REACHED');
    const kept = () => db.select().from(uploads).where(eq(uploads.id, one.id));
    expect(await kept()).toHaveLength(1);
    // The organiser's own call makes room.
    await organiser.put(`/api/drafts/${other}`, {
      base: 9e15,
      content: contentOf('x'.repeat(9_000)),
    });
    expect(await kept()).toEqual([]);
  });

  it('goes a week after its draft was discarded, unless that comes back', async () => {
    const { db } = server.deps;
    const writer = writerOf(token);
    const file = pdf();
    const one = named(file);
    await writer.save(0, { files: [one] });
    await writer.upload(one, file.bytes);
    const later = (days: number) => new Date(new Date(TODAY).getTime() + days * DAY_MS);
    server.clock.set(later(8).toISOString());
    await sweep(server.deps, GO_ON);
    expect((await writer.own()).arrived).toEqual([one.id]);
    const [{ revision } = { revision: 0 }] = await db
      .select()
      .from(drafts)
      .where(eq(drafts.id, draft));
    expectStatus(await organiser.delete(`/api/drafts/${draft}?base=${revision}`), 200);
    expect(codeOf(await writer.request('GET', writer.path))).toBe('CONTRIBUTION_NOT_FOUND');
    server.clock.set(later(14).toISOString());
    await sweep(server.deps, GO_ON);
    expect(
      await db.select().from(contributions).where(eq(contributions.id, writer.id)),
    ).toHaveLength(1);
    server.clock.set(later(16).toISOString());
    await sweep(server.deps, GO_ON);
    expect(await db.select().from(contributions).where(eq(contributions.id, writer.id))).toEqual(
      [],
    );
    expect(await db.select().from(uploads).where(eq(uploads.contributionId, writer.id))).toEqual(
      [],
    );
  });
});

describe('when the draft is sealed', () => {
  it('what others have added opens with it: the organiser first, then each in the order they came', async () => {
    const organiser = await newPerson('Anna');
    const mia = await newPerson('Mia');
    const draft = await newDraft(organiser);
    const token = await newLink(organiser, draft);
    const [album, poem, late] = [pdf('Album.pdf'), pdf('Poem.pdf', 'rhymes'), pdf('Late.pdf', 'x')];
    const grandpa = writerOf(token);
    const sister = writerOf(token);
    const silent = writerOf(token);
    const [of1, of2, of3, of4] = [named(poem), named(late), named(album), named(late)];
    await grandpa.save(0, { files: [of1, of2] });
    server.clock.advance({ ms: 5 });
    await sister.save(0, { name: 'Sister', letter: '', files: [of3] });
    await silent.save(0, { name: 'Silent', letter: '', files: [of4] });
    await sister.upload(of3, album.bytes);
    await grandpa.upload(of1, poem.bytes);
    expectStatus(await grandpa.start(of2), 201);

    const to = { recipientEmails: [mia.user.email] };
    const capsule = sealed(await sealDraft(organiser, draft, to, [pdf('Mine.pdf', 'mine')]));
    expect(capsule).toMatchObject({ mediaCount: 3, fileInfo: [], personalMessage: null });
    const added = [
      { name: 'Grandpa', hasLetter: true },
      { name: 'Sister', hasLetter: false },
    ];
    expect(capsule.added).toEqual(added);
    expect(capsule).not.toHaveProperty('contributions');
    // A repeat of the same request.
    const again = await sealDraft(organiser, draft, to, [pdf('Mine.pdf', 'mine')]);
    expect(sealed(again)).toEqual(capsule);
    for (const by of [organiser, mia]) {
      const locked = await read(by, capsule.id);
      expect(locked).toMatchObject({ locked: true, mediaCount: 3, fileInfo: [] });
      // Their names are its creator's to read, as on the draft.
      expect(locked.added).toEqual(by === organiser ? added : undefined);
      expect(locked).not.toHaveProperty('contributions');
    }

    expect(await grandpa.own()).toEqual({ state: 'sealed', arrived: [of1.id] });
    expect(await silent.own()).toEqual({ state: 'sealed', arrived: [] });
    for (const answer of [
      await grandpa.put(1, { letter: 'One more word' }),
      await grandpa.request('DELETE', grandpa.path),
      await grandpa.send(of2, late.bytes),
      await silent.start(of4),
      await writerOf(token).put(0),
      await writerOf(token).open(),
    ]) {
      expect(codeOf(answer)).toBe('CONTRIBUTION_TOO_LATE');
    }
    expectStatus(await organiser.delete(`/api/drafts/${draft}/contributions/${grandpa.id}`), 404);

    server.clock.set('2030-01-01T00:00:00Z');
    for (const by of [organiser, mia]) {
      const open = await read(by, capsule.id);
      expect(open.personalMessage).toBe('I was here.');
      expect(open.mediaCount).toBe(3);
      expect(open.fileInfo.map(({ fileName }) => fileName)).toEqual([
        'Mine.pdf',
        'Poem.pdf',
        'Album.pdf',
      ]);
      const [, second, third] = open.fileInfo.map(({ fileId }) => fileId);
      expect(open.contributions).toEqual([
        { id: grandpa.id, name: 'Grandpa', personalMessage: 'A blessing', fileIds: [second] },
        { id: sister.id, name: 'Sister', personalMessage: '', fileIds: [third] },
      ]);
      expect(open.contributors).toBe(2);
      expect(open).not.toHaveProperty('added');
      // Lists say how many there are, and have no letter or file of theirs.
      const list = await by.get(`/api/capsules/${by === mia ? 'received' : 'created'}`);
      const [listed] = capsulePageSchema.parse(list.json).capsules;
      expect(listed).toMatchObject({ id: open.id, contributors: 2, mediaCount: 3 });
      expect(listed?.fileInfo.map(({ fileName }) => fileName)).toEqual(['Mine.pdf']);
      expect(list.text).not.toMatch(/blessing|Grandpa|Poem/);
      const bytes = (await by.get(`/api/capsules/download/${third}`)).bytes;
      expect(sha256(bytes)).toBe(sha256(album.bytes));
      const archive = await unzip((await by.get('/user/export')).bytes);
      const json = JSON.parse(String(archive.get('time-capsule.json')));
      expect(json.received.concat(json.created)).toContainEqual(
        expect.objectContaining({ contributions: open.contributions }),
      );
      const paths = json.files.map(({ path }: { path: string }) => path.replace(/^.*\//, ''));
      expect(paths).toEqual(['01 Mine.pdf', '02 Poem.pdf', '03 Album.pdf']);
      expect(String(archive.get('index.html'))).toContain('<bdi>Sister</bdi>');
    }
    const miscounted = sql`select id from capsules c where (media_count, total_bytes)
      not in (select count(*), coalesce(sum(bytes), 0) from capsule_files where capsule_id = c.id)`;
    expect([...(await server.deps.db.execute(miscounted))]).toEqual([]);
    // Nobody but who can see the capsule.
    expectStatus(await (await newPerson()).get(`/api/capsules/${capsule.id}`), 404);
    expect(await grandpa.own()).toEqual({ state: 'sealed', arrived: [of1.id] });
  });

  it('nothing of what others have added is in any answer or email before the day', async () => {
    const organiser = await newPerson('Anna');
    const mia = await newPerson('Mia');
    const draft = await newDraft(organiser);
    const token = await newLink(organiser, draft);
    const writer = writerOf(token);
    const file = pdf(`${CANARY}.pdf`, CANARY);
    const one = named(file);
    await writer.save(0, { name: `N-${CANARY}`, letter: `L-${CANARY}`, files: [one] });
    await writer.upload(one, file.bytes);
    const to = { recipientEmails: [mia.user.email, organiser.user.email], notifyRecipient: true };
    const answer = await sealDraft(organiser, draft, to);
    const { id } = sealed(answer);
    const [row] = await server.deps.db.query.capsuleFiles.findMany({
      where: (files) => eq(files.capsuleId, id),
    });
    const canaries = [CANARY, writer.id, one.id, String(row?.id), sha256(file.bytes)];
    const stranger = writerOf(token);
    await expect
      .poll(() => server.mailer.sent.some((mail) => mail.to === mia.user.email))
      .toBe(true);
    // That it was added, and by whom, its organiser knows, and is told again.
    const told = await emailsTo(organiser);
    expect(JSON.stringify(told)).not.toMatch(new RegExp(`[^N]-${CANARY}|${CANARY}\\.pdf`));
    const mails = JSON.stringify(server.mailer.sent.filter((mail) => !told.includes(mail)));
    const unnamed = (text: string) => text.replaceAll(`N-${CANARY}`, '');
    const seen = [unnamed(answer.text), mails, (await stranger.open()).text];
    for (const by of [organiser, mia]) {
      for (const path of [
        ...['/user/me', `/api/capsules/${id}`, '/api/capsules/created', '/api/capsules/received'],
        ...['/api/capsules/dashboard-summary', '/api/capsules/opened', '/api/capsules/bin'],
        ...[`/api/capsules/${id}/calendar.ics`, `/api/capsules/${id}/notices`, '/api/drafts'],
        `/api/drafts/${draft}/contributions`,
        `/api/capsules/created?query=${CANARY}x`,
      ]) {
        const { text, headers } = await by.get(path);
        seen.push(by === organiser ? unnamed(text) : text, JSON.stringify([...headers]));
      }
      expectStatus(await by.get(`/api/capsules/download/${row?.id}`), 404);
      expectStatus(await by.get(`/api/capsules/download/${row?.id}/rendition?size=small`), 404);
    }
    for (const canary of canaries) expect(seen.join('\n')).not.toContain(canary);
  });

  it('has letters without characters that show nothing, and with their line ends', async () => {
    const organiser = await newPerson();
    const draft = await newDraft(organiser);
    const letter = 'Dear\u0001 Mia,\r\n\tI\u009b was\vhere.\u0000\u007f';
    const token = await newLink(organiser, draft, { words: letter });
    const writer = writerOf(token);
    await writer.save(0, { letter });
    // A repeat after a lost answer.
    expect(await writer.save(0, { letter })).toBe(1);
    const plain = 'Dear Mia,\r\n\tI was\nhere.';
    expect(await writer.own()).toMatchObject({ letter: plain });
    expect(answerOf(openContributionLink, await writer.open()).words).toBe(plain);
    const own = { personalMessage: letter, description: letter };
    const { id } = sealed(await sealDraft(organiser, draft, own));
    server.clock.set('2030-01-01T00:00:00Z');
    const open = await read(organiser, id);
    expect(open).toMatchObject({ personalMessage: plain, description: plain });
    expect(open.contributions).toMatchObject([{ personalMessage: plain }]);
  });

  rare('reads more letters than one page of them', async () => {
    const organiser = await newPerson();
    const draft = await newDraft(organiser);
    const { db } = server.deps;
    const token = await newLink(organiser, draft);
    await writerOf(token).save(0, { name: 'First' });
    const [row] = await db.select().from(contributions).where(eq(contributions.draftId, draft));
    if (!row) throw new Error('There is one.');
    const many = Array.from({ length: 30 }, (_, at) => ({
      ...{ ...row, id: randomUUID(), name: `Writer ${at}` },
      letter: at % 3 === 0 ? '' : String(at % 10).repeat(120_000),
      createdAt: new Date(row.createdAt.getTime() + 1 + Math.floor(at / 4)),
    }));
    await db.insert(contributions).values(many);
    const { id } = sealed(await sealDraft(organiser, draft));
    server.clock.set('2030-01-01T00:00:00Z');
    const open = await read(organiser, id);
    const byComing = many
      .filter(({ letter }) => letter !== '')
      .sort((a, b) => Number(a.createdAt) - Number(b.createdAt) || (a.id < b.id ? -1 : 1));
    expect(open.contributors).toBe(21);
    expect(open.contributions?.map(({ name }) => name)).toEqual([
      'First',
      ...byComing.map(({ name }) => name),
    ]);
    const archive = await unzip((await organiser.get('/user/export')).bytes);
    const json = JSON.parse(String(archive.get('time-capsule.json')));
    expect(json.created[0].contributions).toEqual(open.contributions);
    expect(
      String(archive.get('index.html')).match(/<span class="quiet">From<\/span>/g),
    ).toHaveLength(21);
  });

  it('a draft that an app seals by its key alone takes along what others have added', async () => {
    const organiser = await newPerson();
    const draft = await newDraft(organiser);
    const writer = writerOf(await newLink(organiser, draft));
    await writer.save(0);
    const { id } = sealed(await sealDraft(organiser, draft, { draft: undefined }));
    server.clock.set('2030-01-01T00:00:00Z');
    expect((await read(organiser, id)).contributions).toMatchObject([{ name: 'Grandpa' }]);
  });

  it('by fifty at once, each is in, or its writer is told that it came too late', async () => {
    const organiser = await newPerson('Organiser', limited);
    const draft = await newDraft(organiser);
    const token = await newLink(organiser, draft);
    // Each at an address of their own.
    const writers = Array.from(
      { length: 50 },
      (_, at) => new Writer(limited.url, token, { 'x-forwarded-for': `203.0.113.${at}` }),
    );
    const file = pdf();
    const told = new Map<string, string>();
    const write = async (writer: Writer, index: number) => {
      const one = named(file);
      const letter = `words of ${writer.id}`;
      const answer = await writer.put(0, { name: `Writer ${index}`, letter, files: [one] });
      if (answer.status === 200) {
        const started = await writer.start(one);
        if (started.status === 201) await writer.send(one, file.bytes);
        // As a device does after a lost answer.
        await writer.put(0, { name: `Writer ${index}`, letter, files: [one] });
      }
      told.set(writer.id, answer.status === 200 ? 'in' : String(codeOf(answer)));
    };
    await Promise.all(writers.slice(0, 10).map(write));
    const race = writers.slice(10, 45).map(async (writer, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 8));
      await write(writer, index);
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { id } = sealed(await sealDraft(organiser, draft));
    await Promise.all([...race, ...writers.slice(45).map(write)]);
    limited.clock.set('2030-01-01T00:00:00Z');
    const open = await read(organiser, id);
    const letters = open.contributions?.map(({ personalMessage }) => personalMessage) ?? [];
    const inIt = writers.filter((writer) => told.get(writer.id) === 'in');
    expect(letters.sort()).toEqual(inIt.map((writer) => `words of ${writer.id}`).sort());
    expect(new Set(told.values())).toEqual(new Set(['in', 'CONTRIBUTION_TOO_LATE']));
    let files = 0;
    for (const writer of inIt) {
      const own = await writer.own();
      expect(own.state).toBe('sealed');
      files += own.arrived.length;
    }
    expect(open.fileInfo).toHaveLength(files);
    const { db } = limited.deps;
    expect(await db.select().from(contributions).where(eq(contributions.draftId, draft))).toEqual(
      [],
    );
  });
});

rare('one address asks for so much, and others for theirs', async () => {
  const organiser = await newPerson('Organiser', limited);
  const token = await newLink(organiser, await newDraft(organiser));
  const from = (address: string) =>
    new Writer(limited.url, token, { 'x-forwarded-for': `198.51.100.${address}` });
  const [many, other] = [from('1'), from('2')];
  const statuses = new Set<number>();
  for (let calls = 0; calls < 601; calls += 1) statuses.add((await many.open()).status);
  expect(statuses).toEqual(new Set([200, 429]));
  const refused = await many.put(0);
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect(await other.save(0)).toBe(1);
});

describe('of the account of an organiser that is deleted', () => {
  const gone = async (organiser: SignedIn, capsules: string) => {
    const body = { password: organiser.password, capsules };
    expectStatus(await organiser.post('/user/delete-account', body), 200);
  };

  it('what others have added to a draft goes, and what is sealed stays with its capsule', async () => {
    const organiser = await newPerson();
    const mia = await newPerson('Mia');
    const [draft, waiting] = [await newDraft(organiser), await newDraft(organiser)];
    const file = pdf();
    const one = named(file);
    const inIt = writerOf(await newLink(organiser, draft));
    await inIt.save(0, { files: [one] });
    await inIt.upload(one, file.bytes);
    const lost = writerOf(await newLink(organiser, waiting));
    await lost.save(0);
    const to = { recipientEmails: [mia.user.email] };
    const { id } = sealed(await sealDraft(organiser, draft, to));
    await gone(organiser, 'deliver');
    expect(codeOf(await lost.request('GET', lost.path))).toBe('CONTRIBUTION_NOT_FOUND');
    expect(codeOf(await inIt.put(1, { letter: 'more' }))).toBe('CONTRIBUTION_TOO_LATE');
    server.clock.set('2030-01-01T00:00:00Z');
    expect((await read(mia, id)).contributions).toMatchObject([{ name: 'Grandpa' }]);
  });
});
