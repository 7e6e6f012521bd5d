import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Capsule, getCapsule, getDashboardSummary } from '../../shared/api/capsules.ts';
import type { Endpoint } from '../../shared/api/endpoint.ts';
import { ENDPOINTS } from '../../shared/api/index.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { IDEMPOTENCY_HEADER } from '../../shared/limits.ts';
import { capsuleFields, seal } from '../support/capsules.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { pdf, photo, sha256 } from '../support/fixtures.ts';
import { forgetZone } from '../support/forget-zone.ts';
import { sharedServer } from '../support/server.ts';

const CANARY = 'canary-in-a-mine';

const server = sharedServer({ clock: '2029-12-20T12:00:00Z' });
let creator: SignedIn;
let recipient: SignedIn;

beforeAll(async () => {
  [creator, recipient] = [
    await signUp(server.url, 'Creator'),
    await signUp(server.url, 'Recipient'),
  ];
});

/** Whatever can be read, with this id in the place of each. */
const readBy = (id: string) =>
  (Object.values(ENDPOINTS) as Endpoint[])
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path.replace(/:\w+/g, id));

async function everythingSeen(by: SignedIn, id: string): Promise<string> {
  const paths = [
    ...readBy(id),
    '/api/capsules/created?page=1&limit=50',
    '/api/capsules/received?page=1&limit=50',
    `/api/capsules/created?query=${CANARY}`,
    `/api/capsules/received?query=${CANARY}`,
    '/api/capsules/dashboard-summary?year=2029',
    '/api/capsules/dashboard-summary?year=2030',
    '/api/capsules/opened?since=2029-12-01T00:00:00Z',
    `/community/search-profile?query=${CANARY}`,
    `/community/public-profile?userId=${creator.user.id}`,
  ];
  const answers = await Promise.all(paths.map((path) => by.get(path)));
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  return answers.map((answer) => answer.text + JSON.stringify([...answer.headers])).join('\n');
}

it('the months of a dashboard are those of a zone that the database need not know', async () => {
  const months = async (zone: string) => {
    const path = `/api/capsules/dashboard-summary?year=2029&timeZone=${zone.replaceAll('+', '%2B')}`;
    const { monthlyStats } = answerOf(getDashboardSummary, await creator.get(path));
    return monthlyStats.filter(({ created }) => created > 0).map(({ month }) => month);
  };
  server.clock.set('2029-12-01T04:30:00Z');
  const { id } = await seal(creator, recipient);
  expect(await months('Europe/Berlin')).toEqual(['2029-12']);
  expect(await months('America/New_York')).toEqual(['2029-11']);
  // Five hours behind, by a name that PostgreSQL writes only in its own way.
  expect(await months('etc/gmt+5')).toEqual(['2029-11']);
  // Zones that the server does not know: by the offset beside them, else in UTC.
  expect(await months('America/Not_Yet&utcOffset=-300')).toEqual(['2029-11']);
  expect(await months('America/Not_Yet')).toEqual(['2029-12']);
  expect(await months('America/Not_Yet&utcOffset=x')).toEqual(['2029-12']);
  expect(await months('Europe/Berlin&utcOffset=-300')).toEqual(['2029-12']);
  await creator.delete(`/api/capsules/${id}`);
  server.clock.set('2029-12-20T12:00:00Z');
});

