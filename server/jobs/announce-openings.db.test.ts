import { eq, inArray } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { untilWaiting } from '../../tests/support/lock-waits.ts';
import { GO_ON, type Person, sharedMailWorld } from '../../tests/support/mail-world.ts';
import { hashToken } from '../auth/token-hash.ts';
import { removeUser } from '../db/accounts/account-deletion.ts';
import { insertLinks } from '../db/accounts/link-tokens.ts';
import { claimOpenedCapsules } from '../db/emails/openings.ts';
import { capsules, emails, notices as noticeRows, sendings, users } from '../db/schema.ts';
import { refuseInvitation } from '../domain/accounts/invitations.ts';
import { announceOpenings } from './announce-openings.ts';
import { sendDueEmails } from './send-emails.ts';

const UNLOCK_AT = new Date('2030-05-05T00:00:00Z');
const YEAR_MS = 365 * 86_400_000;

const { database, world } = sharedMailWorld();
let ada: Person;
let tim: Person;
beforeEach(async () => {
  ada = await world.addPerson('Ada');
  tim = await world.addPerson('Tim');
});

const pass = () => announceOpenings(world.deps, GO_ON);
/** Without the reminders of a month later. */
const notices = async () =>
  database.db
    .select({ capsuleId: noticeRows.capsuleId, userId: users.id, email: users.email })
    .from(noticeRows)
    .innerJoin(users, eq(users.id, noticeRows.userId))
    .where(eq(noticeRows.kind, 'capsule-opened'));
const told = async () => (await notices()).map(({ email }) => email).sort();

