import { expect, it } from 'vitest';
import { listNotices } from '../../shared/api/notices.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer({ clock: '2029-12-20T12:00:00Z', config: { rateLimits: true } });

const sentTo = (person: { user: { email: string } }) =>
  server.mailer.sent.filter(({ to }) => to === person.user.email);

it('who has had many emails within an hour gets the next ones together', async () => {
  const people = ['Mary', 'Bob', 'Iris'].map((name) => signUp(server.url, name));
  const [mary, bob, iris] = (await Promise.all(people)) as [SignedIn, SignedIn, SignedIn];
  for (let count = 1; count <= 10; count += 1) {
    await seal(mary, iris, { notifyRecipient: true });
    await expect.poll(() => sentTo(iris).length).toBe(count);
  }
  const ids: string[] = [];
  for (const title of ['Rain', 'Snow', 'Wind']) {
    ids.push((await seal(bob, iris, { title, notifyRecipient: true })).id);
  }
  const states = () =>
    Promise.all(
      ids.map(async (id) => {
        const answer = await bob.get(`/api/capsules/${id}/notices`);
        return answerOf(listNotices, answer).notices.map(({ state }) => state);
      }),
    );
  // Somebody else's email shows that the ones before it have been looked at.
  await seal(bob, mary, { notifyRecipient: true });
  await expect.poll(() => sentTo(mary).length).toBe(1);
  expect(await states()).toEqual([['queued'], ['queued'], ['queued']]);

  await server.deps.limits.forget('noticeToOne', `capsule-waiting ${iris.user.id}`);
  server.clock.advance({ minutes: 61 });
  server.deps.mailQueued();
  await expect.poll(states).toEqual([['sent'], ['sent'], ['sent']]);
  const told = sentTo(iris).slice(10);
  expect(told.map(({ subject }) => subject)).toEqual(['3 time capsules are waiting for you']);
  for (const title of ['Rain', 'Snow', 'Wind']) expect(told[0]?.text).toContain(title);
});

it('a capsule that was deleted counts towards the emails its creator may cause', async () => {
  const [ada, grace] = [await signUp(server.url, 'Ada'), await signUp(server.url, 'Grace')];
  for (let count = 1; count <= 10; count += 1) {
    const { id } = await seal(ada, grace, { notifyRecipient: true });
    await expect.poll(() => sentTo(grace).length).toBe(count);
    expect((await ada.delete(`/api/capsules/${id}`)).status).toBe(200);
  }
  const { id } = await seal(ada, grace, { notifyRecipient: true });
  expect((await ada.get(`/api/capsules/${id}/notices`)).json).toEqual({ notices: [] });
  expect((await grace.get(`/api/capsules/${id}`)).status).toBe(200);
});
