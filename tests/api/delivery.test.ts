import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTroubledEmails } from '../../server/db/operator/instance.ts';
import { sendings, users } from '../../server/db/schema.ts';
import { queueOpenedNotices } from '../../server/domain/emails/queue.ts';
import { type ResendHarness, signEvent, startResend } from '../../server/mail/resend.support.ts';
import { listNotices, type Notice } from '../../shared/api/notices.ts';
import { DAY_MS } from '../../shared/limits.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const SECRET = `whsec_${Buffer.from('a secret of this test alone').toString('base64')}`;

let resend: ResendHarness;
let server: TestServer;
let ada: SignedIn;
let grace: SignedIn;
beforeAll(async () => {
  resend = await startResend(SECRET);
  server = await startTestServer({
    clock: '2029-12-20T12:00:00Z',
    deps: { mailer: resend.mailer },
  });
  ada = await signUp(server.url, 'Ada Lovelace');
  grace = await signUp(server.url, 'Grace Hopper');
});
afterAll(async () => {
  await server.close();
  await resend.close();
});

/** "Is waiting" for Grace, taken by the provider. */
async function sent() {
  const { id } = await seal(ada, grace, { notifyRecipient: true });
  const notice = await noticeIn(id, 'sent');
  const isIts = eq(sendings.emailId, notice.id);
  const { providerId } = (await server.deps.db.query.sendings.findFirst({ where: isIts })) ?? {};
  return { id, notice, providerId: providerId ?? '' };
}

const noticeOf = async (id: string): Promise<Notice | undefined> =>
  answerOf(listNotices, await ada.get(`/api/capsules/${id}/notices`)).notices[0];

const noticeIn = (id: string, state: Notice['state']) =>
  until(async () => {
    const notice = await noticeOf(id);
    return notice?.state === state ? notice : null;
  });

const again = (id: string, noticeId: string, by = ada) =>
  by.post(`/api/capsules/${id}/notices/${noticeId}/again`);

interface Told {
  type: string;
  at?: string;
  bounce?: { type: string; message?: string | null };
  tags?: object;
}

/** As Resend tells it; `change` forges what was signed. */
function tell(
  providerId: string,
  { type, at = '2029-12-20T12:05:00.000Z', bounce, tags }: Told,
  change: {
    body?: string;
    headers?: Record<string, string>;
    secret?: string;
    signedAt?: number;
  } = {},
) {
  const event = { type, created_at: at, data: { email_id: providerId, bounce, tags } };
  const payload = JSON.stringify(event);
  const headers = signEvent(change.secret ?? SECRET, payload, change.signedAt);
  return fetch(`${server.url}/webhooks/resend`, {
    method: 'POST',
    body: change.body ?? payload,
    headers: { 'content-type': 'application/json', ...headers, ...change.headers },
  });
}

