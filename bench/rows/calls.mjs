import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from '../support/load.mjs';
import { inTurn, ratioRow } from '../support/measure.mjs';
import { capsuleFor } from '../support/person.mjs';
import { startFloor, startServer, temporaryDirectory } from '../support/process.mjs';
import { startRecorder } from '../support/statements.mjs';
import { sendCapsule } from '../support/transfer.mjs';

const CAPSULES = 60;
const CONNECTIONS = 32;

/** Answers a second at 32 connections against a bare server with the same statements and the same JSON. */
export async function calls({ rounds, server, person, database, dataDir }) {
  const ids = [];
  for (let number = 1; number <= CAPSULES; number += 1) {
    const { body } = await sendCapsule(server.port, {
      headers: person.headers(),
      capsule: capsuleFor(person.email, `Capsule ${number}`),
      bytes: 1_000,
    });
    ids.push(JSON.parse(body).id);
    if (number % 2 === 0) await database.unlock(ids.at(-1));
  }
  const paths = {
    'List of created capsules': '/api/capsules/created?page=2&limit=6',
    'List of received capsules': '/api/capsules/received?page=2&limit=6',
    'Detail of an open capsule': `/api/capsules/${ids[1]}`,
    'Dashboard summary': '/api/capsules/dashboard-summary?year=2026',
  };
  const seen = await recordCalls(Object.values(paths), person, {
    socketPath: database.socketPath,
    dataDir,
  });
  const floor = await startFloor('calls.mjs', { socketPath: database.socketPath, calls: seen });
  try {
    const rows = [];
    for (const [what, path] of Object.entries(paths)) {
      const perSecond = async (port, headers) =>
        (await load(port, path, headers, { connections: CONNECTIONS })).perSecond;
      const results = await inTurn(
        rounds,
        () => perSecond(server.port, person.headers()),
        () => perSecond(floor.port, {}),
      );
      rows.push(ratioRow(what, '/s', results, 0.6));
    }
    return rows;
  } finally {
    await floor.stop();
  }
}

/** The SQL and the answer of each call, recorded between a second server and the same database. */
async function recordCalls(paths, person, { socketPath, dataDir }) {
  const recorder = await startRecorder(socketPath);
  const directory = await temporaryDirectory();
  // A database starts with its own files only.
  await symlink(join(dataDir, 'files'), join(directory.path, 'files'));
  const observed = await startServer(directory.path, { DATABASE_URL: recorder.url });
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
 * The server's jobs run SQL too, now and then. What was recorded twice in a row belongs to the
 * call.
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
