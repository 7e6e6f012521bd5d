import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { type Chance, chanceOf } from '../../../tests/support/chance.ts';
import { sharedDatabase } from '../../../tests/support/database.ts';
import { untilWaiting } from '../../../tests/support/lock-waits.ts';
import {
  createMailWorld,
  type MailWorld,
  type Person,
  START,
} from '../../../tests/support/mail-world.ts';
import { AppError } from '../../app-error.ts';
import { createSessions } from '../../auth/sessions.ts';
import { capsules, mails, users } from '../../db/schema.ts';
import type { DeliveryEvent } from '../../mail/mailer.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import { receiveDelivery } from './delivery.ts';

const database = sharedDatabase();
let world: MailWorld;
beforeAll(async () => {
  world = createMailWorld(database.db);
});

const after = (minutes: number) => new Date(START.getTime() + minutes * 60_000);

async function addSent(howMany: number): Promise<string[]> {
  const rows = Array.from({ length: howMany }, () => ({
    id: world.deps.ids.uuid(),
    kind: 'capsule-opened' as const,
    toAddress: 'ada@example.com',
    state: 'sent' as const,
    nextAttemptAt: START,
    createdAt: START,
    providerId: world.deps.ids.uuid(),
  }));
  await database.db.insert(mails).values(rows);
  return rows.map(({ providerId }) => providerId);
}

it('ends alike in whatever order events come, and however often', {
  timeout: 120_000,
}, async () => {
  const chance = chanceOf('delivery events');
  const sent = await addSent(1_000);
  const tellAll = async (providerId: string, index: number) => {
    const complaint: DeliveryEvent = { providerId, delivery: 'complained', at: after(1) };
    const events: DeliveryEvent[] = [
      { providerId, delivery: 'delivered', at: after(1) },
      { providerId, delivery: 'delivered', at: after(4) },
      { providerId, delivery: 'failed', at: after(5) },
      { providerId, delivery: 'bounced', at: after(2) },
      { providerId, delivery: 'bounced', at: after(3) },
      ...(index % 2 === 0 ? [complaint] : []),
    ];
    for (const event of shuffled(chance, [...events, ...events.slice(2)])) {
      await receiveDelivery(world.deps, event);
    }
  };
  await Promise.all(sent.map(tellAll));
  const rows = await world.mailRows();
  const ends = new Map(
    rows.map(({ providerId, delivery, deliveredAt }) => [providerId, { delivery, deliveredAt }]),
  );
  const complained = { delivery: 'complained', deliveredAt: after(1) };
  const bounced = { delivery: 'bounced', deliveredAt: after(3) };
  for (const [index, providerId] of sent.entries()) {
    expect(ends.get(providerId)).toEqual(index % 2 === 0 ? complained : bounced);
  }
});

it('brings each person and their notice to the same end, in whatever order events come', {
  timeout: 120_000,
}, async () => {
  const chance = chanceOf('delivery events and people');
  await database.db.delete(mails);
  const people = await Promise.all(
    Array.from({ length: 150 }, (_, index) =>
      world.addPerson('Ada', index % 3 === 0 ? {} : { secondEmail: `second-${index}@example.org` }),
    ),
  );
  const endOf = async ({ id: userId, email }: Person, index: number) => {
    const [came, went] = [world.deps.ids.uuid(), world.deps.ids.uuid()];
    const sent = {
      userId,
      kind: 'capsule-opened' as const,
      toAddress: email,
      state: 'sent' as const,
      nextAttemptAt: START,
      createdAt: START,
    };
    await database.db.insert(mails).values([
      { ...sent, id: came, providerId: came },
      { ...sent, id: went, providerId: went },
    ]);
    // Half of them got another email later.
    const arrivedAt = index % 2 === 0 ? after(9) : after(1);
    const events: DeliveryEvent[] = [
      { providerId: came, delivery: 'bounced', at: after(3) },
      { providerId: came, delivery: 'delivered', at: after(2) },
      { providerId: came, delivery: 'delivered', at: after(4) },
      { providerId: went, delivery: 'delivered', at: arrivedAt },
    ];
    for (const event of shuffled(chance, [...events, ...events])) {
      await receiveDelivery(world.deps, event).catch((error: unknown) => {
        // An event of the email that bounced, which is another one by now.
        if (!(error instanceof AppError && error.code === 'UNAVAILABLE')) throw error;
      });
    }
    const [person] = await database.db.select().from(users).where(eq(users.id, userId));
    const [notice] = await database.db.select().from(mails).where(eq(mails.id, came));
    expect(person?.emailBouncedAt).toEqual(index % 2 === 0 ? null : after(3));
    expect(notice).toMatchObject(
      person?.secondEmail
        ? { state: 'queued', toSecond: true, providerId: null }
        : { state: 'sent', toSecond: false, delivery: 'bounced' },
    );
  };
  await Promise.all(people.map(endOf));
});

it('sends all notices to the second address that were one email to the main one', async () => {
  await database.db.delete(mails);
  const { id: userId, email } = await world.addPerson('Ada', { secondEmail: 'both@example.org' });
  const sent = {
    userId,
    kind: 'capsule-opened' as const,
    toAddress: email,
    state: 'sent' as const,
    nextAttemptAt: START,
    createdAt: START,
    postponed: true,
    providerId: 'one email',
  };
  const rows = [1, 2, 3].map(() => ({ ...sent, id: world.deps.ids.uuid() }));
  await database.db.insert(mails).values(rows);
  await receiveDelivery(world.deps, {
    providerId: 'one email',
    delivery: 'bounced',
    at: after(1),
  });
  expect(await world.mailRows()).toMatchObject(
    rows.map(() => ({ state: 'queued', toSecond: true })),
  );
});

