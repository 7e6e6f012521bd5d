import { expect, it } from 'vitest';
import { seal } from '../support/capsules.ts';
import { createClient, signUp } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = sharedServer({ clock: '2029-12-20T12:00:00Z' });

/** What somebody gets who has chosen nothing. */
const ALL = {
  waiting: true,
  opened: true,
  reminder: true,
  read: 'ask',
  addressCheck: true,
};

const mailsTo = (email: string) => server.mailer.sent.filter(({ to }) => to === email);
const received = (email: string, count: number) =>
  until(async () => (mailsTo(email).length >= count ? mailsTo(email) : null));

it('the link in a notice turns off notices of its kind, by one call without a cookie', async () => {
  const ada = await signUp(server.url, 'Ada Lovelace');
  const grace = await signUp(server.url, 'Grace Hopper');
  await seal(ada, grace, { recipientEmails: [grace.user.email], notifyRecipient: true });
  const [waiting] = await received(grace.user.email, 1);
  const url = waiting?.turnOffUrl ?? '';
  expect(url).toContain('/notices/off?token=');
  // The reader's own link keeps the token out of logs.
  expect(waiting?.text).toContain(`Turn these emails off:\n${url.replace('?', '#')}`);
  // As mail programs call it.
  const answer = await fetch(url, {
    method: 'POST',
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect([answer.status, await answer.json()]).toEqual([200, { kind: 'capsule-waiting' }]);
  expect((await grace.get('/user/notices')).json).toEqual({
    ...ALL,
    waiting: false,
  });

  await seal(ada, grace, { recipientEmails: [grace.user.email], notifyRecipient: true });
  server.clock.set('2030-01-01T00:00:00Z');
  await server.announce();
  const all = await received(grace.user.email, 3);
  expect(all.map(({ kind }) => kind)).toEqual([
    'capsule-waiting',
    'capsule-opened',
    'capsule-opened',
  ]);
});

it('a link turns off nothing of somebody else, and nothing when it is not complete', async () => {
  const ada = await signUp(server.url, 'Bob Kahn');
  const grace = await signUp(server.url, 'Tim Lee');
  server.clock.set('2029-12-20T12:00:00Z');
  await seal(ada, grace, { recipientEmails: [grace.user.email], notifyRecipient: true });
  const [waiting] = await received(grace.user.email, 1);
  const token = new URL(waiting?.turnOffUrl ?? '').searchParams.get('token') ?? '';
  const visitor = createClient(server.url);
  const wrong = [
    '',
    'nonsense',
    token.slice(0, -1),
    token.replace(grace.user.id, ada.user.id),
    token.replace('waiting', 'opened'),
    token.replace('capsule-waiting', 'password-reset'),
  ];
  for (const one of wrong) {
    const answer = await visitor.post(`/notices/off?token=${encodeURIComponent(one)}`);
    expect(answer).toMatchObject({ status: 400, json: { code: 'INVALID_NOTICE_LINK' } });
  }
  for (const person of [ada, grace]) {
    expect((await person.get('/user/notices')).json).toEqual({
      ...ALL,
    });
  }
});

it("the settings are a person's own", async () => {
  const ada = await signUp(server.url, 'Eve Hill');
  const choices = { waiting: false, opened: false };
  expect((await ada.put('/user/notices', choices)).json).toEqual({ ...ALL, ...choices });
  expect((await ada.put('/user/notices', { waiting: 'no' })).status).toBe(400);
  const all = {
    ...choices,
    reminder: false,
    read: 'always',
    addressCheck: false,
  };
  // An earlier app names the yearly emails of before as well.
  const earlier = { ...all, keepsake: true, stillSealed: true };
  expect((await ada.put('/user/notices', earlier)).json).toEqual(all);
  // An app that doesn't know of the other kinds leaves them as they are.
  expect((await ada.put('/user/notices', choices)).json).toEqual(all);
  expect((await ada.get('/user/notices')).json).toEqual(all);
});
