import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { failChangesOf } from '../../tests/support/failing-changes.ts';
import { GO_ON, START, sharedMailWorld } from '../../tests/support/mail-world.ts';
import { createSessions } from '../auth/sessions.ts';
import { deleteWaiting } from '../db/accounts/account-changes.ts';
import { lockUser } from '../db/accounts/users.ts';
import { accountChanges, sessions, users } from '../db/schema.ts';
import { activateChanges } from './activate-changes.ts';

const { database, world } = sharedMailWorld();
const DAY_MS = 86_400_000;

const pass = () => {
  const { db } = database;
  const deps = { ...world.deps, sessions: createSessions({ ...world.deps, db }) };
  return activateChanges(deps, GO_ON);
};

/** Somebody who is signed in, and whose new password waits for a day. */
async function addWaiting(name: string) {
  const { db } = database;
  const secondEmail = `${name.toLowerCase()}@second.example`;
  const person = await world.addPerson(name, { passwordHash: 'old', secondEmail });
  await createSessions({ ...world.deps, db }).create({ userId: person.id, passwordHash: 'old' });
  const takesEffectAt = new Date(START.getTime() + DAY_MS);
  const waiting = { id: randomUUID(), userId: person.id, slot: 'password' as const, takesEffectAt };
  const row = { ...waiting, passwordHash: 'new', sentTo: person.email };
  await db.insert(accountChanges).values({ ...row, createdAt: START });
  return { ...person, secondEmail };
}

const hashOf = async ({ id }: { id: string }) =>
  (await database.db.select().from(users).where(eq(users.id, id)))[0]?.passwordHash;

it('activates a new password once its wait is over, and only once of two passes at once', async () => {
  const ada = await addWaiting('Ada');
  world.advance(DAY_MS - 1);
  await pass();
  expect([await hashOf(ada), (await world.sendings()).length]).toEqual(['old', 0]);
  world.advance(1);
  await Promise.all([pass(), pass(), pass()]);
  expect(await hashOf(ada)).toBe('new');
  expect(await database.db.$count(sessions)).toBe(0);
  expect(await database.db.$count(accountChanges)).toBe(0);
  const told = (await world.sendings()).map(
    ({ email: { kind, toAddress } }) => `${kind} ${toAddress}`,
  );
  const asTold = [ada.email, ada.secondEmail].map((email) => `password-changed ${email}`);
  expect(told.sort()).toEqual(asTold.sort());
});

it('leaves somebody whose account is locked to the next pass, and goes on with the others', async () => {
  const [ada, tim] = [await addWaiting('Ada'), await addWaiting('Tim')];
  world.advance(DAY_MS);
  await database.db.transaction(async (tx) => {
    await lockUser(tx, ada.id);
    await pass();
    expect([await hashOf(ada), await hashOf(tim)]).toEqual(['old', 'new']);
    // As whoever confirms a change of addresses does.
    await deleteWaiting(tx, ada.id, ['password']);
  });
  await pass();
  expect(await hashOf(ada)).toBe('old');
  expect(await database.db.$count(sessions)).toBe(1);
});

it('steps over one that fails, says so, and tries it again', async () => {
  const [ada, tim] = [await addWaiting('Ada'), await addWaiting('Tim')];
  const logged = vi.spyOn(world.deps.log, 'error');
  world.advance(DAY_MS);
  const mend = await failChangesOf(database.db, ada.id);
  await pass().finally(mend);
  expect([await hashOf(ada), await hashOf(tim)]).toEqual(['old', 'new']);
  expect(logged).toHaveBeenCalledTimes(1);
  await pass();
  expect(await hashOf(ada)).toBe('new');
});