it.each(['delivered', 'failed', 'bounced'] as const)(
  '%s does not lock what the deletion of its person waits for, which waits for it',
  async (delivery) => {
    const { db } = database;
    const ada = await world.addPerson('Ada');
    const { id: capsuleId } = await world.addCapsule(ada, [ada]);
    const sent = {
      userId: ada.id,
      kind: 'capsule-opened' as const,
      toAddress: ada.email,
      state: 'sent' as const,
      nextAttemptAt: START,
      createdAt: START,
      providerId: delivery,
    };
    // Two notices in one email.
    await db.insert(mails).values([1, 2].map(() => ({ ...sent, id: world.deps.ids.uuid() })));
    const passwords = { hash: async () => '', verify: async () => true };
    const sessions = createSessions(world.deps);
    const deps = { ...world.deps, passwords, sessions, filesReleased: () => {} };
    const [leaving, telling] = await db.transaction(async (tx) => {
      // Between locking Ada and deleting her emails, the deletion has to delete her capsule.
      await tx.select().from(capsules).where(eq(capsules.id, capsuleId)).for('update');
      const deletion = { password: 'any', capsules: 'destroy' as const };
      const leaving = deleteAccount(deps, { userId: ada.id, sessionId: '' }, deletion);
      await untilWaiting(db, 1);
      const telling = receiveDelivery(world.deps, {
        providerId: delivery,
        delivery,
        at: after(-20),
      });
      await untilWaiting(db, 2);
      return [leaving, telling];
    });
    expect(await Promise.allSettled([leaving, telling])).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'fulfilled', value: false },
    ]);
    expect(await db.select().from(users).where(eq(users.id, ada.id))).toEqual([]);
  },
);

it('asks to be told again about an email that may be known in a moment', async () => {
  const ada = await world.addPerson('Ada');
  const mailId = world.deps.ids.uuid();
  await database.db.insert(mails).values({
    id: mailId,
    kind: 'capsule-opened',
    state: 'queued',
    userId: ada.id,
    toAddress: ada.email,
    nextAttemptAt: START,
    createdAt: START,
  });
  const event: DeliveryEvent = { providerId: 'new', mailId, delivery: 'delivered', at: START };
  await expect(receiveDelivery(world.deps, event)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  world.setNow(after(11));
  await expect(receiveDelivery(world.deps, event)).resolves.toBe(false);
});

it.each([
  ['that waits for its repeat', 'queued', 'capsule-opened', 0, ''],
  ['that was given up', 'failed', 'capsule-opened', 0, ''],
  ['that was sent again', 'failed', 'capsule-opened', 2, '-2'],
  ['of which each attempt has another text', 'queued', 'address-changed', 0, '-3'],
] as const)(
  'knows an email %s by its key alone, when the answer was lost',
  async (_what, state, kind, repeats, key) => {
    world.setNow(START);
    const ada = await world.addPerson('Ada');
    const id = world.deps.ids.uuid();
    const attempt = { state, attempts: 3, repeats, unknownSince: START };
    const due = { nextAttemptAt: START, createdAt: START };
    const to = { userId: ada.id, toAddress: ada.email };
    await database.db.insert(mails).values({ id, kind, ...attempt, ...due, ...to });
    const event = { delivery: 'bounced' as const, at: after(-20) };
    const told = (providerId: string) => receiveDelivery(world.deps, { ...event, providerId });
    expect(await told(`${id}-second`)).toBe(false);
    expect(await told(`${id}${key}`)).toBe(true);
    const [row] = await database.db.select().from(mails).where(eq(mails.id, id));
    expect(row).toMatchObject({ state: 'sent', delivery: 'bounced' });
    const [person] = await database.db.select().from(users).where(eq(users.id, ada.id));
    expect(person?.emailBouncedAt).toEqual(event.at);
  },
);

it.each([{}, { mailId: '0b9f1f7e-53ad-7d0a-9f5c-6d4f8a3b2c1d' }, { mailId: 'of another kind' }])(
  'takes a recent event about an email of another installation for that, %j',
  async (tag) => {
    world.setNow(START);
    const event: DeliveryEvent = { providerId: 'theirs', delivery: 'bounced', at: START, ...tag };
    await expect(receiveDelivery(world.deps, event)).resolves.toBe(false);
  },
);

it('takes what a complaint has suppressed for one, which goes to no second address', async () => {
  const ada = await world.addPerson('Ada', {
    email: 'complains@example.com',
    secondEmail: 'complains.second@example.com',
  });
  const capsule = await world.addCapsule(ada, [ada]);
  const [first, next] = await addSent(2);
  const of = (providerId = '') => eq(mails.providerId, providerId);
  const to = { userId: ada.id, toAddress: ada.email, capsuleId: capsule.id };
  await database.db
    .update(mails)
    .set({ ...to, kind: 'capsule-waiting' })
    .where(of(first));
  await database.db.update(mails).set(to).where(of(next));
  await receiveDelivery(world.deps, {
    providerId: String(first),
    delivery: 'complained',
    at: after(1),
  });
  const suppressed = { delivery: 'bounced' as const, isSuppressed: true, at: after(2) };
  await receiveDelivery(world.deps, { providerId: String(next), ...suppressed });
  const [row] = await database.db.select().from(mails).where(of(next));
  expect(row).toMatchObject({ state: 'sent', delivery: 'complained', toSecond: false });
  const [person] = await database.db.select().from(users).where(eq(users.id, ada.id));
  expect(person?.emailBouncedAt).toBeNull();
});

function shuffled<T>(chance: Chance, items: T[]): T[] {
  const keyed = items.map((item) => ({ item, key: chance.whole(0, 1_000_000_000) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
