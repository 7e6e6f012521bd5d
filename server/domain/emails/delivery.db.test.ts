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
import { rare } from '../../../tests/support/rare.ts';
import { createSessions } from '../../auth/sessions.ts';
import { capsules, emails, sendings, users } from '../../db/schema.ts';
import type { DeliveryEvent } from '../../mail/mailer.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import { receiveDelivery } from './delivery.ts';

const database = sharedDatabase();
let world: MailWorld;
beforeAll(async () => {
  world = createMailWorld(database.db);
});

const after = (minutes: number) => new Date(START.getTime() + minutes * 60_000);

async function addSent(to: Pick<Person, 'id' | 'email'>, howMany: number): Promise<string[]> {
  const ids = Array.from({ length: howMany }, () => world.deps.ids.uuid());
  for (const providerId of ids) await world.addSending(to, { providerId });
  return ids;
}
const rowOf = async (providerId: string) =>
  (await database.db.select().from(sendings).where(eq(sendings.providerId, providerId)))[0];

const ORDERS = 1_000;

rare(
  'ends alike in whatever order events come, and however often',
  async () => {
    const chance = chanceOf('delivery events');
    const sent = await addSent(await world.addPerson('Ada'), ORDERS);
    const tellAll = async (providerId: string, index: number) => {
      const complaint: DeliveryEvent = { providerId, outcome: 'complained', at: after(1) };
      const events: DeliveryEvent[] = [
        { providerId, outcome: 'delivered', at: after(1) },
        { providerId, outcome: 'delivered', at: after(4) },
        { providerId, outcome: 'failed', at: after(5) },
        { providerId, outcome: 'bounced', at: after(2) },
        { providerId, outcome: 'bounced', at: after(3) },
        ...(index % 2 === 0 ? [complaint] : []),
      ];
      for (const event of shuffled(chance, [...events, ...events.slice(2)])) {
        await receiveDelivery(world.deps, event);
      }
    };
    await Promise.all(sent.map(tellAll));
    const rows = await world.sendings();
    const ends = new Map(
      rows.map(({ providerId, outcome, outcomeAt }) => [providerId, { outcome, outcomeAt }]),
    );
    const complained = { outcome: 'complained', outcomeAt: after(1) };
    const bounced = { outcome: 'bounced', outcomeAt: after(3) };
    for (const [index, providerId] of sent.entries()) {
      expect(ends.get(providerId)).toEqual(index % 2 === 0 ? complained : bounced);
    }
  },
  120_000,
);

rare(
  'brings each person and their notice to the same end, in whatever order events come',
  async () => {
    const chance = chanceOf('delivery events and people');
    await database.db.delete(emails);
    const people = await Promise.all(
      Array.from({ length: ORDERS }, (_, index) =>
        world.addPerson(
          'Ada',
          index % 3 === 0 ? {} : { secondEmail: `second-${index}@example.org` },
        ),
      ),
    );
    const endOf = async (ada: Person, index: number) => {
      const [came = '', went = ''] = await addSent(ada, 2);
      // Half of them got another email later.
      const arrivedAt = index % 2 === 0 ? after(9) : after(1);
      const events: DeliveryEvent[] = [
        { providerId: came, outcome: 'bounced', at: after(3) },
        { providerId: came, outcome: 'delivered', at: after(2) },
        { providerId: came, outcome: 'delivered', at: after(4) },
        { providerId: went, outcome: 'delivered', at: arrivedAt },
      ];
      for (const event of shuffled(chance, [...events, ...events])) {
        await receiveDelivery(world.deps, event);
      }
      const [person] = await database.db.select().from(users).where(eq(users.id, ada.id));
      const first = await rowOf(came);
      const all = await database.db
        .select()
        .from(sendings)
        .where(eq(sendings.emailId, first?.emailId ?? ''))
        .orderBy(sendings.number);
      expect(person?.emailBouncedAt).toEqual(index % 2 === 0 ? null : after(3));
      const again = { cause: 'second-address', slot: 'second', outcome: null };
      expect(all).toMatchObject([{ outcome: 'bounced' }, ...(person?.secondEmail ? [again] : [])]);
    };
    await Promise.all(people.map(endOf));
  },
  120_000,
);

it('sends all to the second address that a version before sent as one email to the main one', async () => {
  await database.db.delete(emails);
  const ada = await world.addPerson('Ada', { secondEmail: 'both@example.org' });
  for (let count = 0; count < 3; count += 1) await world.addSending(ada, { providerId: 'one' });
  await receiveDelivery(world.deps, { providerId: 'one', outcome: 'bounced', at: after(1) });
  const again = (await world.sendings()).filter(({ cause }) => cause === 'second-address');
  expect(again).toMatchObject([1, 2, 3].map(() => ({ outcome: null, slot: 'second' })));
});