describe('announceOpenings', () => {
  it('tells nobody a millisecond before the instant, and all of them at it', async () => {
    await world.addCapsule(ada, [tim]);
    world.setNow(new Date(UNLOCK_AT.getTime() - 1));
    await pass();
    expect(await told()).toEqual([]);
    world.setNow(UNLOCK_AT);
    await pass();
    expect(await told()).toEqual([ada.email, tim.email]);
  });

  it('tells whatever the switch for waiting notices says', async () => {
    await world.addCapsule(ada, [tim], { notifyRecipient: false });
    world.setNow(UNLOCK_AT);
    await pass();
    expect(await told()).toEqual([ada.email, tim.email]);
  });

  it('tells once, however often it looks and even after sent mail has been cleared away', async () => {
    await world.addCapsule(ada, [ada]);
    world.setNow(UNLOCK_AT);
    await pass();
    await pass();
    expect(await told()).toEqual([ada.email]);
    await sendDueEmails(world.deps, GO_ON);
    await database.db.delete(emails);
    await pass();
    expect(await told()).toEqual([]);
  });

  it('tells once when several processes look at once', async () => {
    for (let index = 0; index < 70; index += 1) await world.addCapsule(ada, [tim]);
    world.setNow(UNLOCK_AT);
    await Promise.all([pass(), pass(), pass(), pass()]);
    // One that found the rest held by others leaves it to them.
    await pass();
    const rows = await notices();
    expect(rows).toHaveLength(140);
    expect(new Set(rows.map((row) => `${row.capsuleId} ${row.userId}`)).size).toBe(140);
  });

  it('leaves to another process what that one holds, without waiting for it', async () => {
    const held = await world.addCapsule(ada, [tim]);
    world.setNow(UNLOCK_AT);
    await database.db.transaction(async (tx) => {
      await claimOpenedCapsules(tx, { now: UNLOCK_AT, limit: 20 });
      const free = await world.addCapsule(ada, [ada]);
      await pass();
      expect((await notices()).map(({ capsuleId }) => capsuleId)).toEqual([free.id]);
    });
    await pass();
    expect((await notices()).map(({ capsuleId }) => capsuleId)).toContain(held.id);
  });

  it.each(['refuses', 'leaves'])('waits for nobody who %s in that moment', async (how) => {
    const { db } = database;
    const rose = await world.addPerson('Rose', { passwordHash: null });
    const { id } = await world.addCapsule(ada, [tim, rose]);
    world.setNow(UNLOCK_AT);
    const expiresAt = new Date(UNLOCK_AT.getTime() + YEAR_MS);
    const link = { tokenHash: hashToken(how), userId: rose.id, sentTo: rose.email, expiresAt };
    await insertLinks(db, [{ ...link, purpose: 'invitation' }]);
    const refuse = () => refuseInvitation(world.deps, how);
    const leave = () => db.transaction((tx) => removeUser(tx, rose));
    // An array, or the transaction would wait for them.
    const both = await db.transaction(async (tx) => {
      // Between claiming the capsule and telling Rose, the pass has to tell Tim.
      await tx.select().from(users).where(eq(users.id, tim.id)).for('update');
      const passing = pass();
      await Promise.race([passing, untilWaiting(db, 1)]);
      const going = how === 'refuses' ? refuse() : leave();
      await Promise.race([going, untilWaiting(db, 2)]);
      return [passing, going];
    });
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
    ]);
    await pass();
    expect(await told()).toEqual([ada.email, tim.email]);
    const [capsule] = await db.select().from(capsules).where(eq(capsules.id, id));
    expect(capsule?.refusals).toBe(how === 'refuses' ? 1 : 0);
  });

  it('tells of all that opened during years of downtime', async () => {
    await world.addCapsule(ada, [tim]);
    await world.addCapsule(ada, [tim], { unlockAt: new Date(UNLOCK_AT.getTime() + YEAR_MS) });
    await world.addCapsule(ada, [tim], { unlockAt: new Date(UNLOCK_AT.getTime() + 9 * YEAR_MS) });
    world.setNow(new Date(UNLOCK_AT.getTime() + 5 * YEAR_MS));
    await pass();
    await sendDueEmails(world.deps, GO_ON);
    expect(world.deps.mailer.sent).toHaveLength(4);
  });

  it('tells again on the day what a clock that was ahead has told, sent or not', async () => {
    await world.addCapsule(ada, [ada]);
    const later = { unlockAt: new Date(UNLOCK_AT.getTime() + YEAR_MS) };
    await world.addCapsule(ada, [tim], later);
    world.setNow(new Date(UNLOCK_AT.getTime() + 2 * YEAR_MS));
    await pass();
    await sendDueEmails(world.deps, GO_ON);
    const tims = database.db
      .select({ id: emails.id })
      .from(emails)
      .where(eq(emails.userId, tim.id));
    await database.db
      .update(sendings)
      .set({ outcome: 'failed', outcomeAt: world.deps.clock.now(), nextAttemptAt: null })
      .where(inArray(sendings.emailId, tims));
    world.deps.mailer.clear();

    world.setNow(UNLOCK_AT);
    await pass();
    expect(await told()).toEqual([ada.email]);
    await sendDueEmails(world.deps, GO_ON);
    expect(world.deps.mailer.sent).toEqual([]);
    world.setNow(later.unlockAt);
    await pass();
    await sendDueEmails(world.deps, GO_ON);
    expect(world.deps.mailer.sent.map(({ to }) => to).sort()).toEqual(
      [ada.email, tim.email].sort(),
    );
  });

  it('takes back more than one handful', async () => {
    for (let index = 0; index < 45; index += 1) await world.addCapsule(ada, [ada]);
    world.setNow(UNLOCK_AT);
    await pass();
    world.setNow(new Date(UNLOCK_AT.getTime() - YEAR_MS));
    await pass();
    expect(await notices()).toEqual([]);
  });

  it('takes nothing back for another server whose clock is a little behind', async () => {
    await world.addCapsule(ada, [ada]);
    world.setNow(UNLOCK_AT);
    await pass();
    await sendDueEmails(world.deps, GO_ON);
    world.setNow(new Date(UNLOCK_AT.getTime() - 2_000));
    await pass();
    world.setNow(UNLOCK_AT);
    await pass();
    await sendDueEmails(world.deps, GO_ON);
    expect(world.deps.mailer.sent).toHaveLength(1);
  });

  it('marks nothing as told when the notices could not be queued', async () => {
    await world.addCapsule(ada, [tim]);
    world.setNow(UNLOCK_AT);
    let left = 1;
    const uuid = () => {
      left -= 1;
      if (left < 0) throw new Error('half-way');
      return world.deps.ids.uuid();
    };
    const breaking = { ...world.deps, ids: { ...world.deps.ids, uuid } };
    await expect(announceOpenings(breaking, GO_ON)).rejects.toThrow('half-way');
    expect(await told()).toEqual([]);
    await pass();
    expect(await told()).toEqual([ada.email, tim.email]);
  });

  describe('while very many notices are still to be sent', () => {
    beforeEach(async () => {
      for (let index = 0; index < 60; index += 1) await world.addCapsule(ada, [ada]);
      world.setNow(UNLOCK_AT);
    });
    const queueMany = async (dueAt: Date) => {
      await database.sql`insert into emails (id, kind, user_id, is_about_capsules, created_at)
        select gen_random_uuid(), 'capsule-opened', ${tim.id}, true, ${dueAt.toISOString()}
        from generate_series(1, 5000)`;
      await database.sql`insert into sendings
          (id, email_id, number, cause, urgency, slot, next_attempt_at, created_at)
        select gen_random_uuid(), id, 1, 'first', 1, 'main', created_at, created_at from emails`;
    };
    const announced = async () =>
      (await notices()).filter(({ email }) => email === ada.email).length;

    it('goes on slowly, so that browsers are told though no email leaves', async () => {
      await queueMany(UNLOCK_AT);
      await pass();
      expect(await announced()).toBe(50);
      await pass();
      expect(await announced()).toBe(60);
    });

    it('goes on at once if they are to be sent later', async () => {
      await queueMany(new Date(UNLOCK_AT.getTime() + 1));
      await pass();
      expect(await announced()).toBe(60);
    });
  });

  it('wakes the mail job only when there is something to send', async () => {
    let woken = 0;
    const deps = { ...world.deps, mailQueued: () => (woken += 1) };
    await announceOpenings(deps, GO_ON);
    expect(woken).toBe(0);
    await world.addCapsule(ada, [tim]);
    world.setNow(UNLOCK_AT);
    await announceOpenings(deps, GO_ON);
    expect(woken).toBe(1);
  });
});
