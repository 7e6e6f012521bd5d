import { eq } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { type Person, sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { getDashboardSummary } from '../../domain/capsules/dashboard.ts';
import { mergeInvited } from '../accounts/addresses.ts';
import { capsuleRecipients } from '../schema.ts';
import { setHidden } from './capsules.ts';

const { database, world } = sharedMailWorld();
let ada: Person;
let mia: Person;
beforeEach(async () => {
  ada = await world.addPerson('Ada');
  mia = await world.addPerson('Mia');
});

async function counted() {
  const actor = { userId: ada.id };
  const summary = await getDashboardSummary(world.deps, actor, { timeZone: 'UTC', year: 2030 });
  const { totalCapsules, createdCapsules, receivedCapsules, lockedCapsules } = summary;
  const { upcomingUnlocks, nextUnlocks, monthlyStats } = summary;
  return {
    all: [totalCapsules, createdCapsules, receivedCapsules, lockedCapsules],
    upcoming: upcomingUnlocks.thisWeek,
    next: nextUnlocks.map(({ title, type }) => `${title} ${type}`),
    may: monthlyStats[4],
  };
}

it('a capsule to oneself counts once', async () => {
  const own = await world.addCapsule(ada, [mia, ada], { title: 'Own' });
  await world.addCapsule(ada, [mia], { title: 'Sent' });
  await world.addCapsule(mia, [ada], { title: 'Received' });
  const open = { unlockAt: new Date('2030-05-01T00:00:00Z'), dateToUnlock: '2030-05-01' };
  await world.addCapsule(ada, [ada], { title: 'Open', ...open });

  const check = async () => {
    expect(await counted()).toEqual({
      all: [4, 3, 3, 3],
      upcoming: 3,
      next: expect.arrayContaining(['Own created', 'Sent created', 'Received received']),
      may: { month: '2030-05', created: 3, received: 3, unlocked: 1 },
    });
    const hide = (hidden: boolean) =>
      setHidden(database.db, { userId: ada.id, id: own.id, hidden, now: world.deps.clock.now() });
    await hide(true);
    const put = await counted();
    expect([put.all, put.upcoming]).toEqual([[4, 3, 2, 3], 2]);
    expect(put.next).not.toContain('Own created');
    await hide(false);
  };
  await check();
});

it("an address that one has invited oneself, and made one's own, counts once", async () => {
  const invited = await world.addPerson('Invited', { passwordHash: null });
  await world.addCapsule(ada, [invited], { title: 'To myself' });
  await mergeInvited(database.db, { from: invited.id, to: ada.id });
  expect((await counted()).all).toEqual([1, 1, 1, 1]);
  const rows = database.db.select().from(capsuleRecipients);
  expect(await rows.where(eq(capsuleRecipients.isCreator, true))).toHaveLength(1);
});
