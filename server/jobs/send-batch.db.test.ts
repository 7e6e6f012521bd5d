import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { GO_ON, type Person, START, sharedMailWorld } from '../../tests/support/mail-world.ts';
import { claimBatch } from '../db/emails/mail-claims.ts';
import { capsules, users } from '../db/schema.ts';
import { receiveDelivery } from '../domain/emails/delivery.ts';
import { queuePasswordResetMail, queueWaitingNotices } from '../domain/emails/notices.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type ResendHarness, startResend } from '../mail/resend.support.ts';
import { sendDueMail } from './send-mail.ts';

const MINUTE_MS = 60_000;
const LEASE_MS = 10 * MINUTE_MS;

const { database, world } = sharedMailWorld();
let resend: ResendHarness;
let ada: Person;
beforeEach(async () => {
  resend = await startResend();
  ada = await world.addPerson('Ada');
});
afterEach(() => resend.close());

const pass = () => sendDueMail({ ...world.deps, mailer: resend.mailer }, GO_ON);
const claim = () => {
  const { clock, db, ids } = world.deps;
  const lease = { now: clock.now(), leaseMs: LEASE_MS, limit: 100 };
  return claimBatch(db, { ...lease, newId: ids.uuid() });
};
const told = async () => (await resend.received()).map(({ to }) => to).sort();
const calls = () => resend.requests.map(({ path, emails }) => `${path} ${emails}`);

/** "Is waiting" for so many people. */
async function queueNotices(count: number): Promise<Person[]> {
  const people = await Promise.all(Array.from({ length: count }, () => world.addPerson('Tim')));
  const capsule = await world.addCapsule(ada, people);
  await queueWaitingNotices(database.db, world.deps, capsule, people);
  return people;
}
const addressesOf = (people: Person[]) => people.map(({ email }) => email).sort();

