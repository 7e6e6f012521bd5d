import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Opened } from '../../shared/api/opened.ts';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { db, openDatabase } from './database.ts';
import {
  countWaiting,
  noteLook,
  noteOpened,
  noteTold,
  readOpenings,
  waitingIn,
} from './openings.ts';

const [one, two] = [sampleId(1), sampleId(2)];

function answer(...ids: string[]): Opened {
  const at = '2030-01-01T00:00:00.000Z';
  const rest = { title: 'For later', senderName: 'Ada', createdAt: at, unlockAt: at };
  const capsules = ids.map((id) => ({ id, ...rest, dateToUnlock: '2030-01-01' }));
  return { total: ids.length, capsules };
}

const waiting = async () => waitingIn(await readOpenings()).map(({ id }) => id);

beforeEach(async () => {
  await openDatabase(sampleId(101));
  await db.openings.clear();
});

describe('capsules that wait to be opened', () => {
  it('are none until the server has named some', async () => {
    expect([await waiting(), countWaiting(await readOpenings())]).toEqual([[], 0]);
  });

  it('wait until each is looked at, which is remembered until the server has heard of it', async () => {
    await noteOpened(answer(two, one), 1);
    await noteLook(one);
    await noteLook(one);
    expect(await waiting()).toEqual([two]);
    expect((await readOpenings()).untold).toEqual([one]);
    // An answer that was on its way meanwhile does not bring it back.
    await noteOpened(answer(two, one), 1);
    await noteTold(one);
    expect(await waiting()).toEqual([two]);
    expect((await readOpenings()).untold).toEqual([]);
  });

  it('count beyond those that are named', async () => {
    await noteOpened({ ...answer(two, one), total: 102 }, 1);
    await noteLook(two);
    expect(countWaiting(await readOpenings())).toBe(101);
  });

  it('are remembered as looked at without end, but not without bound', async () => {
    for (let n = 0; n <= 500; n += 1) await noteLook(sampleId(n));
    const { lookedAt } = await readOpenings();
    expect([lookedAt.length, lookedAt[0], lookedAt.at(-1)]).toEqual([500, one, sampleId(500)]);
  });
});