describe('what the provider tells', () => {
  it('is seen by the creator: delivered, then bounced', async () => {
    const { id, providerId } = await sent();
    expect((await tell(providerId, { type: 'email.delivered' })).status).toBe(200);
    expect(await noticeOf(id)).toMatchObject({
      state: 'delivered',
      at: '2029-12-20T12:05:00.000Z',
      sentAt: expect.stringMatching(/^2029-12-20T12:0/),
    });
    await tell(providerId, { type: 'email.bounced', bounce: { type: 'Permanent' } });
    await tell(providerId, { type: 'email.delivered', at: '2029-12-20T12:09:00.000Z' });
    expect(await noticeOf(id)).toMatchObject({ state: 'bounced' });
  });

  it('of an invitation is seen by who invited, who cannot send it again', async () => {
    const email = `iris.${randomUUID()}@example.com`;
    expect((await ada.post('/user/invitations', { email })).status).toBe(202);
    const { id } = await seal(ada, { user: { email } }, {});
    const invitation = async () => {
      const answer = await ada.get(`/api/capsules/${id}/notices`);
      return answerOf(listNotices, answer).invitations?.[0];
    };
    await expect.poll(invitation).toMatchObject({ recipientEmail: email, state: 'sent' });
    const isTheirs = eq(sendings.address, email);
    const [mail] = await server.deps.db.select().from(sendings).where(isTheirs);
    await tell(String(mail?.providerId), { type: 'email.delivered' });
    expect(await invitation()).toMatchObject({
      state: 'delivered',
      at: '2029-12-20T12:05:00.000Z',
    });
    await tell(String(mail?.providerId), { type: 'email.complained' });
    expect(await invitation()).toMatchObject({ state: 'complained' });
    // The answer names no email that could be sent again, or reported as one that came back.
    expect(JSON.stringify(await invitation())).not.toContain(String(mail?.id));
    expect((await again(id, String(mail?.emailId))).json).toMatchObject({
      code: 'NOTICE_NOT_FOUND',
    });
  });

  it('says why an email came back, and of which one by its tag too', async () => {
    const { id, providerId } = await sent();
    const { db } = server.deps;
    // As after a lost answer.
    const sendingId = randomUUID();
    const isIt = eq(sendings.providerId, providerId);
    await db.update(sendings).set({ id: sendingId, providerId: sendingId }).where(isIt);
    const message = '550 5.1.1\r\nNo such\u0000 user';
    const bounced = { type: 'email.bounced', bounce: { type: 'Permanent', message } };
    const told = await tell(randomUUID(), { ...bounced, tags: { mail: sendingId, other: 'x' } });
    expect(told.status).toBe(200);
    expect(await noticeOf(id)).toMatchObject({ state: 'bounced' });
    const [troubled] = await findTroubledEmails(db);
    expect(troubled).toMatchObject({ reason: '550 5.1.1 No such user' });
    // What we can do without may have another form.
    const other = await sent();
    const bounce = { type: 'Permanent', message: null };
    await tell(other.providerId, { ...bounced, bounce, tags: [{ name: 'mail', value: 'x' }] });
    expect(await noticeOf(other.id)).toMatchObject({ state: 'bounced' });
  });

  it('of a full mailbox is no bounce', async () => {
    const { id, providerId } = await sent();
    await tell(providerId, { type: 'email.bounced', bounce: { type: 'Transient' } });
    expect(await noticeOf(id)).toMatchObject({ state: 'failed' });
  });

  it('changes nothing when it is forged, old or unknown', async () => {
    const { id, providerId } = await sent();
    const bounced = { type: 'email.bounced', bounce: { type: 'Permanent' } };
    const body = JSON.stringify({ ...bounced, created_at: 'x', data: { email_id: providerId } });
    const anHourAgo = Math.floor(Date.now() / 1_000) - 3_600;
    const refused = [
      await tell(providerId, bounced, { body }),
      await tell(providerId, bounced, { secret: `whsec_${btoa('somebody else entirely')}` }),
      await tell(providerId, bounced, { headers: { 'svix-signature': 'v1,nonsense' } }),
      await tell(providerId, bounced, { headers: { 'svix-id': 'another' } }),
      await tell(providerId, bounced, { signedAt: anHourAgo }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect((await tell(providerId, { type: 'email.opened' })).status).toBe(200);
    expect((await tell(providerId, { type: 'domain.updated' })).status).toBe(200);
    expect((await tell('of another app', { ...bounced, at: '2029-12-20T09:00:00Z' })).status).toBe(
      200,
    );
    expect(await noticeOf(id)).toMatchObject({ state: 'sent' });
  });

  it('is about another email than ours: taken at once, and for good', async () => {
    const at = server.deps.clock.now().toISOString();
    const theirs = randomUUID();
    for (const id of [theirs, 're_1', 'a\0b', '\0', '', ' ', '\ud800', 'x'.repeat(20_000), "'--"]) {
      for (const tags of [undefined, {}, { mail: id }, { mail: theirs }, { '\0': '\0' }, [id]]) {
        expect(
          (await tell(id, { type: 'email.delivered', at, tags: tags && { ...tags } })).status,
        ).toBe(200);
      }
    }
    const event = { type: 'email.bounced', created_at: at, data: null };
    for (const data of [null, [], '\0', { email_id: 1 }, { email_id: theirs, bounce: '\0' }]) {
      const payload = JSON.stringify({ ...event, data });
      const headers = signEvent(SECRET, payload);
      const answer = await fetch(`${server.url}/webhooks/resend`, {
        method: 'POST',
        body: payload,
        headers,
      });
      expect(answer.status).toBe(200);
    }
  });

  it('is noted with a reason of any kind', async () => {
    const { id, providerId } = await sent();
    const message = `No\0 such\u202E ${'user '.repeat(2_000)}\ud800`;
    const bounce = { type: 'Permanent', message };
    expect((await tell(providerId, { type: 'email.bounced', bounce })).status).toBe(200);
    expect(await noticeOf(id)).toMatchObject({ state: 'bounced' });
  });

  it('is bounded', async () => {
    const answer = await tell('any', { type: 'email.delivered' }, { body: 'x'.repeat(100_000) });
    expect(answer.status).toBe(413);
  });
});

describe('sending again', () => {
  it('makes a second email of it, once a day', async () => {
    const { id, notice, providerId } = await sent();
    await tell(providerId, { type: 'email.bounced', bounce: { type: 'Permanent' } });
    const before = (await resend.received()).length;
    const answers = await Promise.all([again(id, notice.id), again(id, notice.id)]);
    const [first, other] = answers.map(({ status }) => status).sort();
    expect(first).toBe(200);
    expect([409, 429]).toContain(other);
    const second = await noticeIn(id, 'sent');
    expect(second.againAt).toMatch(/^2029-12-21T12:0/);
    const received = (await resend.received()).slice(before);
    expect(received).toMatchObject([{ to: grace.user.email }]);
    expect(await again(id, notice.id)).toMatchObject({
      status: 429,
      json: { code: 'RATE_LIMITED', message: 'It was sent again already. Please wait a day.' },
    });
    // The bounce was one of the first email.
    await tell(providerId, { type: 'email.bounced', at: '2029-12-20T09:00:00Z' });
    expect(await noticeOf(id)).toMatchObject({ state: 'sent' });
    server.clock.set(new Date(server.deps.clock.now().getTime() + DAY_MS).toISOString());
    expect((await again(id, notice.id)).status).toBe(200);
  });

  it('happens three times in all', async () => {
    const { id, notice } = await sent();
    for (let times = 1; times <= 3; times += 1) {
      server.clock.advance({ minutes: 1_441 });
      expect((await again(id, notice.id)).status).toBe(200);
      await noticeIn(id, 'sent');
    }
    expect(await noticeOf(id)).toMatchObject({ againAt: null });
    server.clock.advance({ minutes: 1_441 });
    expect(await again(id, notice.id)).toMatchObject({
      status: 409,
      json: { message: "We've sent it to Grace Hopper three more times. We won't send it again." },
    });
  });

  it('to an invited person, only when our email could not be delivered', async () => {
    const email = `rose.${randomUUID()}@example.com`;
    expect((await ada.post('/user/invitations', { email })).status).toBe(202);
    const capsule = {
      ...(await seal(ada, { user: { email } }, {})),
      creator: null,
      notifyRecipient: true,
    };
    const [rose] = await server.deps.db.select().from(users).where(eq(users.email, email));
    const before = server.deps.clock.now().toISOString();
    server.clock.set('2030-01-01T12:00:00Z');
    const opened = [{ ...capsule, recipients: [{ id: String(rose?.id), email }] }];
    await server.deps.db.transaction((tx) => queueOpenedNotices(tx, server.deps, opened));
    server.deps.mailQueued();
    const { id: noticeId } = await noticeIn(capsule.id, 'sent');
    expect(await noticeOf(capsule.id)).toMatchObject({ againAt: null });
    expect(await again(capsule.id, noticeId)).toMatchObject({
      status: 409,
      json: { code: 'NOTICE_NOT_REPEATABLE', message: expect.stringContaining('no account yet') },
    });
    const bounced = { outcome: 'bounced' as const, outcomeAt: server.deps.clock.now() };
    const isIts = eq(sendings.emailId, noticeId);
    await server.deps.db.update(sendings).set(bounced).where(isIts);
    expect((await again(capsule.id, noticeId)).status).toBe(200);
    await noticeIn(capsule.id, 'sent');
    server.clock.set(before);
  });

  it('of one that its recipient does not want leaves what is known of the first', async () => {
    const { id, notice, providerId } = await sent();
    const at = server.deps.clock.now().toISOString();
    await tell(providerId, { type: 'email.delivered', at });
    expect((await grace.put('/user/notices', { waiting: false, opened: true })).status).toBe(200);
    expect((await again(id, notice.id)).status).toBe(200);
    const after = await noticeIn(id, 'delivered');
    const toMinute = at.replace(/\d\d\.\d{3}Z$/, '00.000Z');
    expect(after).toMatchObject({ id: notice.id, at: toMinute, sentAt: notice.sentAt });
    await grace.put('/user/notices', { waiting: true, opened: true });
  });

  it('is for the creator alone, and not for who called it spam', async () => {
    const { id, notice, providerId } = await sent();
    expect((await again(id, notice.id, grace)).json).toMatchObject({ code: 'CAPSULE_NOT_FOUND' });
    expect((await again(id, 'none')).json).toMatchObject({ code: 'NOTICE_NOT_FOUND' });
    await tell(providerId, { type: 'email.complained', at: '2029-12-21T12:05:00.000Z' });
    expect(await noticeOf(id)).toMatchObject({ state: 'complained', againAt: null });
    expect(await again(id, notice.id)).toMatchObject({
      status: 409,
      json: { message: "Grace Hopper marked it as spam. We won't send it to them again." },
    });
  });
});
