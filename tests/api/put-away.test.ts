import { beforeAll, expect, it } from 'vitest';
import { type Capsule, type CapsulePage, setHidden } from '../../shared/api/capsules.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer({ clock: '2029-12-20T12:00:00Z' });
let ada: SignedIn;
let grace: SignedIn;
let first: Capsule;
let second: Capsule;
let own: Capsule;

beforeAll(async () => {
  [ada, grace] = await Promise.all([signUp(server.url, 'Ada'), signUp(server.url, 'Grace')]);
  first = await seal(ada, grace, { title: 'First' });
  second = await seal(ada, grace, { title: 'Second', dateToUnlock: '2029-12-24' });
  own = await seal(grace, grace, { title: 'Own', dateToUnlock: '2030-06-01' });
});

async function put(by: SignedIn, { id }: { id: string }, hidden: boolean): Promise<void> {
  const answer = await by.put(`/api/capsules/${id}/hidden`, { hidden });
  expect(answerOf(setHidden, answer)).toEqual({ hidden });
}

async function page(by: SignedIn, query = '', type = 'received'): Promise<CapsulePage> {
  return (await by.get(`/api/capsules/${type}?${query}`)).json as CapsulePage;
}

async function list(by: SignedIn, query = '', type = 'received'): Promise<string[]> {
  const { capsules, pagination } = await page(by, query, type);
  expect(pagination.totalItems).toBe(capsules.length);
  return capsules.map(({ title }) => title);
}

async function figures(by: SignedIn) {
  return (await by.get('/api/capsules/dashboard-summary?year=2029')).json as {
    monthlyStats: { received: number }[];
    nextUnlocks: { title: string }[];
  };
}

it('leaves the list, its count, its search and the figures, and comes back to them', async () => {
  expect(await list(grace)).toEqual(['Own', 'Second', 'First']);
  await put(grace, second, true);
  await put(grace, second, true);
  expect(await list(grace)).toEqual(['Own', 'First']);
  expect(await list(grace, 'query=second')).toEqual([]);
  expect(await list(grace, 'hidden=true')).toEqual(['Second']);
  expect((await page(grace)).hiddenItems).toBe(1);
  expect(await list(grace, 'hidden=true&query=first')).toEqual([]);
  const found = await figures(grace);
  expect(found).toMatchObject({
    totalCapsules: 2,
    createdCapsules: 1,
    receivedCapsules: 2,
    lockedCapsules: 2,
    upcomingUnlocks: { thisWeek: 0, thisMonth: 1 },
  });
  expect(found.nextUnlocks.map(({ title }) => title)).toEqual(['First', 'Own']);
  expect(found.monthlyStats[11]?.received).toBe(2);
  const profile = await ada.get(`/community/public-profile?userId=${grace.user.id}`);
  expect(profile.json).toMatchObject({ receivedCapsulesCount: 2 });

  await put(grace, second, false);
  expect(await list(grace)).toEqual(['Own', 'Second', 'First']);
  expect(await figures(grace)).toMatchObject({ receivedCapsules: 3, lockedCapsules: 3 });
});

it('changes nothing for its sender, and a letter to oneself stays a created one', async () => {
  await put(grace, first, true);
  await put(grace, own, true);
  expect(await list(ada, '', 'created')).toEqual(['Second', 'First']);
  expect(await list(grace, '', 'created')).toEqual(['Own']);
  expect(await figures(grace)).toMatchObject({
    totalCapsules: 2,
    createdCapsules: 1,
    receivedCapsules: 1,
    lockedCapsules: 2,
    nextUnlocks: [{ title: 'Second' }],
  });
  await put(grace, first, false);
  await put(grace, own, false);
});

it('opens on its day all the same, and its details say where it is', async () => {
  await put(grace, first, true);
  server.clock.set('2030-01-01T12:00:00Z');
  const { json } = await grace.get(`/api/capsules/${first.id}`);
  expect(json).toMatchObject({ locked: false, personalMessage: 'I was here.', hidden: true });
  expect((await ada.get(`/api/capsules/${first.id}`)).json).toMatchObject({ hidden: false });
});

it('is for its recipients alone', async () => {
  for (const [by, id] of [
    [ada, first.id],
    [ada, own.id],
    [grace, 'not-an-id'],
  ] as const) {
    const answer = await by.put(`/api/capsules/${id}/hidden`, { hidden: true });
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ code: 'CAPSULE_NOT_FOUND' });
  }
  const wrong = await grace.put(`/api/capsules/${first.id}/hidden`, { hidden: 'yes' });
  expect(wrong.json).toMatchObject({ errors: { hidden: 'Hidden must be true or false' } });
});

it('lists by opening day, and by what is sealed or opened, over all pages', async () => {
  server.clock.set('2030-02-20T12:00:00Z');
  const [from, to] = await Promise.all([signUp(server.url, 'From'), signUp(server.url, 'To')]);
  for (const [title, dateToUnlock] of [
    ['March', '2030-03-01'],
    ['May', '2030-05-01'],
    ['April', '2030-04-01'],
  ] as const) {
    await seal(from, to, { title, dateToUnlock });
  }
  server.clock.set('2030-03-15T12:00:00Z');
  for (const [by, type] of [
    [from, 'created'],
    [to, 'received'],
  ] as const) {
    expect(await list(by, 'view=opening', type)).toEqual(['March', 'April', 'May']);
    expect(await list(by, 'view=sealed', type)).toEqual(['April', 'May']);
    expect(await list(by, 'view=opening&query=ma', type)).toEqual(['March', 'May']);
  }
  // It waits to be looked at by its recipient alone.
  expect(await list(to, 'view=ready')).toEqual(['March']);
  expect(await list(to, 'view=opened')).toEqual([]);
  expect(await list(from, 'view=ready', 'created')).toEqual([]);
  expect(await list(from, 'view=opened', 'created')).toEqual(['March']);
  expect((await to.get('/api/capsules/received?view=other')).status).toBe(400);
});
