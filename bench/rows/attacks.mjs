import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { openDatabase } from '../support/database.mjs';
import { inTurn, limitRow, timesRow } from '../support/measure.mjs';
import { capsuleFor, signUp } from '../support/person.mjs';
import { createMemoryGroup, memoryOf, startServer, stop } from '../support/process.mjs';
import { head, sendCapsule } from '../support/transfer.mjs';

const ATTACKER = fileURLToPath(new URL('../attacker.mjs', import.meta.url));
/** A person may make 1,200 calls a minute; this one makes ten a second. */
const CALLS = 50;
const PACE_MS = 100;
/** What the server and its database have together. */
const MEMORY_MB = 512;
/** Until the server has noticed that the attack is over. */
const SETTLE_MS = 2_000;

/** Each gives what its attacker sends, and over how many connections. */
const ATTACKS = {
  '1,500 connections, 100 pipelined calls each, cut': () => ({
    bytes: head('GET', '/', {}, 'keep-alive').repeat(100),
    connections: 1_500,
    isOnce: true,
    resetAfterMs: 3,
  }),
  'Sign-ins with 990,000 nested arrays': async ({ server }) => {
    const body = `${'['.repeat(990_000)}${']'.repeat(990_000)}`;
    return { bytes: (await signInHead(server, body.length)) + body, connections: 1 };
  },
  '200 sign-ins of 2 MB, sent but for the end': ({ server }) => halfSent(server, 2_000_000),
  '200 sign-ins of 16 KB, sent but for the end': ({ server }) => halfSent(server, 16_000),
  '300 downloads that nobody reads': async ({ server, attacker, database }) => {
    const capsule = capsuleFor(attacker.email);
    const headers = attacker.headers();
    const { body } = await sendCapsule(server.port, { headers, capsule, bytes: 50_000_000 });
    const { id } = JSON.parse(body);
    await database.unlock(id);
    const { fileInfo } = await attacker.call('GET', `/api/capsules/${id}`);
    const path = `/api/capsules/download/${fileInfo[0].fileId}`;
    return { bytes: head('GET', path, headers), connections: 300, isOnce: true, isRead: false };
  },
  'Two profile pictures of 22 megapixels at once': async ({ attacker }) => ({
    bytes: await pictureCall(attacker),
    connections: 2,
  }),
  '40 searches at once over 10,000 capsules': async ({ attacker, database }) => {
    const { id } = await attacker.call('GET', '/user/me');
    await database.addCapsules(id, 10_000);
    await database.settle();
    const path = '/api/capsules/created?page=1&limit=6&query=nowhere';
    return { bytes: head('GET', path, attacker.headers()), connections: 40 };
  },
};

/**
 * What an honest person's list takes while the server is attacked, against the same without an
 * attack, and the memory it takes. Each attack has a server of its own, which ends after it.
 */
export async function attacks({ rounds, floorDirectory }) {
  const rows = [];
  for (const [what, prepare] of Object.entries(ATTACKS)) {
    const group = createMemoryGroup(MEMORY_MB);
    if (!group)
      console.log('The memory of the server is not limited: that needs rights over the machine.');
    try {
      const dataDir = join(floorDirectory, String(rows.length));
      rows.push(...(await attack(what, prepare, { rounds, dataDir, group })));
    } finally {
      group?.remove();
    }
  }
  return rows;
}

async function attack(what, prepare, { rounds, dataDir, group }) {
  const server = await startServer(dataDir, {}, group);
  const database = openDatabase(dataDir);
  const growth = [];
  const peaks = [];
  let endSeconds = 0;
  try {
    const person = await signUp(server.port);
    const attacker = await signUp(server.port, 'attacker');
    const plan = { port: server.port, ...(await prepare({ server, attacker, database })) };
    let before = 0;
    const times = await inTurn(
      rounds,
      async () => {
        const p95 = await underAttack(plan, () => listP95(server, person));
        if (!server.isRunning()) throw new Error(`${what}: the server has ended`);
        const memory = memoryOf(server.pid);
        peaks.push(memory.peak);
        if (before > 0) growth.push(memory.now - before);
        return p95;
      },
      async () => {
        const p95 = await listP95(server, person);
        before ||= memoryOf(server.pid).now;
        return p95;
      },
    );
    const stopping = performance.now();
    await database.close();
    await server.stop();
    endSeconds = (performance.now() - stopping) / 1000;
    return [
      timesRow(`${what}: others' list, p95`, 'ms', times, 2),
      limitRow('Memory growth after it', 'MB', growth, 50),
      limitRow('The server at its peak', 'MB', peaks, MEMORY_MB),
      limitRow('Stopping it then', 's', [endSeconds], 30),
    ];
  } finally {
    await database.close();
    await server.stop();
  }
}

async function underAttack(plan, work) {
  const attacker = fork(ATTACKER, { serialization: 'advanced' });
  try {
    attacker.send(plan);
    return await work();
  } finally {
    await stop(attacker, 'SIGKILL');
    await delay(SETTLE_MS);
  }
}

/** The 95th percentile in milliseconds. A call that fails counts with the time until it did. */
async function listP95(server, person) {
  const url = `${server.url}/api/capsules/created?page=1&limit=6`;
  const times = await Promise.all(
    Array.from({ length: CALLS }, async (_, number) => {
      await delay(number * PACE_MS);
      const started = performance.now();
      await fetch(url, { headers: person.headers() })
        .then((response) => response.arrayBuffer())
        .catch(() => {});
      return performance.now() - started;
    }),
  );
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)];
}

async function halfSent(server, length) {
  const bytes = (await signInHead(server, length)) + ' '.repeat(length - 100);
  return { bytes, connections: 200, isOnce: true };
}

/** Of a stranger who has the XSRF token that everybody gets. */
async function signInHead(server, length) {
  const response = await fetch(`${server.url}/user/me`);
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
  const token = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN=')) ?? '';
  return head('POST', '/auth/login', {
    Cookie: cookies.join('; '),
    'X-XSRF-TOKEN': token.slice('XSRF-TOKEN='.length),
    'Content-Type': 'application/json',
    'Content-Length': String(length),
  });
}

/** The largest picture that is accepted of the dearest kind: interlaced, of 16 bits. */
async function pictureCall(attacker) {
  const create = { width: 4_700, height: 4_700, channels: 3, background: 'teal' };
  const picture = await sharp({ create })
    .toColourspace('rgb16')
    .png({ progressive: true })
    .toBuffer();
  const form = new FormData();
  form.append('file', new Blob([picture], { type: 'image/png' }), 'picture.png');
  const request = new Request('http://bench/', { method: 'POST', body: form });
  const body = Buffer.from(await request.arrayBuffer());
  const headers = {
    ...attacker.headers(),
    'Content-Type': request.headers.get('content-type'),
    'Content-Length': String(body.length),
  };
  return Buffer.concat([Buffer.from(head('POST', '/user/update-profile-photo', headers)), body]);
}
