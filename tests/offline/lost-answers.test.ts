import { expect, it } from 'vitest';
import { watchAppended } from '../support/appended.ts';
import { chanceOf } from '../support/chance.ts';
import { pdf, photo, sha256 } from '../support/fixtures.ts';
import {
  arrive,
  create,
  expectExactly,
  fewestParts,
  hurryUntilSent,
  KEPT,
  keepDraftsHere,
  openOutbox,
  outboxRows,
  proofWorld,
  untilOutboxIsEmpty,
  video,
  write,
} from '../support/proof-world.ts';
import { answer } from '../support/screens.ts';
import type { Fault, Wire } from '../support/wire.ts';

const world = proofWorld();

/** The wire's plan: the answers to the first two creations are lost. */
function loseTwoCreations(): Wire['plan'] {
  let lost = 0;
  return ({ method, path }) => {
    if (method !== 'POST' || path !== '/api/capsules' || lost === 2) return null;
    lost += 1;
    return { kind: 'cut-answer', after: 0 };
  };
}

it.each([1, 2])(
  'the 201 is swallowed in %i tries: one capsule, and its file is sent once',
  async (tries) => {
    const { wire, ada } = world;
    const { page } = world.visitor;
    await arrive(page, ada);
    await keepDraftsHere(page);
    const file = await photo();
    await write(page, ada, 'Said once', [file]);
    // Not counted by requests: a browser repeats one by itself when its connection breaks.
    wire.plan = async ({ method, path }) => {
      if (method !== 'POST' || path !== '/api/capsules') return null;
      const [item] = await outboxRows(page);
      return item && item.attempts < tries ? { kind: 'cut-answer', after: 0 } : null;
    };
    await create(page);
    await hurryUntilSent(page);
    await expectExactly(world, ada, [{ title: 'Said once', files: [sha256(file.bytes)] }]);
    expect(wire.met.length).toBeGreaterThanOrEqual(tries);
    expect(wire.requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(1);
  },
);

it('the server cannot be told at once that an upload is of no use: it is told later', async () => {
  const { wire, ada } = world;
  const { page } = world.visitor;
  await arrive(page, ada);
  await keepDraftsHere(page);
  await write(page, ada, 'Told later', [await video(17_000_000)]);
  const unwell = { kind: 'answer', status: 503, body: '' } as const;
  let parts = 0;
  let told = 0;
  wire.plan = ({ method }) => {
    if (method === 'PATCH') return ++parts > 1 ? unwell : null;
    return method === 'DELETE' && ++told < 3 ? unwell : null;
  };
  await create(page);
  await page.getByText(/Saved on this device\. We'll try again\./).waitFor();
  await openOutbox(page);
  await page.getByRole('button', { name: 'Discard Told later' }).click();
  await answer(page, 'Discard “Told later”', 'Discard');
  await page.getByText('“Told later” has been discarded.').waitFor();
  await expectExactly(world, ada, []);
  expect(told).toBe(3);
});

it('the 201 is swallowed and a file has a name that forms write in their own way', async () => {
  const { wire, ada } = world;
  const { page } = world.visitor;
  await arrive(page, ada);
  const file = { ...(await photo()), name: 'Grandma "Oma" 100%22.jpg' };
  await write(page, ada, 'Quoted', [file]);
  wire.plan = loseTwoCreations();
  await create(page);
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Quoted', files: [sha256(file.bytes)] }]);
  expect(wire.met).toHaveLength(2);
});

it('the 201 of a creation in parts is swallowed: one capsule, no byte sent twice', async () => {
  const { wire, ada, server } = world;
  const { page } = world.visitor;
  await arrive(page, ada);
  const file = await video(17_000_000);
  await write(page, ada, 'Said once in parts', [file]);
  const places = watchAppended(server.deps.files);
  wire.plan = loseTwoCreations();
  await create(page);
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Said once in parts', files: [sha256(file.bytes)] }]);
  expect(wire.met).toHaveLength(2);
  expect(places()).toEqual([...new Set(places())]);
  expect(places().length).toBeGreaterThanOrEqual(fewestParts(file.bytes.length));
});

it('a small capsule is cut in its headers, its body and its answer, at any byte', async () => {
  const chance = chanceOf('small capsule cut');
  const { wire, ada } = world;
  const { page } = world.visitor;
  await arrive(page, ada);
  const file = await photo();
  await write(page, ada, 'Cut short', [file]);
  const cutHead: Fault = { kind: 'cut-request', after: chance.whole(1, 400, 'in the headers at') };
  const inBody = chance.whole(1_000, file.bytes.length, 'cut in the body at');
  const cutBody: Fault = { kind: 'cut-request', after: inBody };
  const cutAnswer: Fault = { kind: 'cut-answer', after: chance.whole(0, 800, 'in the answer at') };
  wire.plan = ({ method, path, bytes }) => {
    if (method === 'GET' || !path.startsWith('/api/')) return null;
    if (!wire.met.includes(cutHead)) return cutHead;
    const hasFile = bytes >= file.bytes.length;
    if (!wire.met.includes(cutBody)) return hasFile ? cutBody : null;
    return path === '/api/capsules' && !wire.met.includes(cutAnswer) ? cutAnswer : null;
  };
  await create(page);
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Cut short', files: [sha256(file.bytes)] }]);
  expect(wire.met).toEqual([cutHead, cutBody, cutAnswer]);
});

it('a large film is cut and reset in many of its parts, at any byte', async () => {
  const chance = chanceOf('large film cut');
  const { wire, ada } = world;
  const { page } = world.visitor;
  await arrive(page, ada);
  const file = await video(chance.whole(20_000_000, 26_000_000, 'bytes'));
  await write(page, ada, 'Cut film', [file]);
  const planned: Fault[] = [];
  wire.plan = ({ method, bytes }) => {
    if (method !== 'PATCH' || planned.length === 3) return null;
    if (planned.length > 0 && !chance.happens(0.5)) return null;
    const fault: Fault = chance.happens(0.7)
      ? { kind: 'cut-request', after: chance.whole(1, bytes, 'cut a part at') }
      : { kind: 'cut-answer', after: chance.whole(0, 500, 'cut its answer at') };
    planned.push(fault);
    return fault;
  };
  await create(page);
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Cut film', files: [sha256(file.bytes)] }]);
  expect(planned).not.toEqual([]);
  expect(wire.met).toEqual(planned);
});

it('a line that never carries a whole chunk: each piece that came counts', async () => {
  const { wire, ada, server } = world;
  const { page } = world.visitor;
  await arrive(page, ada);
  const files = [pdf(), await video(3_000_000)];
  await write(page, ada, 'By pieces', files);
  const places = watchAppended(server.deps.files);
  let asked = 0;
  wire.plan = ({ method, path }) => {
    if (method === 'GET' || !path.startsWith('/api/')) return null;
    asked += 1;
    return { kind: 'cut-request', after: 700_000 };
  };
  await create(page);
  await hurryUntilSent(page);
  const hashes = files.map(({ bytes }) => sha256(bytes));
  await expectExactly(world, ada, [{ title: 'By pieces', files: hashes }]);
  expect(places().slice(1)).toEqual(
    places()
      .slice(1)
      .toSorted((a, b) => a - b),
  );
  expect(asked).toBeGreaterThan(8);
});

it('a line of 1 KB/s that then breaks', async () => {
  const { wire, ada } = world;
  const { page } = world.visitor;
  await arrive(page, ada);
  const file = await photo();
  await write(page, ada, 'Slow', [file]);
  let slow = 0;
  wire.plan = ({ method }) => {
    if (method !== 'PATCH' || slow > 0) return null;
    slow += 1;
    return { kind: 'crawl', bytesPerSecond: 1_024, forMs: 1_500 };
  };
  await create(page);
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Slow', files: [sha256(file.bytes)] }]);
  expect(wire.met).toHaveLength(1);
});

it('the server is away for a while though the device takes itself for online', async () => {
  const { wire, ada } = world;
  const { page } = world.visitor;
  await arrive(page, ada);
  await write(page, ada, 'Nobody there');
  wire.down();
  await create(page);
  await page.getByText(KEPT).waitFor();
  wire.up();
  await untilOutboxIsEmpty(page);
  await expectExactly(world, ada, [{ title: 'Nobody there', files: [] }]);
});
