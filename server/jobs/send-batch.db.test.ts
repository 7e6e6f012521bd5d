import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { GO_ON, type Person, START, sharedMailWorld } from '../../tests/support/mail-world.ts';
import { rare } from '../../tests/support/rare.ts';
import { putInBin } from '../db/capsules/bin.ts';
import { claimBatch } from '../db/emails/sendings.ts';
import { capsules, invitations, users } from '../db/schema.ts';
import { restoreCapsule } from '../domain/capsules/bin.ts';
import { receiveDelivery } from '../domain/emails/delivery.ts';
import { queueEmails, queueOpenedNotices, queueWaitingNotices } from '../domain/emails/queue.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type ResendHarness, startResend } from '../mail/resend.support.ts';
import { sendDueEmails } from './send-emails.ts';

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

const pass = () => sendDueEmails({ ...world.deps, mailer: resend.mailer }, GO_ON);
const claim = () => {
  const { clock, db, ids } = world.deps;
  const lease = { now: clock.now(), leaseMs: LEASE_MS, limit: 100 };
  return claimBatch(db, { ...lease, newId: ids.uuid() });
};
const dropTrigger = async () =>
  void (await database.db.execute(sql`drop function if exists no_link cascade`));
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
    const rows = await world.sendings();
    expect(new Set(rows.map(({ outcome, attempts }) => `${outcome} ${attempts}`))).toEqual(
      new Set(['sent 1']),
    );
  });

  it("go without the one that can't be rendered, which is tried again", async () => {
    const people = await queueNotices(3);
    const invited = await world.addPerson('Ida', { passwordHash: null });
    const invitation = { id: randomUUID(), inviterId: ada.id, userId: invited.id, name: 'Ida' };
    const row = { ...invitation, addressHash: invited.email, createdAt: START };
    await database.db.insert(invitations).values(row);
    const opened = await world.addCapsule(ada, [invited], { unlockAt: START });
    await queueOpenedNotices(database.db, world.deps, [
      { ...opened, creator: ada, recipients: [invited] },
    ]);
    // As if they had been deleted in this moment: their link can't be stored.
    await database.db.execute(
      sql.raw(`
      create function no_link() returns trigger language plpgsql as $$ begin
        if new.user_id = '${invited.id}' then raise foreign_key_violation; end if; return new;
      end $$;
      create trigger no_link before insert on link_tokens for each row execute function no_link()`),
    );
    onTestFinished(() => dropTrigger());
    await pass();
    expect(await told()).toEqual(addressesOf([...people, ada]));
    await dropTrigger();
    world.advance(MINUTE_MS);
    await pass();
    expect(await told()).toEqual(addressesOf([...people, ada, invited]));
  });

  it('go after what a person waits for', async () => {
    await queueNotices(3);
    world.advance(1_000);
    const request = { email: ada.email, requestedBy: 'home' };
    await queueEmails(database.db, world.deps, 'password-reset', [{ id: null, ...request }]);
    await pass();
    expect(calls()).toEqual(['/emails/batch 1', '/emails/batch 3']);
  });

  it('go once when the answer is lost', async () => {
    const people = await queueNotices(30);
    resend.loseNextAnswer();
    await pass();
    world.advance(MINUTE_MS);
    await pass();
    expect(calls()).toEqual(['/emails/batch 30', '/emails/batch 30']);
    expect(await told()).toEqual(addressesOf(people));
    expect(await world.sendings()).toMatchObject(people.map(() => ({ outcome: 'sent' })));
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

  it('may go twice, and are known as such, when the answer is lost and the others go without one', async () => {
    const eve = await world.addPerson('Eve');
    const tim = await world.addPerson('Tim');
    await queueWaitingNotices(database.db, world.deps, await world.addCapsule(eve, [tim]), [tim]);
    await queueNotices(2);
    resend.loseNextAnswer();
    await pass();
    const suspend = (suspendedAt: Date | null) =>
      database.db.update(users).set({ suspendedAt }).where(eq(users.id, eve.id));
    await suspend(world.deps.clock.now());
    world.advance(MINUTE_MS);
    await pass();
    await suspend(null);
    world.advance(60 * MINUTE_MS);
    await pass();
    expect(calls()).toEqual(['/emails/batch 3', '/emails/batch 2', '/emails/batch 1']);
    const theirs = (await world.sendings()).filter(({ email }) => email.userId === tim.id);
    expect(theirs).toMatchObject([{ isSecondTry: true, outcome: 'sent' }]);
  });

  it('are not told again when the answer is lost and their capsule comes back from the bin', async () => {
    const [tim] = await queueNotices(1);
    const [row] = await world.sendings();
    const capsuleId = row?.email.capsuleIds[0] ?? '';
    resend.loseNextAnswer();
    await pass();
    const binned = { id: world.deps.ids.uuid(), capsuleId, ownerId: ada.id, now: START };
    await database.db.transaction((tx) => putInBin(tx, binned));
    world.advance(MINUTE_MS);
    await pass();
    await restoreCapsule(world.deps, { userId: ada.id }, capsuleId);
    await pass();
    expect(await told()).toEqual([tim?.email]);
    expect(await world.sendings()).toMatchObject([{ outcome: 'unknown' }]);
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
    const [row] = (await world.sendings()).filter(({ email }) => email.userId === tim?.id);
    const at = world.deps.clock.now();
    const event = { providerId: 'in the lost answer', sendingId: row?.id, at };
    const bounced = { ...event, outcome: 'bounced' as const };
    expect(await receiveDelivery(world.deps, bounced)).toBe(true);
    await pass();
    await pass();
    expect(await told()).toEqual([...addressesOf(people), 'tim.second@example.com'].sort());
    // What is told of it later says nothing about the one to the second address.
    expect(await receiveDelivery(world.deps, { ...event, outcome: 'complained' })).toBe(true);
    const theirs = (await world.sendings()).filter(({ email }) => email.userId === tim?.id);
    expect(theirs.map(({ outcome }) => outcome)).toEqual(['complained', 'sent']);
  });

  it('are known by their tag once the provider says that it has taken them in another text', async () => {
    const people = await queueNotices(2);
    resend.loseNextAnswer();
    await pass();
    await database.db.update(users).set({ name: 'Ada King' }).where(eq(users.id, ada.id));
    world.advance(MINUTE_MS);
    await pass();
    expect(await told()).toEqual(addressesOf(people));
    const [row] = await world.sendings();
    const at = world.deps.clock.now();
    const event = { providerId: 'in the lost answer', sendingId: row?.id, at };
    expect(await receiveDelivery(world.deps, { ...event, outcome: 'delivered' })).toBe(true);
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
    const rows = await world.sendings();
    expect(rows.map(({ address }) => address).sort()).toEqual(await told());
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
    const rows = await world.sendings();
    expect(rows).toMatchObject(people.map(() => ({ isSecondTry: true, outcome: 'unknown' })));
    expect(rows.filter(({ begunAt }) => begunAt === null)).toEqual([]);

    // Until the provider tells of one of them after all.
    const sendingId = rows[0]?.id ?? '';
    const providerId = 'in a lost answer';
    const at = new Date(START.getTime() + MINUTE_MS);
    const tell = (id: string) =>
      receiveDelivery(world.deps, { providerId, sendingId: id, outcome: 'delivered', at });
    expect(await tell(world.deps.ids.uuid())).toBe(false);
    expect(await tell(sendingId)).toBe(true);
    const after = await world.sendings();
    const settled = { outcome: 'delivered', outcomeAt: at, sentAt: at, providerId };
    expect(after.find(({ id }) => id === sendingId)).toMatchObject(settled);
    expect(after.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(people.length - 1);
  });

  it('go once when the process died after the call', async () => {
    const people = await queueNotices(30);
    const { send, ...mailer } = resend.mailer;
    const died = new Promise<void>((resolve) => {
      const dying: Mailer = {
        ...mailer,
        async send(...given) {
          await send(...given);
          resolve();
          return new Promise(() => {});
        },
      };
      void sendDueEmails({ ...world.deps, mailer: dying }, GO_ON);
    });
    await died;
    await pass();
    expect(calls()).toEqual(['/emails/batch 30']);
    world.advance(LEASE_MS);
    await pass();
    expect(calls()).toEqual(['/emails/batch 30', '/emails/batch 30']);
    expect(await told()).toEqual(addressesOf(people));
    expect(await world.sendings()).toMatchObject(people.map(() => ({ outcome: 'sent' })));
  });

  it('that belong to one batch are taken by one process', async () => {
    await queueNotices(100);
    const first = await claim();
    world.advance(LEASE_MS);
    const claims = await Promise.all([claim(), claim(), claim(), claim()]);
    expect(claims.map(({ length }) => length).sort()).toEqual([0, 0, 0, 100]);
    const again = claims.find(({ length }) => length > 0);
    const named = (batch?: typeof first) => batch?.map(({ id, batchId }) => `${id} ${batchId}`);
    expect(named(again)).toEqual(named(first));
  });

  rare('go once from several processes', async () => {
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

  rare('find the one that is refused, and send the others', async () => {
    const people = await queueNotices(100);
    const [nobody, ...others] = people;
    resend.refuseAddress(nobody?.email ?? '');
    await pass();
    expect(await told()).toEqual(addressesOf(others));
    expect(calls().length).toBeLessThan(20);
    const failed = (await world.sendings()).filter(({ outcome }) => outcome !== 'sent');
    expect(failed).toMatchObject([{ outcome: 'failed', address: nobody?.email, attempts: 1 }]);
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
    expect(calls()).toEqual(['/emails/batch 10', '/emails/batch 1']);
    expect(await world.sendings()).toMatchObject(
      Array.from({ length: 11 }, () => ({ outcome: 'sent' })),
    );
  });

  it('go by another call when one of them was too early for the first', async () => {
    const tim = await world.addPerson('Tim');
    const opensAt = new Date(START.getTime() + 60 * MINUTE_MS);
    for (const [person, unlockAt] of [
      [tim, opensAt],
      [ada, START],
    ] as const) {
      const capsule = await world.addCapsule(ada, [person], { unlockAt });
      const opened = { ...capsule, creator: null, notifyRecipient: false, recipients: [person] };
      await queueOpenedNotices(database.db, world.deps, [opened]);
    }
    await pass();
    expect(await told()).toEqual([ada.email]);
    world.setNow(opensAt);
    await pass();
    expect(await told()).toEqual([ada.email, tim.email].sort());
  });

  it('go at once without somebody who has left while they were sent', async () => {
    const people = await queueNotices(3);
    const { send, ...mailer } = resend.mailer;
    let isFirst = true;
    const leaving: Mailer = {
      ...mailer,
      async send(...given) {
        const [leaver] = people;
        if (isFirst) await database.db.delete(users).where(eq(users.id, leaver?.id ?? ''));
        isFirst = false;
        return send(...given);
      },
    };
    await sendDueEmails({ ...world.deps, mailer: leaving }, GO_ON);
    expect(await told()).toEqual(addressesOf(people.slice(1)));
  });

  rare('tell one person of more capsules than a statement takes parameters', async () => {
    await database.sql`insert into capsules (id, creator_id, title, description, personal_message,
        date_to_unlock, time_zone, unlock_at, notify_recipient, media_count, total_bytes, created_at)
      select gen_random_uuid(), ${ada.id}, 'T', '', '', '2030-05-04', 'UTC', '2030-05-04', false, 0, 0,
        '2030-01-01' from generate_series(1, 70000)`;
    const { emailId } = await world.addSending(ada, {
      ...{ outcome: null, outcomeAt: null, sentAt: null, begunAt: null, address: null },
      nextAttemptAt: START,
    });
    await database.sql`insert into notices (capsule_id, kind, user_id, email_id)
      select id, 'capsule-opened', ${ada.id}, ${emailId} from capsules`;
    await pass();
    expect((await resend.received()).map(({ subject }) => subject)).toEqual([
      '70000 time capsules have opened',
    ]);
  });

  rare('leave the batch when they are not true any more', async () => {
    await queueNotices(3);
    await database.db.delete(users);
    ada = await world.addPerson('Ada');
    const capsule = await world.addCapsule(ada, [ada], { unlockAt: START });
    await queueWaitingNotices(database.db, world.deps, capsule, [ada]);
    await pass();
    expect(calls()).toEqual([]);
    expect(await world.sendings()).toMatchObject([{ outcome: 'dropped' }]);
  });
});
