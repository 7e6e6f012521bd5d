import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  capsuleRecipients,
  capsules,
  pushMessages,
  pushSubscriptions,
  users,
} from '../../server/db/schema.ts';
import { sweep } from '../../server/jobs/sweep.ts';
import type { Mail } from '../../server/mail/mailer.ts';
import { login } from '../../shared/api/auth.ts';
import { type BlockedPerson, listBlocked } from '../../shared/api/blocks.ts';
import { type Capsule, listCreated, listReceived } from '../../shared/api/capsules.ts';
import type { NewCapsuleInput } from '../../shared/api/new-capsule.ts';
import { listNotices } from '../../shared/api/notices.ts';
import { BLOCKED_MAX } from '../../shared/limits.ts';
import { allSent, moveTo, newAddress, tokenTo, visit } from '../support/addresses.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, expectStatus, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { pdf } from '../support/fixtures.ts';
import { GO_ON } from '../support/mail-world.ts';
import { rare } from '../support/rare.ts';
import { sharedServer } from '../support/server.ts';
import { until as untilGiven } from '../support/until.ts';
import { unzip } from '../support/unzip.ts';

const BEFORE = '2029-12-20T12:00:00Z';
/** So much later that everything was sent, or seems to be. */
const LATER = '2029-12-20T12:05:00Z';
const THE_DAY = '2030-01-01T00:00:00Z';
const THE_DAY_LATER = '2030-01-01T00:05:00Z';

const server = sharedServer({ clock: BEFORE });
/** Where addresses have to be confirmed. */
const strict = sharedServer({ clock: BEFORE, config: { emailVerification: true } });
beforeEach(() => server.clock.set(BEFORE));

/** Waits until it is so. */
const until = (isSo: () => boolean | Promise<boolean>) =>
  untilGiven(async () => (await isSo()) || null);

interface World {
  /** Who is blocked. */
  mallory: SignedIn;
  /** Who has blocked them. */
  grace: SignedIn;
  /** Who has not. */
  frank: SignedIn;
}

async function world(): Promise<World> {
  const named = (name: string) => signUp(server.url, `${name} ${randomUUID().slice(0, 8)}`);
  const [mallory, grace, frank] = await Promise.all(['Mallory', 'Grace', 'Frank'].map(named));
  return { mallory, grace, frank } as World;
}

const block = async (by: SignedIn, { user }: SignedIn, body?: { putAway: boolean }) =>
  expectStatus(await by.put(`/user/blocked/${user.id}`, body), 200);
const unblock = async (by: SignedIn, { user }: SignedIn) =>
  expectStatus(await by.delete(`/user/blocked/${user.id}`), 200);
const blockedBy = async (person: SignedIn): Promise<BlockedPerson[]> =>
  answerOf(listBlocked, await person.get('/user/blocked')).people;

const received = async (person: SignedIn, query = ''): Promise<Capsule[]> =>
  answerOf(listReceived, await person.get(`/api/capsules/received?${query}`)).capsules;
const titles = async (person: SignedIn, query = '') =>
  (await received(person, query)).map(({ title }) => title);
const noticesOf = async (person: SignedIn, id: string) =>
  answerOf(listNotices, await person.get(`/api/capsules/${id}/notices`)).notices;
const emailsTo = ({ user }: SignedIn) =>
  server.mailer.sent.filter(({ to }) => to === user.email).map(({ subject }) => subject);

/** Lets a browser of theirs be told what opens. */
async function subscribe({ user }: SignedIn): Promise<void> {
  const id = randomUUID();
  const endpoint = `https://push.example/${id}`;
  const keys = { sessionId: 'of a browser', p256dh: '', auth: '' };
  const row = { id, userId: user.id, endpoint, ...keys, touchedAt: new Date(BEFORE) };
  await server.deps.db.insert(pushSubscriptions).values(row);
}

