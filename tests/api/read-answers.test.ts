import { beforeAll, expect, it } from 'vitest';
import type { Capsule } from '../../shared/api/capsules.ts';
import { tellRead } from '../../shared/api/opened.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

/** In Auckland it is already the second day of the year. */
const NOW = '2030-01-01T12:00:00Z';
const server = sharedServer({ clock: '2029-12-20T12:00:00Z' });
let ada: SignedIn;
let grace: SignedIn;
let mia: SignedIn;
let letter: Capsule;
let quiet: Capsule;
let own: Capsule;
let locked: Capsule;

beforeAll(async () => {
  const people = ['Ada', 'Grace', 'Mia'].map((name) => signUp(server.url, name));
  [ada, grace, mia] = (await Promise.all(people)) as [SignedIn, SignedIn, SignedIn];
  const recipientEmails = [grace.user.email, mia.user.email];
  letter = await seal(ada, grace, { title: 'For both', recipientEmails });
  quiet = await seal(ada, grace, { title: 'Told of nothing' });
  own = await seal(grace, grace, { title: 'To myself' });
  locked = await seal(ada, grace, { title: 'Locked', dateToUnlock: '2031-01-01' });
});

async function answer(by: SignedIn, { id }: Capsule, body: object): Promise<string | null> {
  return answerOf(tellRead, await by.put(`/api/capsules/${id}/read`, body)).openedOn;
}

async function seenBy(person: SignedIn, { id }: Capsule) {
  const { recipients = [], asksToTell } = (await person.get(`/api/capsules/${id}`)).json as Capsule;
  return { days: recipients.map(({ openedOn }) => openedOn), asksToTell };
}

it('asks nobody before the day, and an answer changes nothing then', async () => {
  expect(await answer(grace, letter, { tell: true })).toBeNull();
  expect((await seenBy(grace, letter)).asksToTell).toBe(false);
  expect(await seenBy(ada, letter)).toEqual({ days: [undefined, undefined], asksToTell: false });
});

it('after the day, only a yes shows the reader’s day, to the creator alone', async () => {
  server.clock.set(NOW);
  expect((await seenBy(grace, letter)).asksToTell).toBe(true);
  // To have looked says nothing.
  await grace.put(`/api/capsules/${letter.id}/seen`);
  expect((await seenBy(ada, letter)).days).toEqual([undefined, undefined]);

  const yes = { tell: true, timeZone: 'Pacific/Auckland' };
  expect(await answer(grace, letter, yes)).toBe('2030-01-02');
  expect(await seenBy(ada, letter)).toEqual({ days: ['2030-01-02', undefined], asksToTell: false });
  expect(await seenBy(grace, letter)).toEqual({
    days: ['2030-01-02', undefined],
    asksToTell: false,
  });
  expect(await seenBy(mia, letter)).toEqual({ days: [undefined, undefined], asksToTell: true });

  // The first day stays, and a no takes it back.
  server.clock.advance({ days: 3 });
  expect(await answer(grace, letter, yes)).toBe('2030-01-02');
  expect(await answer(grace, letter, { tell: false })).toBeNull();
  expect((await seenBy(ada, letter)).days).toEqual([undefined, undefined]);
});

it('a no is not asked again, and shows nothing', async () => {
  expect(await answer(grace, quiet, { tell: false })).toBeNull();
  expect((await seenBy(grace, quiet)).asksToTell).toBe(false);
  expect((await seenBy(ada, quiet)).days).toEqual([undefined]);
});

it('is no question of a letter to oneself, of a locked capsule, or of one that was not received', async () => {
  expect((await seenBy(grace, own)).asksToTell).toBe(false);
  expect(await answer(grace, own, { tell: true })).toBeNull();
  expect((await seenBy(grace, own)).days).toEqual([undefined]);
  expect(await answer(grace, locked, { tell: true })).toBeNull();
  expect((await seenBy(ada, locked)).days).toEqual([undefined]);
  const { id } = quiet;
  expect((await mia.put(`/api/capsules/${id}/read`, { tell: true })).status).toBe(404);
  expect((await ada.put(`/api/capsules/${id}/read`, { tell: true })).status).toBe(404);
});

it('"always" and "never" are kept for the person, and changed with their other choices', async () => {
  const choice = async () => ((await mia.get('/user/notices')).json as { read: string }).read;
  expect(await choice()).toBe('ask');
  await answer(mia, letter, { tell: true, remember: true });
  expect(await choice()).toBe('always');
  const others = { waiting: true, opened: true };
  await mia.put('/user/notices', { ...others, read: 'never' });
  expect(await choice()).toBe('never');
  await mia.put('/user/notices', others);
  expect(await choice()).toBe('never');
  await mia.put('/user/notices', { ...others, read: 'ask' });
  expect(await choice()).toBe('ask');
});
