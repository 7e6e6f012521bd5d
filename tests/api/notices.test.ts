import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { notices, sendings } from '../../server/db/schema.ts';
import { queueOpenedNotices } from '../../server/domain/emails/queue.ts';
import { MailboxRefusedError, MailRefusedError } from '../../server/mail/mailer.ts';
import { listNotices, type Notice } from '../../shared/api/notices.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = sharedServer({ clock: '2029-12-20T12:00:00Z' });
let ada: SignedIn;
let grace: SignedIn;
beforeAll(async () => {
  [ada, grace] = await Promise.all([
    signUp(server.url, 'Ada Lovelace'),
    signUp(server.url, 'Grace Hopper'),
  ]);
});

const noticesOf = async (person: SignedIn, id: string): Promise<Notice[]> =>
  answerOf(listNotices, await person.get(`/api/capsules/${id}/notices`)).notices;

/** The notices, once they are all in this state. */
const settled = (id: string, state: Notice['state']) =>
  until(async () => {
    const notices = await noticesOf(ada, id);
    return notices.length > 0 && notices.every((notice) => notice.state === state) ? notices : null;
  });

it('a creator sees for each recipient that the mail has gone, first of the waiting, then of the opening', async () => {
  const { id } = await seal(ada, grace, {
    recipientEmails: [grace.user.email, ada.user.email],
    notifyRecipient: true,
  });
  const waiting = await settled(id, 'sent');
  // Whoever knows an email's key could report that it came back.
  const sent = server.mailer.sent.map(({ id }) => id);
  expect(waiting.filter((notice) => sent.includes(notice.id))).toEqual([]);
  expect(waiting).toEqual([
    {
      recipientName: 'Grace Hopper',
      recipientEmail: grace.user.email,
      kind: 'capsule-waiting',
      id: expect.any(String),
      state: 'sent',
      at: expect.stringMatching(/^2029-12-20T/),
      sentAt: expect.stringMatching(/^2029-12-20T/),
      againAt: expect.stringMatching(/^2029-12-20T/),
    },
    expect.objectContaining({ recipientName: 'Ada Lovelace', state: 'sent' }),
  ]);
  const people = { creator: ada.user, recipients: [grace.user, ada.user] };
  const capsule = { id, notifyRecipient: true, ...people };
  server.clock.set('2030-01-01T00:00:00Z');
  await server.deps.db.transaction((tx) => queueOpenedNotices(tx, server.deps, [capsule]));
  server.deps.mailQueued();
  // Each recipient and notice, the newest first; what a newer one has replaced isn't sent again.
  const told = await until(async () => {
    const notices = await settled(id, 'sent');
    return notices.length === 4 ? notices : null;
  });
  expect(
    told.map(({ recipientName, kind, againAt }) => [recipientName, kind, againAt !== null]),
  ).toEqual([
    ['Grace Hopper', 'capsule-opened', true],
    ['Grace Hopper', 'capsule-waiting', false],
    ['Ada Lovelace', 'capsule-opened', true],
    ['Ada Lovelace', 'capsule-waiting', false],
  ]);
  const again = await ada.post(`/api/capsules/${id}/notices/${told[1]?.id}/again`);
  expect(again.status).toBe(409);
  expect(again.json).toMatchObject({
    code: 'NOTICE_NOT_REPEATABLE',
    message: "We've since told Grace Hopper that it has opened.",
  });
  server.clock.set('2029-12-20T12:00:00Z');
});

it('a refused address is told from mail that has not gone yet', async () => {
  server.mailer.failNext(1, new MailboxRefusedError('550 no such mailbox at mx7.internal'));
  const { id } = await seal(ada, grace, { notifyRecipient: true });
  const [notice] = await settled(id, 'bounced');
  expect(notice).toMatchObject({ kind: 'capsule-waiting', sentAt: null });
  expect(JSON.stringify(notice)).not.toContain('mx7');
  server.mailer.failNext(1, new MailRefusedError('552 5.2.2 mailbox full'));
  const full = await seal(ada, grace, { notifyRecipient: true });
  expect(await settled(full.id, 'failed')).toHaveLength(1);
  server.mailer.failNext(1);
  const later = await seal(ada, grace, { notifyRecipient: true });
  expect((await settled(later.id, 'queued')).length).toBe(1);
});

it('an email that may have arrived is told from one that has not', async () => {
  const { id } = await seal(ada, grace, { notifyRecipient: true });
  await settled(id, 'sent');
  const begunAt = new Date('2029-12-20T12:00:00Z');
  const { db } = server.deps;
  const [about] = await db.select().from(notices).where(eq(notices.capsuleId, id));
  await db
    .update(sendings)
    .set({ outcome: 'unknown', sentAt: null, begunAt })
    .where(eq(sendings.emailId, about?.emailId ?? ''));
  const [notice] = await settled(id, 'unknown');
  expect(notice).toMatchObject({
    at: '2029-12-20T12:00:00.000Z',
    sentAt: null,
    againAt: expect.stringMatching(/^2029-12-20T/),
  });
});

it('without a notice there is nothing to see, and nobody but the creator may look', async () => {
  const { id } = await seal(ada, grace, { notifyRecipient: false });
  expect(await noticesOf(ada, id)).toEqual([]);
  for (const path of [`/api/capsules/${id}/notices`, '/api/capsules/none/notices']) {
    const answer = await grace.get(path);
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ code: 'CAPSULE_NOT_FOUND' });
  }
});