/** Everything by which a person could learn of a capsule. */
async function everythingOf(person: SignedIn) {
  const lists = ['', 'hidden=true', 'view=ready', 'view=sealed', 'view=opened', 'query=mallory'];
  const exported = await unzip((await person.get('/user/export')).bytes);
  return {
    lists: await Promise.all(
      lists.map(async (query) => (await person.get(`/api/capsules/received?${query}`)).json),
    ),
    summary: (await person.get('/api/capsules/dashboard-summary?year=2029')).json,
    opened: (await person.get('/api/capsules/opened')).json,
    profile: (await person.get(`/community/public-profile?userId=${person.user.id}`)).json,
    found: (await person.get('/user/search-recipient?query=mallory')).json,
    exported: [...exported.keys()].toSorted(),
    // But for the list of whom they have blocked, which is their own.
    book: String(exported.get('index.html'))
      .replace(/<svg.*?<\/svg>/gs, '')
      .replace(/<section [^>]*id="blocked".*?<\/section>/s, ''),
    pushes: await server.deps.db
      .select({ capsuleIds: pushMessages.capsuleIds })
      .from(pushMessages)
      .innerJoin(pushSubscriptions, eq(pushSubscriptions.id, pushMessages.subscriptionId))
      .where(eq(pushSubscriptions.userId, person.user.id)),
    emails: emailsTo(person),
  };
}

const inList = async (creator: SignedIn, id: string, query: string) => {
  const path = `/api/capsules/created?limit=50&query=${encodeURIComponent(query)}`;
  return answerOf(listCreated, await creator.get(path)).capsules.filter((one) => one.id === id);
};

/** What a creator sees of a capsule, without what differs from recipient to recipient. */
async function seenBy(creator: SignedIn, { id }: Capsule, { user }: SignedIn): Promise<unknown> {
  const text = JSON.stringify([
    (await creator.get(`/api/capsules/${id}`)).json,
    (await creator.get(`/api/capsules/${id}/notices`)).json,
    (await inList(creator, id, user.name))[0],
  ]);
  return text
    .replaceAll(user.email, 'them@example.org')
    .replaceAll(user.name, 'Them')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|"id":"[\w-]+"|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
}

