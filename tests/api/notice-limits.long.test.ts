import { and, isNotNull, isNull, sql } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { sendings } from '../../server/db/schema.ts';
import { createCapsule } from '../../shared/api/new-capsule.ts';
import { listNotices } from '../../shared/api/notices.ts';
import { capsuleFields, seal } from '../support/capsules.ts';
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
  expect((await ada.get(`/api/capsules/${id}/notices`)).json).toMatchObject({ notices: [] });
  expect((await grace.get(`/api/capsules/${id}`)).status).toBe(200);
});

it('an email that is sent again counts as one more', async () => {
  const [ada, grace] = [await signUp(server.url, 'Adele'), await signUp(server.url, 'Gwen')];
  const again: string[] = [];
  for (let count = 1; count <= 9; count += 1) {
    const { id } = await seal(ada, grace, { notifyRecipient: true });
    await expect.poll(() => sentTo(grace).length).toBe(count);
    const { notices } = answerOf(listNotices, await ada.get(`/api/capsules/${id}/notices`));
    again.push(`/api/capsules/${id}/notices/${notices[0]?.id}/again`);
  }
  expect((await ada.post(String(again[0]))).status).toBe(200);
  expect(await ada.post(String(again[1]))).toMatchObject({
    status: 429,
    json: { code: 'RATE_LIMITED', message: expect.stringContaining('many emails sent today') },
  });
});

it('one person reaches so many others a day, for each of them is told when a capsule opens', async () => {
  const eve = await signUp(server.url, 'Eve');
  const { db, clock } = server.deps;
  const now = clock.now().toISOString();
  await db.execute(sql`
    insert into users (id, email, name, password_hash, created_at)
    select gen_random_uuid(), 'guest-' || n || '@example.org', 'Guest', '', ${now}
    from generate_series(1, 50) n`);
  // 39 capsules to 50 guests each.
  await db.execute(sql`
    with sealed as (
      insert into capsules (id, creator_id, title, description, personal_message, date_to_unlock,
        time_zone, unlock_at, notify_recipient, media_count, total_bytes, created_at)
      select gen_random_uuid(), ${eve.user.id}, '', '', '', '2040-01-01', 'UTC', '2040-01-01',
        false, 0, 0, ${now} from generate_series(1, 39) returning id
    )
    insert into capsule_recipients (capsule_id, user_id, position, created_at, unlock_at,
      date_to_unlock, is_creator)
    select sealed.id, users.id, 0, ${now}, '2040-01-01', '2040-01-01', false
    from sealed, users where name = 'Guest'`);
  const sealFor = async (count: number) => {
    const recipientEmails = Array.from({ length: count }, (_, n) => `guest-${n + 1}@example.org`);
    return eve.createCapsule(capsuleFields(eve, { recipientEmails }));
  };
  const sealed = answerOf(createCapsule, await sealFor(50));
  // From the bin it could come back.
  await eve.delete(`/api/capsules/${sealed.id}`);
  const refused = await sealFor(2);
  expect([refused.status, refused.json]).toEqual([
    429,
    expect.objectContaining({ message: expect.stringContaining('2,000 recipients within a day') }),
  ]);
  expect((await sealFor(1)).status).toBe(201);
});

it('a capsule that is brought back from the bin is told of within the same limits', async () => {
  const [ada, grace] = [await signUp(server.url, 'Anne'), await signUp(server.url, 'Gerda')];
  for (let count = 1; count <= 10; count += 1) await seal(ada, grace, { notifyRecipient: true });
  const { id } = await seal(ada, grace, { notifyRecipient: true });
  expect((await ada.delete(`/api/capsules/${id}`)).status).toBe(200);
  expect((await ada.post(`/api/capsules/${id}/restore`)).status).toBe(200);
  expect((await ada.get(`/api/capsules/${id}/notices`)).json).toMatchObject({ notices: [] });
});

it('an email that was under way when its capsule was deleted goes once it is back', async () => {
  const [ada, grace] = [await signUp(server.url, 'Agnes'), await signUp(server.url, 'Greta')];
  for (let count = 1; count <= 9; count += 1) await seal(ada, grace, { notifyRecipient: true });
  await expect.poll(() => sentTo(grace).length).toBe(9);
  let fail = (_reason: Error) => {};
  const held = new Promise<never>((_, reject) => {
    fail = reject;
  });
  vi.spyOn(server.mailer, 'send').mockImplementationOnce(async (_mails, { begin }) => {
    await begin();
    return held;
  });
  const { id } = await seal(ada, grace, { notifyRecipient: true });
  const underWay = and(isNull(sendings.outcome), isNotNull(sendings.begunAt));
  await expect.poll(() => server.deps.db.$count(sendings, underWay)).toBe(1);
  expect((await ada.delete(`/api/capsules/${id}`)).status).toBe(200);
  fail(new Error('The provider is away.'));
  await expect.poll(() => server.deps.db.$count(sendings, underWay)).toBe(0);
  // She may cause no further email to Greta today.
  expect((await ada.post(`/api/capsules/${id}/restore`)).status).toBe(200);
  server.clock.advance({ minutes: 2 });
  server.deps.mailQueued();
  await expect.poll(() => sentTo(grace).length).toBe(10);
});
