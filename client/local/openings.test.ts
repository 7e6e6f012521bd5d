import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleId, sampleUser } from '../../tests/support/sample-capsule.ts';
import { db } from './db.ts';
import { OPENINGS } from './names.ts';
import { countNew, noteLook, noteOpened, readOpenings } from './openings.ts';
import { claimDevice, releaseDevice } from './owner.ts';
import { wipeDevice } from './wipe.ts';

const ada = sampleUser(101, 'Ada');
const bob = sampleUser(102, 'Bob');
const FIRST = '2030-01-01T00:00:00.000Z';
const LATER = '2030-01-02T00:00:00.000Z';
const [one, two, three] = [sampleId(1), sampleId(2), sampleId(3)];

async function count(owner = ada.id): Promise<number | null> {
  const openings = await readOpenings(owner);
  return openings && countNew(openings);
}

beforeEach(async () => {
  await Promise.all(db.tables.map((table) => table.clear()));
  await claimDevice(ada, 0);
});

describe('newly opened capsules', () => {
  it('are none on a device that is new to the person, whatever has opened before', async () => {
    expect(await count()).toBeNull();
    await noteOpened(ada.id, { asOf: FIRST, ids: [one] });
    expect(await count()).toBe(0);
    expect(await readOpenings(ada.id)).toMatchObject({ since: FIRST });
  });

  it('count from then on, until each is looked at', async () => {
    await noteOpened(ada.id, { asOf: FIRST, ids: [] });
    await noteOpened(ada.id, { asOf: LATER, ids: [two, one] });
    expect([await count(), (await readOpenings(ada.id))?.since]).toEqual([2, FIRST]);
    await noteLook(one);
    await noteLook(one);
    expect(await count()).toBe(1);
    await noteOpened(ada.id, { asOf: LATER, ids: [three, two, one] });
    expect(await count()).toBe(2);
  });

  it('that the server names no more count no more', async () => {
    await noteOpened(ada.id, { asOf: FIRST, ids: [] });
    await noteOpened(ada.id, { asOf: LATER, ids: [two, one] });
    await noteOpened(ada.id, { asOf: LATER, ids: [two] });
    expect(await count()).toBe(1);
  });

  it('do not count when they were looked at before the server named them', async () => {
    await noteOpened(ada.id, { asOf: FIRST, ids: [] });
    await noteLook(one);
    await noteOpened(ada.id, { asOf: LATER, ids: [one] });
    expect(await count()).toBe(0);
  });

  it('are remembered as looked at without end, but not without bound', async () => {
    await noteOpened(ada.id, { asOf: FIRST, ids: [] });
    for (let n = 0; n <= 500; n += 1) await noteLook(sampleId(n));
    const lookedAt = (await readOpenings(ada.id))?.lookedAt ?? [];
    expect([lookedAt.length, lookedAt[0], lookedAt.at(-1)]).toEqual([500, one, sampleId(500)]);
  });
});

describe('of two people on one browser', () => {
  beforeEach(async () => {
    await noteOpened(ada.id, { asOf: FIRST, ids: [] });
    await noteOpened(ada.id, { asOf: LATER, ids: [two, one] });
  });

  it('neither sees what has opened for the other', async () => {
    await releaseDevice();
    await claimDevice(bob, 0);
    expect(await count(bob.id)).toBeNull();
    await noteLook(one);
    // An answer for Ada that comes too late.
    expect(await noteOpened(ada.id, { asOf: LATER, ids: [three] })).toBeNull();
    expect(await count(bob.id)).toBeNull();
    await noteOpened(bob.id, { asOf: LATER, ids: [] });
    expect([await count(bob.id), await count(ada.id)]).toEqual([0, null]);
  });

  it('the one whose session ended by itself finds theirs again, the one who signed out does not', async () => {
    await releaseDevice();
    await claimDevice(ada, 0);
    expect(await count()).toBe(2);
    await wipeDevice();
    expect(await db.meta.count()).toBe(0);
    await noteOpened(ada.id, { asOf: LATER, ids: [three] });
    await noteLook(two);
    expect(await db.meta.count()).toBe(0);
  });
});

it.each(['', 'null', '{}', '[1]', `{"owner":"${ada.id}","since":1,"opened":[],"lookedAt":[]}`])(
  'a damaged row (%s) is as good as none',
  async (value) => {
    await db.meta.put({ key: OPENINGS, value });
    expect(await count()).toBeNull();
    expect(await noteLook(one)).toBeNull();
    await noteOpened(ada.id, { asOf: FIRST, ids: [one] });
    expect(await count()).toBe(0);
  },
);
