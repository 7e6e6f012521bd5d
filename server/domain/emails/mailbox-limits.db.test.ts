import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { START, sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { accountChanges } from '../../db/schema.ts';
import type { EmailKind } from '../../mail/kinds.ts';
import { mayWriteTo } from './mailbox-limits.ts';

const { database, world } = sharedMailWorld();

/** How many of 19 emails may go. */
async function sentOf(kind: EmailKind, userId: string | null, address: string): Promise<number> {
  let sent = 0;
  for (let index = 0; index < 19; index += 1)
    if (await mayWriteTo(world.deps, { id: randomUUID(), kind, userId, address })) sent += 1;
  return sent;
}

it.each(['password-changed', 'capsule-deleted', 'password-waiting', 'change-undone'] as const)(
  'few emails go to a main address that nobody has confirmed: %s',
  async (kind) => {
    const ada = await world.addPerson('Ada');
    expect(await sentOf(kind, ada.id, ada.email)).toBe(9);
  },
);

it('a link for a new password goes to the plain address, which has other limits', async () => {
  const ada = await world.addPerson('Ada');
  expect(await sentOf('password-reset', null, ada.email)).toBe(19);
  const other = await world.addPerson('Ada', { email: 'ada+other@example.org' });
  expect(await sentOf('password-reset', null, other.email)).toBe(8);
});

it('warnings to confirmed addresses have no such limit, whatever others have used up', async () => {
  const [main, second] = ['main@example.com', 'second@example.com'];
  const [before, secondBefore, taken] = [
    'before@example.com',
    'b2@example.com',
    'taken@example.com',
  ];
  const emailVerifiedAt = START;
  const ada = await world.addPerson('Ada', { email: main, secondEmail: second, emailVerifiedAt });
  const change = { userId: ada.id, slot: 'main' as const, newAddress: 'main@example.com' };
  const times = {
    createdAt: START,
    confirmedAt: START,
    takesEffectAt: START,
    objectionUntil: START,
  };
  await database.db.insert(accountChanges).values([
    {
      ...{ ...change, ...times, id: randomUUID(), previousMain: before },
      ...{ previousMainConfirmed: true, previousSecond: secondBefore },
    },
    {
      ...{ ...change, ...times, id: randomUUID(), previousMain: taken, newAddress: before },
      previousMainConfirmed: false,
    },
  ]);
  for (const address of [main, second, before, secondBefore])
    expect([address, await sentOf('address-changed', ada.id, address)]).toEqual([address, 19]);
  // Somebody had registered it, and then moved on to an address of their own.
  expect(await sentOf('address-changed', ada.id, taken)).toBe(9);
});