describe('what a blocked person sends', () => {
  rare(
    'leaves no trace with who has blocked them, whatever they try, and no difference with them',
    async () => {
      const { mallory, grace, frank } = await world();
      await seal(frank, grace, { title: 'From a friend', notifyRecipient: true });
      await until(() => emailsTo(grace).length > 0);
      await block(grace, mallory);
      await subscribe(grace);
      const before = await everythingOf(grace);

      const ways: Partial<NewCapsuleInput>[] = [
        { notifyRecipient: true },
        { notifyRecipient: false },
        { notifyRecipient: true, dateToUnlock: '2029-12-24' },
        { notifyRecipient: true, title: 'Grace', description: 'mallory' },
      ];
      const sealed: { toGrace: Capsule; toFrank: Capsule }[] = [];
      for (let round = 0; round < 4; round += 1) {
        for (const way of ways) {
          const files = round === 0 ? [pdf()] : [];
          sealed.push({
            toGrace: await seal(mallory, grace, way, files),
            toFrank: await seal(mallory, frank, way, files),
          });
        }
      }
      const both = [grace, frank].map(({ user }) => user.email);
      const together = await seal(mallory, grace, { notifyRecipient: true, recipientEmails: both });
      const profileOf = async ({ user }: SignedIn) =>
        (await mallory.get(`/community/public-profile?userId=${user.id}`)).json;
      expect(await profileOf(grace)).toMatchObject({ receivedCapsulesCount: sealed.length + 2 });
      expect(await profileOf(frank)).toMatchObject({ receivedCapsulesCount: sealed.length + 1 });
      for (const { user } of [grace, frank]) {
        expectStatus(await mallory.post('/user/invitations', { email: user.email }), 202);
      }
      // Deleted and brought back.
      for (const { toGrace, toFrank } of sealed.slice(0, 4)) {
        for (const { id } of [toGrace, toFrank]) {
          expectStatus(await mallory.delete(`/api/capsules/${id}`), 200);
          expectStatus(await mallory.post(`/api/capsules/${id}/restore`), 200);
        }
      }
      await until(() => emailsTo(frank).length > 0);
      // What is beyond ten an hour is told together.
      server.clock.set('2029-12-20T13:05:00Z');
      server.deps.mailQueued();
      await until(async () => (await noticesOf(mallory, together.id)).every(isSent));
      for (const { toGrace, toFrank } of sealed) {
        await until(async () => (await noticesOf(mallory, toFrank.id)).every(isSent));
        expect(await seenBy(mallory, toGrace, grace)).toEqual(
          await seenBy(mallory, toFrank, frank),
        );
      }
      const [first] = sealed;
      if (!first) throw new Error('Something was sealed.');
      // Sent once more, and once too often.
      for (const status of [200, 429]) {
        for (const { id } of [first.toGrace, first.toFrank]) {
          const [notice] = await noticesOf(mallory, id);
          const again = await mallory.post(`/api/capsules/${id}/notices/${notice?.id}/again`);
          expectStatus(again, status);
        }
        server.clock.set('2029-12-20T13:10:00Z');
        await until(async () => (await noticesOf(mallory, first.toFrank.id)).every(isSent));
      }
      expect(await everythingOf(grace)).toEqual(before);

      // The day comes.
      server.clock.set(THE_DAY);
      await server.announce();
      server.clock.set('2030-01-01T01:05:00Z');
      server.deps.mailQueued();
      const opened = (id: string) =>
        until(async () => {
          const notices = await noticesOf(mallory, id);
          return notices.some(({ kind }) => kind === 'capsule-opened') && notices.every(isSent);
        });
      for (const { toGrace, toFrank } of sealed) {
        await Promise.all([opened(toGrace.id), opened(toFrank.id)]);
        expect(await seenBy(mallory, toGrace, grace)).toEqual(
          await seenBy(mallory, toFrank, frank),
        );
      }
      const after = await everythingOf(grace);
      expect(JSON.stringify(after)).not.toMatch(/mallory/i);
      // The letter of a friend has opened, and nothing else.
      expect(after.pushes).toHaveLength(1);
      expect(after.pushes[0]?.capsuleIds).toHaveLength(1);
      expect(await titles(grace)).toEqual(['From a friend']);
      expect(after.opened).toMatchObject({ total: 1 });

      // Nor by any call that names a capsule.
      const { id } = first.toGrace;
      const file = (await mallory.get(`/api/capsules/${id}`)).json as Capsule;
      const fileId = file.fileInfo[0]?.fileId;
      const calls: [method: string, path: string, json?: unknown][] = [
        ['GET', `/api/capsules/${id}`],
        ['GET', `/api/capsules/${id}/calendar.ics`],
        ['GET', `/api/capsules/download/${fileId}`],
        ['GET', `/api/capsules/download/${fileId}/rendition?size=small`],
        ['PUT', `/api/capsules/${id}/seen`],
        ['PUT', `/api/capsules/${id}/read`, { tell: true }],
        ['PUT', `/api/capsules/${id}/hidden`, { hidden: false }],
        ['GET', `/api/capsules/${id}/notices`],
        ['DELETE', `/api/capsules/${id}`],
      ];
      for (const [method, path, json] of calls) {
        const answer = await grace.request(method, path, { ...(json !== undefined && { json }) });
        expect([path, answer.status]).toEqual([path, 404]);
        expect(answer.text).not.toMatch(/mallory|For later/i);
      }
      expect(await titles(grace, 'hidden=true')).toEqual([]);
    },
  );

  const isSent = ({ state }: { state: string }) => state === 'sent';

  it('is there once they are unblocked, sealed or opened, without an announcement', async () => {
    const { mallory, grace } = await world();
    await block(grace, mallory);
    await seal(mallory, grace, {
      title: 'Opened',
      dateToUnlock: '2029-12-24',
      notifyRecipient: true,
    });
    await seal(mallory, grace, {
      title: 'Sealed',
      dateToUnlock: '2030-06-01',
      notifyRecipient: true,
    });
    server.clock.set(THE_DAY);
    await server.announce();
    expect(await titles(grace)).toEqual([]);
    await unblock(grace, mallory);
    expect(await titles(grace)).toEqual(['Sealed', 'Opened']);
    expect((await grace.get('/api/capsules/opened')).json).toMatchObject({
      total: 1,
      capsules: [{ title: 'Opened' }],
    });
    expect((await received(grace)).map(({ personalMessage }) => personalMessage)).toEqual([
      null,
      'I was here.',
    ]);
    await server.announce();
    const later = await seal(mallory, grace, {
      title: 'Afterwards',
      dateToUnlock: '2030-06-02',
      notifyRecipient: true,
    });
    await until(() => emailsTo(grace).length > 0);
    expect(emailsTo(grace).join()).toContain('sealed a time capsule for you');
    expect(emailsTo(grace)).toHaveLength(1);
    expect(later.recipientEmails).toEqual([grace.user.email]);
    expect(await titles(grace, 'hidden=true')).toEqual([]);
  });

  it('is announced on its day if they were unblocked before', async () => {
    const { mallory, grace } = await world();
    await block(grace, mallory);
    const { id } = await seal(mallory, grace, { notifyRecipient: true });
    await unblock(grace, mallory);
    // A withheld notice can be sent after all.
    server.clock.set(LATER);
    const [waiting] = await noticesOf(mallory, id);
    expectStatus(await mallory.post(`/api/capsules/${id}/notices/${waiting?.id}/again`), 200);
    await until(() => emailsTo(grace).length === 1);
    server.clock.set(THE_DAY);
    await server.announce();
    await until(() => emailsTo(grace).length === 2);
    expect(await noticesOf(mallory, id)).toHaveLength(2);
  });
});