describe('a locked capsule', () => {
  it('shows nobody what is inside, its creator included, on any call or in any mail', async () => {
    const files = [await photo(`${CANARY}.jpg`), pdf(`${CANARY}.pdf`, CANARY)];
    const change = { personalMessage: `a ${CANARY} sings`, notifyRecipient: true };
    const answer = await creator.createCapsule(capsuleFields(recipient, change), files);
    expect(answer.status).toBe(201);
    const capsule = answer.json as Capsule;
    expect(capsule).toMatchObject({
      locked: true,
      personalMessage: null,
      fileInfo: [],
      mediaCount: 2,
    });
    await expect
      .poll(() => server.mailer.sent.some((mail) => mail.to === recipient.user.email))
      .toBe(true);

    const seen = [
      answer.text,
      await everythingSeen(creator, capsule.id),
      await everythingSeen(recipient, capsule.id),
      JSON.stringify(server.mailer.sent),
    ].join('\n');
    expect(seen).not.toContain(`${CANARY} sings`);
    expect(seen).not.toContain(`${CANARY}.`);
    for (const file of files) expect(seen).not.toContain(sha256(file.bytes));
  });

  it('opens at its instant and not one second before [4.lock.1]', async () => {
    const { id } = await seal(creator, recipient, { timeZone: 'Pacific/Kiritimati' });
    const look = async (by: SignedIn) => answerOf(getCapsule, await by.get(`/api/capsules/${id}`));
    // Midnight of 1 January 2030 on Kiritimati, 14 hours ahead of UTC.
    server.clock.set('2029-12-31T09:59:59Z');
    expect((await look(recipient)).locked).toBe(true);
    expect((await look(creator)).personalMessage).toBeNull();
    server.clock.set('2029-12-31T10:00:00Z');
    expect(await look(recipient)).toMatchObject({ locked: false, personalMessage: 'I was here.' });
    expect(await look(creator)).toMatchObject({ locked: false, personalMessage: 'I was here.' });
    server.clock.set('2029-12-20T12:00:00Z');
  });

  it('does not listen to what a caller says of the time', async () => {
    const fields = {
      ...capsuleFields(recipient),
      unlocked: true,
      locked: false,
      unlockAt: '2000-01-01T00:00:00Z',
      createdAt: '2000-01-01T00:00:00Z',
      id: '00000000-0000-4000-8000-000000000000',
      createdBy: 'Somebody else',
    };
    const capsule = (await creator.createCapsule(fields)).json as Capsule;
    expect(capsule).toMatchObject({ locked: true, createdBy: 'Creator' });
    expect(capsule.id).not.toBe(fields.id);
    const headers = { date: 'Tue, 01 Jan 2030 00:00:00 GMT' };
    const asked = await recipient.get(`/api/capsules/${capsule.id}?now=2030-01-01`, headers);
    expect(answerOf(getCapsule, asked).locked).toBe(true);
  });

  it.each(['PUT', 'PATCH'])('has no %s: nobody moves a date', async (method) => {
    const { id } = await seal(creator, recipient);
    const json = { dateToUnlock: '2029-12-21' };
    expect((await creator.request(method, `/api/capsules/${id}`, { json })).status).toBe(404);
  });

  it('answers a download as if there were no such file', async () => {
    const sealed = await seal(creator, recipient, {}, [await photo()]);
    const [row] = await server.deps.db.query.capsuleFiles.findMany({
      where: (file, { eq }) => eq(file.capsuleId, sealed.id),
    });
    const path = `/api/capsules/download/${row?.id}`;
    const missing = await recipient.get(
      '/api/capsules/download/00000000-0000-4000-8000-000000000000',
    );
    expect(missing.status).toBe(404);
    for (const by of [creator, recipient]) {
      const tries = [
        await by.get(path),
        await by.get(path, { range: 'bytes=0-9' }),
        await by.get(path, { 'if-none-match': `"${row?.sha256}"` }),
      ];
      for (const answer of tries) {
        expect([answer.status, answer.text]).toEqual([404, missing.text]);
        expect(answer.headers.get('etag')).toBeNull();
        expect(answer.headers.get('content-range')).toBeNull();
      }
      const head = await by.request('HEAD', path);
      expect([head.status, head.headers.get('etag')]).toEqual([404, null]);
    }
  });
});

describe('the unlock day', () => {
  const create = (dateToUnlock: unknown, timeZone = 'UTC') =>
    creator.createCapsule({ ...capsuleFields(recipient), dateToUnlock, timeZone });

  it.each([
    '2029-12-20',
    '2029-12-19',
    '2026-02-30',
    '10000-01-01',
    '2129-12-21',
    '2029-12-21T00:00:00Z',
    ['2029-12-21'],
    null,
  ])('cannot be %j', async (day) => {
    const answer = await create(day);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ errors: { dateToUnlock: expect.any(String) } });
  });

  it('can be tomorrow, and at most a hundred years ahead [5.create.3 9.limits.12]', async () => {
    expect((await create('2029-12-21')).status).toBe(201);
    expect((await create('2129-12-20')).status).toBe(201);
  });

  it('of a zone that the server does not know is that of its offset, and stays it', async () => {
    const here = creator;
    const send = (change: object, key: string = randomUUID()) =>
      here.createCapsule({ ...capsuleFields(recipient), ...change }, [], {
        [IDEMPOTENCY_HEADER]: key,
      });
    const stop = forgetZone('Pacific/Apia');
    onTestFinished(stop);
    const wanted = { timeZone: 'Pacific/Apia', utcOffset: 13 * 60 };
    const key = randomUUID();
    const sealed = answerOf(createCapsule, await send(wanted, key));
    expect([sealed.timeZone, sealed.unlockAt]).toEqual(['+13:00', '2029-12-31T11:00:00.000Z']);
    const halfHour = await send({ timeZone: 'Asia/Not_Yet', utcOffset: -210 });
    expect(halfHour.json).toMatchObject({ timeZone: '-03:30' });
    // It is 12:00 on the twentieth in UTC, and already the next day there.
    expect((await send({ ...wanted, dateToUnlock: '2029-12-21' })).status).toBe(400);
    for (const utcOffset of [undefined, null, 14 * 60 + 1, -721, 0.5, '780', 1e99]) {
      const refused = await send({ ...wanted, utcOffset });
      expect(refused.json).toMatchObject({ errors: { timeZone: 'Unknown time zone' } });
    }
    // The server learns the name: what was promised stays, and a repeat is still a repeat.
    stop();
    expect(answerOf(createCapsule, await send(wanted, key))).toEqual(sealed);
    const known = answerOf(createCapsule, await send({ ...wanted, utcOffset: 0 }));
    expect([known.timeZone, known.unlockAt]).toEqual(['Pacific/Apia', '2029-12-31T11:00:00.000Z']);
  });

  it('is judged where the creator is [9.limits.12]', async () => {
    // It is 12:00 on the twentieth in UTC: already the next day on Kiritimati.
    expect((await create('2029-12-21', 'Pacific/Kiritimati')).status).toBe(400);
    expect((await create('2029-12-22', 'Pacific/Kiritimati')).status).toBe(201);
  });
});
