import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { db, openDatabase } from './database.ts';
import { countNew, noteLook, noteOpened, readOpenings } from './openings.ts';

const FIRST = '2030-01-01T00:00:00.000Z';
const LATER = '2030-01-02T00:00:00.000Z';
const [one, two, three] = [sampleId(1), sampleId(2), sampleId(3)];

async function count(): Promise<number | null> {
  const openings = await readOpenings();
  return openings && countNew(openings);
}

beforeEach(async () => {
  await openDatabase(sampleId(101));
  await db.openings.clear();
});

describe('newly opened capsules', () => {
  it('are none on a device that is new to the person, whatever has opened before', async () => {
    expect(await count()).toBeNull();
    await noteOpened({ asOf: FIRST, ids: [one] });
    expect(await count()).toBe(0);
    expect(await readOpenings()).toMatchObject({ since: FIRST });
  });

  it('count from then on, until each is looked at', async () => {
    await noteOpened({ asOf: FIRST, ids: [] });
    await noteOpened({ asOf: LATER, ids: [two, one] });
    expect([await count(), (await readOpenings())?.since]).toEqual([2, FIRST]);
    await noteLook(one);
    await noteLook(one);
    expect(await count()).toBe(1);
    await noteOpened({ asOf: LATER, ids: [three, two, one] });
    expect(await count()).toBe(2);
  });

  it('that the server names no more count no more', async () => {
    await noteOpened({ asOf: FIRST, ids: [] });
    await noteOpened({ asOf: LATER, ids: [two, one] });
    await noteOpened({ asOf: LATER, ids: [two] });
    expect(await count()).toBe(1);
  });

  it('do not count when they were looked at before the server named them', async () => {
    await noteOpened({ asOf: FIRST, ids: [] });
    await noteLook(one);
    await noteOpened({ asOf: LATER, ids: [one] });
    expect(await count()).toBe(0);
  });

  it('are remembered as looked at without end, but not without bound', async () => {
    await noteOpened({ asOf: FIRST, ids: [] });
    for (let n = 0; n <= 500; n += 1) await noteLook(sampleId(n));
    const lookedAt = (await readOpenings())?.lookedAt ?? [];
    expect([lookedAt.length, lookedAt[0], lookedAt.at(-1)]).toEqual([500, one, sampleId(500)]);
  });
});
