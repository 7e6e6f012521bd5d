import { beforeEach, expect, it } from 'vitest';
import { type Opened, openedSchema } from '../../shared/api/opened.ts';
import { NEWLY_OPENED_MAX } from '../../shared/limits.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
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
async function opened(by: SignedIn, since = BEFORE): Promise<Opened> {
  const answer = await by.get(`/api/capsules/opened?since=${encodeURIComponent(since)}`);
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.json as object).toSorted()).toEqual(['asOf', 'ids']);
  return openedSchema.parse(answer.json);
}

it('names what a person created or received once its instant has come, not one second before', async () => {
  const sent = await seal(ada, grace);
  const later = await seal(ada, grace, { dateToUnlock: '2030-01-02' });
  server.clock.set('2029-12-31T23:59:58Z');
  expect((await opened(grace)).ids).toEqual([]);
  server.clock.set('2030-01-01T00:00:00Z');
  for (const by of [ada, grace]) expect((await opened(by)).ids).toEqual([sent.id]);
  server.clock.set('2030-01-02T00:00:00Z');
  for (const by of [ada, grace]) expect((await opened(by)).ids).toEqual([later.id, sent.id]);
});

it('names a letter to oneself once, and nothing to a stranger', async () => {
  const own = await seal(ada, ada);
  server.clock.set('2030-01-01T12:00:00Z');
  expect((await opened(ada)).ids).toEqual([own.id]);
  expect((await opened(grace)).ids).toEqual([]);
});

it('counts from the instant that is asked from, itself left out', async () => {
  await seal(ada, grace);
  server.clock.set('2030-01-01T12:00:00Z');
  expect((await opened(ada, '2029-12-31T23:59:59.999Z')).ids).toHaveLength(1);
  expect((await opened(ada, '2030-01-01T00:00:00Z')).ids).toEqual([]);
  expect((await opened(ada, '9999-12-31T23:59:59Z')).ids).toEqual([]);
});

it('gives without an instant the one to ask from, by the server’s clock', async () => {
  await seal(ada, grace);
  server.clock.set('2030-01-01T12:00:00Z');
  const first = openedSchema.parse((await ada.get('/api/capsules/opened')).json);
  expect(first.ids).toEqual([]);
  expect(first.asOf.slice(0, 16)).toBe('2030-01-01T12:00');
  expect((await opened(ada, first.asOf)).ids).toEqual([]);
});

it('looks back 30 days at most, however long ago it is asked from', async () => {
  await seal(ada, grace);
  // In steps that keep her signed in.
  for (const day of ['10', '30']) {
    server.clock.set(`2030-01-${day}T12:00:00Z`);
    expect((await opened(ada, '0000-01-01T00:00:00Z')).ids).toHaveLength(1);
  }
  server.clock.set('2030-01-31T12:00:00Z');
  expect((await opened(ada, '0000-01-01T00:00:00Z')).ids).toEqual([]);
});

it('names a hundred at most, the last that opened', async () => {
  const first = await seal(ada, grace, { dateToUnlock: '2029-12-31' });
  for (let count = 0; count < NEWLY_OPENED_MAX; count += 1) await seal(ada, grace);
  server.clock.set('2030-01-01T12:00:00Z');
  const { ids } = await opened(grace);
  expect(ids).toHaveLength(NEWLY_OPENED_MAX);
  expect(ids).not.toContain(first.id);
});

it('forgets what its creator has deleted', async () => {
  const sent = await seal(ada, grace);
  server.clock.set('2030-01-01T12:00:00Z');
  await ada.delete(`/api/capsules/${sent.id}`);
  expect((await opened(grace)).ids).toEqual([]);
});

it.each([
  'yesterday',
  '2030-01-01',
  '2030-02-30T00:00:00Z',
  '2030-01-01T00:00:00+02:00',
  '%00',
  '',
])('refuses %j for an instant', async (since) => {
  const answer = await ada.get(`/api/capsules/opened?since=${encodeURIComponent(since)}`);
  expect(answer.status).toBe(400);
  expect(answer.json).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: { since: 'Since must be an instant in UTC, as 2030-01-01T00:00:00Z' },
  });
});