describe('notices, to a provider that takes batches', () => {
  it('go a hundred by one call, each once', async () => {
    const people = await queueNotices(230);
    await pass();
    await pass();
    expect(calls()).toEqual(['/emails/batch 100', '/emails/batch 100', '/emails/batch 30']);
    expect(await told()).toEqual(addressesOf(people));
    const rows = await world.mailRows();
    expect(new Set(rows.map(({ state, attempts }) => `${state} ${attempts}`))).toEqual(
      new Set(['sent 1']),
    );
  });

  it('go after what a person waits for', async () => {
    await queueNotices(3);
    world.advance(1_000);
    const request = { email: ada.email, requestedBy: 'home' };
    await queuePasswordResetMail(database.db, world.deps, request);
    await pass();
    expect(calls()).toEqual(['/emails 1', '/emails/batch 3']);
  });

  it('go once when the answer is lost', async () => {
    const people = await queueNotices(30);
    resend.loseNextAnswer();
    await pass();
    world.advance(MINUTE_MS);
    await pass();
    expect(calls()).toEqual(['/emails/batch 30', '/emails/batch 30']);
    expect(await told()).toEqual(addressesOf(people));
    expect(await world.mailRows()).toMatchObject(people.map(() => ({ state: 'sent' })));
  });

  it('go once when the answer is lost and one of the people has gone since', async () => {
    const people = await queueNotices(30);
    resend.loseNextAnswer();
    await pass();
    await database.db.delete(users).where(eq(users.id, people[0]?.id ?? ''));
    world.advance(MINUTE_MS);
    await queueNotices(5);
    await pass();
    expect(calls()).toEqual(['/emails/batch 30', '/emails/batch 29', '/emails/batch 5']);
    expect(await told()).toHaveLength(35);
  });

  it('are known by their tag when the answer is lost', async () => {
    const people = await queueNotices(2);
    const [tim] = people;
    await database.db
      .update(users)
      .set({ secondEmail: 'tim.second@example.com' })
      .where(eq(users.id, tim?.id ?? ''));
    resend.loseNextAnswer();
    await pass();
    const [row] = (await world.mailRows()).filter(({ userId }) => userId === tim?.id);
    const at = world.deps.clock.now();
    const event = { providerId: 'in the lost answer', mailId: row?.id, at };
    const bounced = { ...event, delivery: 'bounced' as const };
    // The answer may still be on its way.
    const early = receiveDelivery(world.deps, bounced);
    await expect(early).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    world.advance(60 * MINUTE_MS);
    expect(await receiveDelivery(world.deps, bounced)).toBe(true);
    await pass();
    await pass();
    expect(await told()).toEqual([...addressesOf(people), 'tim.second@example.com'].sort());
    // The email to the second address is another one.
    expect(await receiveDelivery(world.deps, { ...event, delivery: 'complained' })).toBe(false);
  });

  it('are known by their tag once the provider says that it has taken them in another text', async () => {
    const people = await queueNotices(2);
    resend.loseNextAnswer();
    await pass();
    await database.db.update(users).set({ name: 'Ada King' }).where(eq(users.id, ada.id));
    world.advance(MINUTE_MS);
    await pass();
    expect(await told()).toEqual(addressesOf(people));
    const [row] = await world.mailRows();
    const at = world.deps.clock.now();
    const event = { providerId: 'in the lost answer', mailId: row?.id, at };
    expect(await receiveDelivery(world.deps, { ...event, delivery: 'delivered' })).toBe(true);
  });

  it('stay with their addresses when the answer is lost, and take new ones when it was a refusal', async () => {
    const people = await queueNotices(3);
    const [tim] = people;
    const move = (email: string) =>
      database.db
        .update(users)
        .set({ email })
        .where(eq(users.id, tim?.id ?? ''));
    resend.answerWith({ status: 401, name: 'invalid_api_key' });
    await pass();
    await move('moved@example.com');
    resend.answerWith(null);
    resend.loseNextAnswer();
    world.advance(MINUTE_MS);
    await pass();
    await move('moved-on@example.com');
    world.advance(2 * MINUTE_MS);
    await pass();
    expect(calls()).toHaveLength(3);
    expect(await told()).toEqual([...addressesOf(people.slice(1)), 'moved@example.com'].sort());
    const rows = await world.mailRows();
    expect(rows.map(({ toAddress }) => toAddress).sort()).toEqual(await told());
  });

  it('end as unknown when the answers stay away for two lives of the key', async () => {
    const people = await queueNotices(3);
    const unlockAt = new Date('2050-01-01T00:00:00Z');
    await database.db.update(capsules).set({ unlockAt });
    resend.answerWith({ status: 502, name: 'bad_gateway' });
    for (let hours = 0; hours < 72; hours += 6) {
      await pass();
      world.advance(6 * 60 * MINUTE_MS);
    }
    const rows = await world.mailRows();
    expect(rows).toMatchObject(
      people.map(() => ({ state: 'failed', delivery: null, resent: true })),
    );
    expect(rows.filter(({ unknownSince }) => unknownSince === null)).toEqual([]);

    // Until the provider tells of one of them after all.
    const mailId = rows[0]?.id ?? '';
    const providerId = 'in a lost answer';
    const at = new Date(START.getTime() + MINUTE_MS);
    const tell = (id: string) =>
      receiveDelivery(world.deps, { providerId, mailId: id, delivery: 'delivered', at });
    expect(await tell(`${mailId}-second`)).toBe(false);
    expect(await tell(mailId)).toBe(true);
    const after = await world.mailRows();
    const settled = { state: 'sent', delivery: 'delivered', sentAt: at, providerId };
    expect(after.find(({ id }) => id === mailId)).toMatchObject(settled);
    expect(after.filter(({ state }) => state === 'sent')).toHaveLength(1);
  });

  it('go once when the process died after the call', async () => {
    const people = await queueNotices(30);
    const { sendAll, ...mailer } = resend.mailer;
    const died = new Promise<void>((resolve) => {
      const dying: Mailer = {
        ...mailer,
        async sendAll(letters, key) {
          await sendAll?.(letters, key);
          resolve();
          return new Promise(() => {});
        },
      };
      void sendDueMail({ ...world.deps, mailer: dying }, GO_ON);
    });
    await died;
    await pass();
    expect(calls()).toEqual(['/emails/batch 30']);
    world.advance(LEASE_MS);
    await pass();
    expect(calls()).toEqual(['/emails/batch 30', '/emails/batch 30']);
    expect(await told()).toEqual(addressesOf(people));
    expect(await world.mailRows()).toMatchObject(people.map(() => ({ state: 'sent' })));
  });

  it('that belong to one batch are taken by one process', async () => {
    await queueNotices(100);
    const first = await claim();
    world.advance(LEASE_MS);
    const claims = await Promise.all([claim(), claim(), claim(), claim()]);
    expect(claims.map(({ rows }) => rows.length).sort()).toEqual([0, 0, 0, 100]);
    const again = claims.find(({ rows }) => rows.length > 0);
    expect(again).toMatchObject({ id: first.id, isNew: false });
    expect(again?.rows.map(({ id }) => id)).toEqual(first.rows.map(({ id }) => id));
  });

  it('go once from several processes', async () => {
    const people = await queueNotices(430);
    await Promise.all([pass(), pass(), pass()]);
    expect(await told()).toEqual(addressesOf(people));
  });

  it('wait together as long as the provider asks', async () => {
    const people = await queueNotices(30);
    const headers = { 'retry-after': '60' };
    resend.answerWith({ status: 429, name: 'rate_limit_exceeded', headers });
    for (let times = 0; times < 12; times += 1) {
      await pass();
      world.advance(MINUTE_MS);
    }
    resend.answerWith(null);
    await pass();
    expect(new Set(calls())).toEqual(new Set(['/emails/batch 30']));
    expect(await told()).toEqual(addressesOf(people));
  });

  it('find the one that is refused, and send the others', async () => {
    const people = await queueNotices(100);
    const [nobody, ...others] = people;
    resend.refuseAddress(nobody?.email ?? '');
    await pass();
    expect(await told()).toEqual(addressesOf(others));
    expect(calls().length).toBeLessThan(20);
    const failed = (await world.mailRows()).filter(({ state }) => state !== 'sent');
    expect(failed).toMatchObject([{ state: 'failed', toAddress: nobody?.email, attempts: 1 }]);
  });

  it('leave the batch beyond ten an hour to one person, and go as one email later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    for (let index = 0; index < 12; index += 1) {
      const capsule = await world.addCapsule(ada, [ada]);
      await queueWaitingNotices(database.db, world.deps, capsule, [ada]);
    }
    await pass();
    vi.setSystemTime(Date.now() + 61 * MINUTE_MS);
    world.advance(61 * MINUTE_MS);
    await pass();
    expect(calls()).toEqual(['/emails/batch 10', '/emails 1']);
    expect(await world.mailRows()).toMatchObject(
      Array.from({ length: 12 }, () => ({ state: 'sent' })),
    );
  });

  it('leave the batch when they are not true any more', async () => {
    await queueNotices(3);
    await database.db.delete(users);
    ada = await world.addPerson('Ada');
    const capsule = await world.addCapsule(ada, [ada], { unlockAt: START });
    await queueWaitingNotices(database.db, world.deps, capsule, [ada]);
    await pass();
    expect(calls()).toEqual([]);
    expect(await world.mailRows()).toMatchObject([{ state: 'dropped' }]);
  });
});