describe('what was received before', () => {
  it('stays, opens and is announced to nobody who has blocked its creator', async () => {
    const { mallory, grace } = await world();
    const { id } = await seal(mallory, grace, { title: 'Before', notifyRecipient: true });
    await until(() => emailsTo(grace).length === 1);
    await block(grace, mallory);
    expect(await titles(grace)).toEqual(['Before']);
    server.clock.set(LATER);
    const [waiting] = await noticesOf(mallory, id);
    const again = await mallory.post(`/api/capsules/${id}/notices/${waiting?.id}/again`);
    expectStatus(again, 200);
    // Within a day nothing is sent again, withheld or not.
    server.clock.set('2029-12-20T12:30:00Z');
    const isSent = async () => (await noticesOf(mallory, id))[0]?.state === 'sent';
    await until(isSent);
    const [repeated] = await noticesOf(mallory, id);
    expect(repeated).toMatchObject({ id: waiting?.id, state: 'sent', kind: 'capsule-waiting' });
    const tooSoon = await mallory.post(`/api/capsules/${id}/notices/${waiting?.id}/again`);
    expectStatus(tooSoon, 429);
    server.clock.set(THE_DAY);
    await server.announce();
    server.clock.set(THE_DAY_LATER);
    await until(isSent);
    expect(await noticesOf(mallory, id)).toMatchObject([
      { kind: 'capsule-opened', state: 'sent' },
      { kind: 'capsule-waiting', state: 'sent' },
    ]);
    expect((await received(grace))[0]).toMatchObject({ personalMessage: 'I was here.' });
    expect(emailsTo(grace)).toHaveLength(1);
  });

  it('is put away if they say so, and stays so afterwards', async () => {
    const { mallory, grace } = await world();
    const before = await seal(mallory, grace, { title: 'Before' });
    const binned = await seal(mallory, grace, { title: 'In the bin' });
    expectStatus(await mallory.delete(`/api/capsules/${binned.id}`), 200);
    await block(grace, mallory, { putAway: true });
    await seal(mallory, grace, { title: 'Since' });
    expectStatus(await mallory.post(`/api/capsules/${binned.id}/restore`), 200);
    expect(await titles(grace)).toEqual([]);
    expect(await titles(grace, 'hidden=true')).toEqual(['In the bin', 'Before']);
    expect((await grace.get('/api/capsules/received')).json).toMatchObject({ hiddenItems: 2 });
    expect((await mallory.get(`/api/capsules/${before.id}`)).status).toBe(200);
    await unblock(grace, mallory);
    expect(await titles(grace)).toEqual(['Since']);
    expect(await titles(grace, 'hidden=true')).toEqual(['In the bin', 'Before']);
  });

  it('loses the emails that still wait to be sent', async () => {
    const { mallory, grace } = await world();
    server.mailer.failNext(1);
    const { id } = await seal(mallory, grace, { notifyRecipient: true });
    await until(async () => (await noticesOf(mallory, id)).length === 1);
    await block(grace, mallory);
    server.clock.set(LATER);
    server.deps.mailQueued();
    await until(async () => (await noticesOf(mallory, id))[0]?.state === 'sent');
    const told = await seal(grace, mallory, { notifyRecipient: true });
    await until(async () => (await noticesOf(grace, told.id))[0]?.state === 'sent');
    expect(emailsTo(grace)).toEqual([]);
  });
});

