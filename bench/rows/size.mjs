import { join } from 'node:path';
import { openDatabase } from '../support/database.mjs';
import { inTurn, median, timesRow } from '../support/measure.mjs';
import { signUp } from '../support/person.mjs';
import { startServer } from '../support/process.mjs';

/** Of each kind, created and received. */
const HEAVY = 20_000;
const LIGHT = 20;
/** A person may make 1,200 calls a minute, and 120 searches for people. */
const CALLS = 8;
const SEARCHES = 4;

/**
 * What a person with 20,000 capsules created and as many received waits for, against a person with
 * 20, among `capsules` others.
 */
export async function manyCapsules({ rounds, server, person: heavy, database, capsules }) {
  const light = await signUp(server.port, 'light');
  const people = capsules / 10;
  await database.addCrowd({ people, capsules });
  await database.addExchange(heavy.email, HEAVY, { people });
  await database.addExchange(light.email, LIGHT, { people });
  await database.settle();
  const rows = [];
  /** @type {[what: string, pathOf: (count: number) => string, goal: number][]} */
  const lists = [
    ['first page', () => list(1), 3],
    ['last page', (count) => list(Math.ceil(count / 6)), 3],
    ['summary', () => SUMMARY, 3],
    ['search', () => `${list(1)}&query=nowhere`, 10],
  ];
  for (const [what, pathOf, goal] of lists) {
    const results = await inTurn(
      rounds,
      () => medianMs(server, heavy, pathOf(HEAVY)),
      () => medianMs(server, light, pathOf(LIGHT)),
    );
    rows.push(timesRow(`20,000 + 20,000 among ${named(capsules)}: ${what}`, 'ms', results, goal));
  }
  return rows;
}

/** What an ordinary person waits for among `capsules`, against the same among 10,000. */
export async function manyPeople({ rounds, server, person, database, floorDirectory, capsules }) {
  const smallDir = join(floorDirectory, 'small');
  const small = await startServer(smallDir);
  const smallDatabase = openDatabase(smallDir);
  try {
    const sides = [
      { server, database, person, capsules },
      {
        server: small,
        database: smallDatabase,
        person: await signUp(small.port),
        capsules: 10_000,
      },
    ];
    for (const side of sides) {
      const people = side.capsules / 10;
      await side.database.addCrowd({ people, capsules: side.capsules });
      await side.database.addExchange(side.person.email, LIGHT, { people });
      await side.database.settle();
    }
    const rows = [];
    /** @type {[what: string, path: string, count: number][]} */
    const calls = [
      ['list of created capsules', list(1), CALLS],
      ['list of received capsules', list(1, 'received'), CALLS],
      ['summary', SUMMARY, CALLS],
    ];
    for (const text of ['m', 'ma', 'mar', 'maria sm']) {
      const path = `/user/search-recipient?query=${encodeURIComponent(text)}`;
      calls.push([`people search "${text}"`, path, SEARCHES]);
    }
    for (const [what, path, count] of calls) {
      const measure = (side) => () => medianMs(side.server, side.person, path, count);
      const results = await inTurn(rounds, measure(sides[0]), measure(sides[1]));
      rows.push(timesRow(`${named(capsules)} capsules: ${what}`, 'ms', results, 1.5));
    }
    return rows;
  } finally {
    await smallDatabase.close();
    await small.stop();
  }
}

const SUMMARY = '/api/capsules/dashboard-summary?year=2026';
const list = (page, type = 'created') => `/api/capsules/${type}?page=${page}&limit=6`;
const named = (count) => count.toLocaleString('en');

/** The median of so many calls, one after another. */
async function medianMs(server, person, path, count = CALLS) {
  const times = [];
  for (let call = 0; call < count; call += 1) {
    const started = performance.now();
    const response = await fetch(server.url + path, { headers: person.headers() });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    times.push(performance.now() - started);
  }
  return median(times);
}
