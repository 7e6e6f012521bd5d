import { beforeEach, expect, it } from 'vitest';
import { type Opened, openedSchema } from '../../shared/api/opened.ts';
import { READY_MAX } from '../../shared/limits.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { rare } from '../support/rare.ts';
import { sharedServer } from '../support/server.ts';

const BEFORE = '2029-12-20T12:00:00.000Z';

const server = sharedServer({ clock: BEFORE });
let ada: SignedIn;
let grace: SignedIn;
let people = 0;
beforeEach(async () => {
  server.clock.set(BEFORE);
  people += 1;
  [ada, grace] = await Promise.all([
    signUp(server.url, `Ada ${people}`),
    signUp(server.url, `Grace ${people}`),
  ]);
});

/** Strict: nothing but what the contract names. */
async function opened(by: SignedIn): Promise<Opened> {
  const answer = await by.get('/api/capsules/opened');
  expect(answer.status).toBe(200);
  const { capsules } = answer.json as Opened;
  for (const capsule of capsules) {
    expect(Object.keys(capsule).toSorted()).toEqual([
      'createdAt',
      'dateToUnlock',
      'id',
      'senderId',
      'senderName',
      'title',
      'unlockAt',
    ]);
  }
  return openedSchema.parse(answer.json);
}

const ids = async (by: SignedIn) => (await opened(by)).capsules.map(({ id }) => id);
const look = (by: SignedIn, id: string) => by.put(`/api/capsules/${id}/seen`);

it('names what a person received once its instant has come, not one second before', async () => {
  const sent = await seal(ada, grace);
  const later = await seal(ada, grace, { dateToUnlock: '2030-01-02' });
  server.clock.set('2029-12-31T23:59:58Z');
  expect(await opened(grace)).toEqual({ total: 0, capsules: [] });
  server.clock.set('2030-01-01T00:00:00Z');
  expect(await opened(grace)).toEqual({
    total: 1,
    capsules: [
      {
        id: sent.id,
        title: 'For later',
        senderId: ada.user.id,
        senderName: ada.user.name,
        createdAt: sent.createdAt,
        unlockAt: '2030-01-01T00:00:00.000Z',
        dateToUnlock: '2030-01-01',
      },
    ],
  });
  server.clock.set('2030-01-02T00:00:00Z');
  expect(await ids(grace)).toEqual([later.id, sent.id]);
  // It has opened for its recipients; its creator knows what is in it.
  expect(await ids(ada)).toEqual([]);
});

it('names a letter to oneself once, and nothing to a stranger', async () => {
  const own = await seal(ada, ada);
  server.clock.set('2030-01-01T12:00:00Z');
  expect(await ids(ada)).toEqual([own.id]);
  expect(await ids(grace)).toEqual([]);
});

it('names it until it is seen, on every device, however long that takes', async () => {
  const sent = await seal(ada, grace);
  server.clock.set('2030-01-10T12:00:00Z');
  const list = async (view: string) =>
    ((await grace.get(`/api/capsules/received?view=${view}`)).json as { capsules: unknown[] })
      .capsules.length;
  const isReady = async () =>
    ((await grace.get(`/api/capsules/${sent.id}`)).json as { ready: boolean }).ready;
  expect([await isReady(), await list('ready'), await list('opened')]).toEqual([true, 1, 0]);
  expect(await ids(grace)).toEqual([sent.id]);
  expect((await look(grace, sent.id)).json).toEqual({ seen: true });
  expect((await look(grace, sent.id)).json).toEqual({ seen: true });
  expect(await ids(grace)).toEqual([]);
  expect([await isReady(), await list('ready'), await list('opened')]).toEqual([false, 0, 1]);
});

it('announces what was put away all the same', async () => {
  const sent = await seal(ada, grace);
  await grace.put(`/api/capsules/${sent.id}/hidden`, { hidden: true });
  server.clock.set('2030-01-01T12:00:00Z');
  expect(await ids(grace)).toEqual([sent.id]);
});

it('counts no more what was put away after it had opened, without taking it for seen', async () => {
  const sent = await seal(ada, grace);
  const putAway = (hidden: boolean) => grace.put(`/api/capsules/${sent.id}/hidden`, { hidden });
  server.clock.set('2030-01-01T00:00:00Z');
  await putAway(true);
  expect(await opened(grace)).toEqual({ total: 0, capsules: [] });
  expect((await grace.get(`/api/capsules/${sent.id}`)).json).toMatchObject({ ready: true });
  await putAway(false);
  expect(await ids(grace)).toEqual([sent.id]);
});

it('takes a look for none while the capsule is locked', async () => {
  const sent = await seal(ada, grace);
  expect((await look(grace, sent.id)).json).toEqual({ seen: false });
  server.clock.set('2030-01-01T12:00:00Z');
  expect(await ids(grace)).toEqual([sent.id]);
});

it('takes a look of its recipients alone', async () => {
  const sent = await seal(ada, grace);
  server.clock.set('2030-01-01T12:00:00Z');
  for (const [by, id] of [
    [ada, sent.id],
    [grace, 'not-an-id'],
  ] as const) {
    expect((await look(by, id)).status).toBe(404);
  }
});

rare('names a hundred at most, the last that opened, and counts all', async () => {
  const first = await seal(ada, grace, { dateToUnlock: '2029-12-31' });
  for (let count = 0; count < READY_MAX; count += 1) await seal(ada, grace);
  server.clock.set('2030-01-01T12:00:00Z');
  const { total, capsules } = await opened(grace);
  expect([total, capsules.length]).toEqual([READY_MAX + 1, READY_MAX]);
  expect(capsules.map(({ id }) => id)).not.toContain(first.id);
});

it('forgets what its creator has deleted', async () => {
  const sent = await seal(ada, grace);
  server.clock.set('2030-01-01T12:00:00Z');
  await ada.delete(`/api/capsules/${sent.id}`);
  expect(await ids(grace)).toEqual([]);
});