describe('what a blocked person does about addresses', () => {
  /** Somebody whose address is confirmed. */
  async function member(name: string): Promise<SignedIn> {
    const client = await visit(strict.url);
    const email = newAddress();
    await client.post('/auth/register', { name, email, password: PASSWORD });
    const token = await tokenTo(strict, email, '/auth/verify-email');
    await client.post('/auth/verify-email', { token });
    const answer = await client.post('/auth/login', { email, password: PASSWORD });
    return { ...client, user: answerOf(login, answer).user, password: PASSWORD };
  }

  it('an invitation reaches nobody who has blocked them', async () => {
    const [mallory, grace, frank] = [await member('M'), await member('G'), await member('F')];
    await block(grace, mallory);
    // Her address counts as unconfirmed, so that it can be invited.
    const { db } = strict.deps;
    await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, grace.user.id));
    const invitations = async () => {
      await allSent(strict);
      const isOne = ({ kind, to }: Mail) => kind === 'invitation' && to === grace.user.email;
      return strict.mailer.sent.filter(isOne).length;
    };
    const { email } = grace.user;
    const refused = await mallory.post('/user/invitations', { email });
    expect(await invitations()).toBe(0);
    const other = await frank.post('/user/invitations', { email });
    expect(await invitations()).toBe(1);
    expect([refused.status, refused.text]).toEqual([other.status, other.text]);
  });

  it('what they sealed for an address without an account stays unseen when its owner takes it', async () => {
    const [mallory, grace] = [await member('M'), await member('G')];
    const email = newAddress();
    await mallory.post('/user/invitations', { email });
    const { id } = await seal(mallory, { user: { email } }, { title: 'By another way' });
    await block(grace, mallory);
    await moveTo(strict, grace, email);
    expect(await titles(grace)).toEqual([]);
    expect(await titles(grace, 'hidden=true')).toEqual([]);
    expectStatus(await grace.get(`/api/capsules/${id}`), 404);
    await unblock(grace, mallory);
    expect(await titles(grace)).toEqual(['By another way']);
  });
});

describe('the bin of a blocked person', () => {
  it('shows nothing of a block by what was sent again when a capsule came back', async () => {
    const { mallory, grace, frank } = await world();
    await block(grace, mallory);
    const recipientEmails = [grace.user.email, frank.user.email];
    const { id } = await seal(mallory, grace, { notifyRecipient: true, recipientEmails });
    await allSent(server);
    const before = await noticesOf(mallory, id);
    server.clock.set(LATER);
    expectStatus(await mallory.delete(`/api/capsules/${id}`), 200);
    expectStatus(await mallory.post(`/api/capsules/${id}/restore`), 200);
    await allSent(server);
    expect(await noticesOf(mallory, id)).toEqual(before);
  });

  it('gives back what they had deleted as it was, unblocked meanwhile or not', async () => {
    const { mallory, grace } = await world();
    await block(grace, mallory);
    const { id } = await seal(mallory, grace, { title: 'To and fro' });
    expectStatus(await mallory.delete(`/api/capsules/${id}`), 200);
    expectStatus(await mallory.post(`/api/capsules/${id}/restore`), 200);
    expect(await titles(grace)).toEqual([]);
    expectStatus(await mallory.delete(`/api/capsules/${id}`), 200);
    await unblock(grace, mallory);
    expectStatus(await mallory.post(`/api/capsules/${id}/restore`), 200);
    expect(await titles(grace)).toEqual(['To and fro']);
  });
});

