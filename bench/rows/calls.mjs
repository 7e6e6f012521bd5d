import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from '../support/load.mjs';
import { inTurn, ratioRow } from '../support/measure.mjs';
import { capsuleFor, signUp } from '../support/person.mjs';
import { startFloor, startServer, temporaryDirectory } from '../support/process.mjs';
import { startRecorder } from '../support/statements.mjs';
import { sendCapsule } from '../support/transfer.mjs';

const CAPSULES = 60;
const CONNECTIONS = 32;
/** So many that none of them makes more than 1,200 calls a minute. */
const PEOPLE = 100;

/** Answers a second at 32 connections against a bare server with the same statements and the same JSON. */
export async function calls({ rounds, server, database, dataDir }) {
  const people = [];
  for (let number = 1; number <= PEOPLE; number += 1) {
    people.push(await addPerson(server.port, database, number));
  }
  await database.settle();
  const paths = {
    'List of created capsules': () => '/api/capsules/created?page=2&limit=6',
    'List of received capsules': () => '/api/capsules/received?page=2&limit=6',
    'Detail of an open capsule': ({ openId }) => `/api/capsules/${openId}`,
    'Dashboard summary': () => '/api/capsules/dashboard-summary?year=2026',
  };
  const [first] = people;
  const firstPaths = Object.values(paths).map((pathOf) => pathOf(first));
  const seen = await recordCalls(firstPaths, first, {
    socketPath: database.socketPath,
    dataDir,
  });
  const floor = await startFloor('calls.mjs', { socketPath: database.socketPath, calls: seen });
  try {
    const rows = [];
    for (const [what, pathOf] of Object.entries(paths)) {
      const everybody = people.map((person) => ({
        path: pathOf(person),
        headers: person.headers(),
      }));
      const perSecond = async (port, asked) =>
        (await load(port, asked, { connections: CONNECTIONS })).perSecond;
      const results = await inTurn(
        rounds,
        () => perSecond(server.port, everybody),
        () => perSecond(floor.port, everybody.slice(0, 1)),
      );
      rows.push(ratioRow(what, '/s', results, 0.6));
    }
    return rows;
  } finally {
    await floor.stop();
  }
}

/** Someone with 60 capsules, one of them with a file and open. */
async function addPerson(port, database, number) {
  const person = await signUp(port, `caller-${number}`, `198.51.100.${number}`);
  const { id } = await person.call('GET', '/user/me');
  await database.addCapsules(id, CAPSULES - 1);
  const { body } = await sendCapsule(port, {
    headers: person.headers(),
    capsule: capsuleFor(person.email),
    bytes: 1_000,
  });
  const openId = JSON.parse(body).id;
  await database.unlock(openId);
  return { ...person, openId };
}

/** The SQL and the answer of each call, recorded between a second server and the same database. */
async function recordCalls(paths, person, { socketPath, dataDir }) {
  const recorder = await startRecorder(socketPath);
  const directory = await temporaryDirectory();
  // A database starts with its own files only.
  await symlink(join(dataDir, 'files'), join(directory.path, 'files'));
  const observed = await startServer(directory.path, { DATABASE_URL: recorder.url, JOBS: 'off' });
  try {
    const seen = {};
    for (const path of paths)
      seen[path] = await steady(() => ask(observed.port, path, person, recorder));
    return seen;
  } finally {
    await observed.stop();
    recorder.stop();
    await directory.remove();
  }
}

async function ask(port, path, person, recorder) {
  recorder.take();
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: person.headers() });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return { answer: await response.json(), statements: recorder.take() };
}

/**
 * The server asks now and then whether its database answers. What was recorded twice in a row belongs
 * to the call.
 */
async function steady(see) {
  let before = await see();
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const now = await see();
    const texts = ({ statements }) => JSON.stringify(statements.map(({ text }) => text));
    if (now.statements.length > 1 && texts(now) === texts(before)) return now;
    before = now;
  }
  throw new Error('a call never asked the same twice');
}
