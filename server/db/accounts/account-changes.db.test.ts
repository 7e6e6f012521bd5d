import { beforeEach, describe, expect, it } from 'vitest';
import { type Person, START, sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { sampleId } from '../../../tests/support/sample-capsule.ts';
import { undoSince } from '../../domain/accounts/address-links.ts';
import { accountChanges } from '../schema.ts';
import { type NewAccountChange, putWaiting } from './account-changes.ts';

const { database, world } = sharedMailWorld();
let ada: Person;
beforeEach(async () => {
  ada = await world.addPerson('Ada');
});

const hour = (hours: number) => new Date(START.getTime() + hours * 3_600_000);
const times = { createdAt: START, takesEffectAt: START };
const waiting = { newAddress: 'new@example.com', confirmUntil: hour(24) };
const previous = { previousMain: 'old@example.com', previousMainConfirmed: true };
const inEffect = {
  ...{ ...previous, newAddress: 'new@example.com', confirmedAt: START, objectionUntil: hour(168) },
};
const password = { passwordHash: 'hash', sentTo: 'old@example.com' };

const row = (change: Partial<NewAccountChange>, id = 1): NewAccountChange => ({
  ...{ slot: 'main', ...times, ...change },
  ...{ id: sampleId(id), userId: ada.id },
});
const stored = () => database.db.select().from(accountChanges).orderBy(accountChanges.id);

describe('the database refuses what cannot be:', () => {
  it.each<[string, Partial<NewAccountChange>]>([
    ['a main address that is removed', { ...inEffect, newAddress: null }],
    ['a removal that waits', { ...waiting, slot: 'second', newAddress: null }],
    ['an address that waits and can be confirmed for ever', { ...waiting, confirmUntil: null }],
    ['an address that waits and can be undone', { ...waiting, undoneAt: START }],
    ['an address in effect that nobody has confirmed', { ...inEffect, confirmedAt: null }],
    ['an address in effect without the way back', { ...inEffect, previousMain: null }],
    ['an address with a password', { ...waiting, ...password }],
    ['a password with an address', { ...password, slot: 'password', newAddress: 'a@example.com' }],
    ['a password that nobody knows who set', { ...password, slot: 'password', sentTo: null }],
    ['a password in effect', { ...password, slot: 'password', objectionUntil: hour(1) }],
  ])('%s', async (_what, change) => {
    await expect(database.db.insert(accountChanges).values(row(change))).rejects.toMatchObject({
      cause: { code: '23514' },
    });
  });

  it('two changes of a slot that wait', async () => {
    const both = [row(waiting, 1), row(waiting, 2)];
    await expect(database.db.insert(accountChanges).values(both)).rejects.toMatchObject({
      cause: { code: '23505' },
    });
  });
});

it('one change of each slot waits, and a newer one replaces it', async () => {
  await putWaiting(database.db, row(waiting, 1));
  await putWaiting(database.db, row({ ...waiting, slot: 'second' }, 2));
  await putWaiting(database.db, row({ ...password, slot: 'password' }, 3));
  await putWaiting(database.db, row(waiting, 4));
  expect((await stored()).map(({ id }) => id)).toEqual([2, 3, 4].map(sampleId));
});

describe('an undo', () => {
  const undo = (id: number, hours: number) =>
    undoSince(database.db, { id: sampleId(id), userId: ada.id, now: hour(hours) });

  const addAll = () =>
    database.db
      .insert(accountChanges)
      .values([
        row({ ...inEffect, takesEffectAt: hour(1) }, 1),
        row({ ...inEffect, slot: 'second', takesEffectAt: hour(2) }, 2),
        row({ ...inEffect, takesEffectAt: hour(3) }, 3),
        row(waiting, 4),
      ]);

  it('takes along what came later and what waits, and leaves what came before', async () => {
    await addAll();
    expect((await undo(2, 3.5)).map(({ id }) => id).sort()).toEqual([2, 3].map(sampleId));
    expect(await stored()).toMatchObject([
      { id: sampleId(1), undoneAt: null },
      { id: sampleId(2), undoneAt: hour(3.5), objectionUntil: hour(3.5 + 168) },
      // Undone within the hour, so its address has no say.
      { id: sampleId(3), undoneAt: hour(3.5), objectionUntil: hour(3.5) },
    ]);
  });

  it('is done once, in time, and of what has taken effect', async () => {
    await addAll();
    await undo(3, 4);
    const before = await stored();
    for (const [id, hours] of [
      [3, 4],
      [1, 168],
      [4, 4],
      [5, 4],
    ] as const) {
      expect(await undo(id, hours)).toEqual([]);
    }
    expect(await stored()).toEqual(before);
  });
});