describe('blocking', () => {
  it('is listed and undone, and a repeat changes nothing', async () => {
    const { mallory, grace } = await world();
    await block(grace, mallory);
    await block(grace, mallory);
    expect(await blockedBy(grace)).toEqual([
      {
        id: mallory.user.id,
        name: mallory.user.name,
        email: mallory.user.email,
        avatar: 'M',
        blockedAt: expect.stringMatching(/^2029-12-20T/),
      },
    ]);
    expect(await blockedBy(mallory)).toEqual([]);
    await unblock(grace, mallory);
    await unblock(grace, mallory);
    expect(await blockedBy(grace)).toEqual([]);
  });

  it('refuses oneself, nobody, and more people than anybody blocks', async () => {
    const { grace } = await world();
    const refusal = async (id: string) => {
      const { status, json } = await grace.put(`/user/blocked/${id}`);
      return [status, (json as { code: string }).code];
    };
    expect(await refusal(grace.user.id)).toEqual([400, 'BLOCK_REFUSED']);
    expect(await refusal(grace.user.id.toUpperCase())).toEqual([400, 'BLOCK_REFUSED']);
    expect(await refusal(randomUUID())).toEqual([404, 'USER_NOT_FOUND']);
    expect(await refusal('nobody')).toEqual([404, 'USER_NOT_FOUND']);
    expectStatus(await grace.delete('/user/blocked/nobody'), 200);
    await server.deps.db.execute(`
      insert into users (id, email, name, password_hash, created_at)
      select gen_random_uuid(), 'crowd-' || n || '@example.org', 'Crowd', 'x', now()
      from generate_series(1, ${BLOCKED_MAX}) n`);
    await server.deps.db.execute(`
      insert into blocks (user_id, blocked_id, created_at)
      select '${grace.user.id}', id, now() from users where name = 'Crowd'`);
    const { mallory } = await world();
    expect(await refusal(mallory.user.id)).toEqual([400, 'BLOCK_REFUSED']);
  });

  it('hides each from the search of the other, and from nobody else', async () => {
    const { mallory, grace, frank } = await world();
    const finds = async (by: SignedIn, { user }: SignedIn) => {
      const query = encodeURIComponent(user.email);
      const recipients = (await by.get(`/user/search-recipient?query=${query}`)).json as unknown[];
      const people = (await by.get(`/community/search-profile?query=${query}`)).json as unknown[];
      return [recipients.length, people.length];
    };
    await block(grace, mallory);
    expect(await finds(grace, mallory)).toEqual([0, 0]);
    expect(await finds(mallory, grace)).toEqual([0, 0]);
    expect(await finds(frank, grace)).toEqual([1, 1]);
    expect(await finds(grace, frank)).toEqual([1, 1]);
    await unblock(grace, mallory);
    expect(await finds(mallory, grace)).toEqual([1, 1]);
  });

  it('goes with either account, and so does what was not seen', async () => {
    const { mallory, grace, frank } = await world();
    await block(grace, mallory);
    const { id } = await seal(mallory, grace, { title: 'Never seen' });
    const shared = await seal(mallory, grace, {
      title: 'For two',
      recipientEmails: [grace.user.email, frank.user.email],
    });
    const leave = (person: SignedIn) =>
      person.post('/user/delete-account', { password: PASSWORD, capsules: 'deliver' });
    expectStatus(await leave(mallory), 200);
    await sweep(server.deps, GO_ON);
    expect(await titles(grace)).toEqual([]);
    expect(await blockedBy(grace)).toEqual([]);
    expect(await titles(frank)).toEqual(['For two']);
    const { db } = server.deps;
    expect(await db.$count(capsules, eq(capsules.id, id))).toBe(0);
    const place = and(
      eq(capsuleRecipients.capsuleId, shared.id),
      eq(capsuleRecipients.userId, grace.user.id),
    );
    expect(await db.$count(capsuleRecipients, place)).toBe(0);

    const other = await world();
    await block(other.grace, other.mallory);
    await seal(other.mallory, other.grace, { title: 'Left alone', notifyRecipient: true });
    expectStatus(await leave(other.grace), 200);
    const [left] = (
      (await other.mallory.get('/api/capsules/created')).json as { capsules: Capsule[] }
    ).capsules;
    expect(left).toMatchObject({ title: 'Left alone', recipients: [] });
  });
});