it.each(['delivered', 'failed', 'bounced'] as const)(
  '%s does not lock what the deletion of its person waits for, which waits for it',
  async (outcome) => {
    const { db } = database;
    const ada = await world.addPerson('Ada');
    const { id: capsuleId } = await world.addCapsule(ada, [ada]);
    // As versions before did: two notices by one email.
    for (let count = 0; count < 2; count += 1) await world.addSending(ada, { providerId: outcome });
    const passwords = { hash: async () => '', verify: async () => true };
    const sessions = createSessions(world.deps);
    const deps = { ...world.deps, passwords, sessions };
    const [leaving, telling] = await db.transaction(async (tx) => {
      // Between locking Ada and deleting her emails, the deletion has to delete her capsule.
      await tx.select().from(capsules).where(eq(capsules.id, capsuleId)).for('update');
      const deletion = { password: 'any', capsules: 'destroy' as const };
      const leaving = deleteAccount(deps, { userId: ada.id, sessionId: '' }, deletion);
      await untilWaiting(db, 1);
      const event = { providerId: outcome, outcome, at: after(-20) };
      const telling = receiveDelivery(world.deps, event);
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

it.each([
  ['that waits for its repeat', 'capsule-opened', { nextAttemptAt: START }],
  ['that was given up', 'capsule-opened', { outcome: 'unknown', sentAt: null }],
  ['of which each attempt has another text', 'address-changed', { nextAttemptAt: START }],
] as const)(
  'knows an email %s by its id alone, when the answer was lost',
  async (_what, kind, change) => {
    world.setNow(START);
    const ada = await world.addPerson('Ada');
    const { id } = await world.addSending(ada, { kind, attempts: 3, ...change });
    const event = { outcome: 'bounced' as const, at: after(-20) };
    const told = (providerId: string) => receiveDelivery(world.deps, { ...event, providerId });
    expect(await told(world.deps.ids.uuid())).toBe(false);
    expect(await told(id)).toBe(true);
    const [row] = await database.db.select().from(sendings).where(eq(sendings.id, id));
    expect(row).toMatchObject({ outcome: 'bounced', sentAt: event.at });
    const [person] = await database.db.select().from(users).where(eq(users.id, ada.id));
    expect(person?.emailBouncedAt).toEqual(event.at);
  },
);

it('takes nothing told of an email for news that no provider can have yet', async () => {
  const ada = await world.addPerson('Ada');
  const due = { nextAttemptAt: START, begunAt: null, address: null };
  const { id } = await world.addSending(ada, due);
  const event = { providerId: id, outcome: 'bounced' as const, at: START };
  expect(await receiveDelivery(world.deps, event)).toBe(true);
  const [row] = await database.db.select().from(sendings).where(eq(sendings.id, id));
  expect(row).toMatchObject({ outcome: null });
});

it.each([
  ['waits for its second try', { nextAttemptAt: START, outcome: null, outcomeAt: null }],
  ['has had two without an answer', { outcome: 'unknown', outcomeAt: START }],
] as const)('what has arrived after all is not sent again where it %s', async (_what, state) => {
  const ada = await world.addPerson('Ada');
  const unanswered = { isSecondTry: true, begunAt: null, sentAt: null };
  const { id } = await world.addSending(ada, { ...unanswered, ...state });
  await receiveDelivery(world.deps, { providerId: id, outcome: 'delivered', at: START });
  const [row] = await database.db.select().from(sendings).where(eq(sendings.id, id));
  expect(row).toMatchObject({ outcome: 'delivered', nextAttemptAt: null });
});

it.each([
  {},
  { sendingId: '0b9f1f7e-53ad-7d0a-9f5c-6d4f8a3b2c1d' },
  { sendingId: 'of another kind' },
])('takes a recent event about an email of another installation for that, %j', async (tag) => {
  world.setNow(START);
  const event: DeliveryEvent = { providerId: 'theirs', outcome: 'bounced', at: START, ...tag };
  await expect(receiveDelivery(world.deps, event)).resolves.toBe(false);
});

it('takes what a complaint has suppressed for one, which goes to no second address', async () => {
  const ada = await world.addPerson('Ada', {
    email: 'complains@example.com',
    secondEmail: 'complains.second@example.com',
  });
  const [first = '', next = ''] = await addSent(ada, 2);
  await receiveDelivery(world.deps, { providerId: first, outcome: 'complained', at: after(1) });
  const suppressed = { outcome: 'bounced' as const, isSuppressed: true, at: after(2) };
  await receiveDelivery(world.deps, { providerId: next, ...suppressed });
  const row = await rowOf(next);
  expect(row).toMatchObject({ outcome: 'complained' });
  expect(await database.db.$count(sendings, eq(sendings.emailId, row?.emailId ?? ''))).toBe(1);
  const [person] = await database.db.select().from(users).where(eq(users.id, ada.id));
  expect(person?.emailBouncedAt).toBeNull();
});

function shuffled<T>(chance: Chance, items: T[]): T[] {
  const keyed = items.map((item) => ({ item, key: chance.whole(0, 1_000_000_000) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}
