import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { openDatabase } from '../support/database.mjs';
import { inTurn, limitRow, median, timesRow } from '../support/measure.mjs';
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

/** Marks an attack whose people come from addresses of their own, as behind a proxy. */
const proxied = (prepare) => Object.assign(prepare, { isProxied: true });

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
  '20 profile pictures of 12 megapixels by one person': proxied(async ({ people }) => {
    const picture = await flat(4_000, 3_000).avif({ effort: 0 }).toBuffer();
    return {
      // A new person each time: one changes their picture 20 times a minute at most.
      nextBytes: async () => photoCall(await people.next(), picture, 'image/avif'),
      ...{ connections: 20, isOnce: true, others: OTHERS_PICTURE },
    };
  }),
  '20 exports of 95 MB by four people': proxied(async ({ server, attacker, people, database }) => {
    return {
      // New people each time: one exports 5 times a minute at most.
      async nextBytes() {
        const four = [];
        for (let count = 0; count < 4; count += 1) four.push(await people.next());
        const capsule = { ...capsuleFor(''), recipientEmails: four.map(({ email }) => email) };
        const headers = attacker.headers();
        const { body } = await sendCapsule(server.port, { headers, capsule, bytes: 95_000_000 });
        await database.unlock(JSON.parse(body).id);
        return four.map((one) => head('GET', '/user/export', one.headers()));
      },
      ...{ connections: 20, isOnce: true, others: OTHERS_SIGN_IN },
    };
  }),
  '40 searches at once over 10,000 capsules': async ({ attacker, database }) => {
    const { id } = await attacker.call('GET', '/user/me');
    await database.addCapsules(id, 10_000);
    await database.settle();
    const path = '/api/capsules/created?page=1&limit=6&query=nowhere';
    return { bytes: head('GET', path, attacker.headers()), connections: 40 };
  },
};

/** What is measured, by a new person each time, who may do it no more often than this in a minute. */
const OTHERS_PICTURE = {
  name: 'small profile picture',
  calls: 9,
  async prepare(person) {
    const picture = await flat(300, 200).jpeg().toBuffer();
    const { body, headers } = await photoForm(person, picture, 'image/jpeg');
    return { path: '/user/update-profile-photo', body, headers };
  },
};
const OTHERS_SIGN_IN = {
  name: 'sign-in',
  calls: 9,
  async prepare({ email, password, headers }) {
    const body = JSON.stringify({ email, password });
    return {
      path: '/auth/login',
      ...{ body, headers: { ...headers(), 'Content-Type': 'application/json' } },
    };
  },
};

/**
 * What an honest person's list takes while the server is attacked, against the same without an
 * attack, and the memory it takes. Each attack has a server of its own, which ends after it.
 */
export async function floods({ rounds, floorDirectory }) {
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
  // Behind a proxy, the proxy bounds the connections of a client; otherwise the server does.
  const server = await startServer(dataDir, prepare.isProxied ? { TRUST_PROXY: '1' } : {}, group);
  const database = openDatabase(dataDir);
  const growth = [];
  const peaks = [];
  let endSeconds = 0;
  try {
    const person = await signUp(server.port);
    const attacker = await signUp(server.port, 'attacker');
    const people = newPeople(server.port);
    const prepared = await prepare({ server, attacker, people, database });
    const { others, nextBytes, ...plan } = { port: server.port, ...prepared };
    const measure = () => (others ? othersMedian(server, others, people) : listP95(server, person));
    let before = 0;
    const times = await inTurn(
      rounds,
      async () => {
        const bytes = (await nextBytes?.()) ?? plan.bytes;
        const took = await underAttack({ ...plan, bytes }, measure);
        if (!server.isRunning()) throw new Error(`${what}: the server has ended`);
        const memory = memoryOf(server.pid);
        peaks.push(memory.peak);
        if (before > 0) growth.push(memory.now - before);
        return took;
      },
      async () => {
        const took = await measure();
        before ||= memoryOf(server.pid).now;
        return took;
      },
    );
    const stopping = performance.now();
    await database.close();
    await server.stop();
    endSeconds = (performance.now() - stopping) / 1000;
    return [
      timesRow(
        `${what}: others' ${others ? `${others.name}, median` : 'list, p95'}`,
        'ms',
        times,
        2,
      ),
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

/** The median in milliseconds. A call that fails is an error: nobody may be shut out. */
async function othersMedian(server, { name, calls, prepare }, people) {
  const { path, body, headers } = await prepare(await people.next());
  const times = [];
  for (let call = 0; call < calls; call += 1) {
    const started = performance.now();
    const response = await fetch(server.url + path, { method: 'POST', headers, body });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`another person's ${name}: ${response.status}`);
    times.push(performance.now() - started);
    await delay(PACE_MS);
  }
  return median(times);
}

/** People with addresses of their own. */
function newPeople(port) {
  let count = 0;
  const next = () => {
    count += 1;
    return signUp(port, `person-${count}`, `10.0.0.${count}`);
  };
  return { next };
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
  const picture = await flat(4_700, 4_700)
    .toColourspace('rgb16')
    .png({ progressive: true })
    .toBuffer();
  return photoCall(attacker, picture, 'image/png');
}

async function photoCall(person, picture, type) {
  const { body, headers } = await photoForm(person, picture, type);
  return Buffer.concat([Buffer.from(head('POST', '/user/update-profile-photo', headers)), body]);
}

async function photoForm(person, picture, type) {
  const form = new FormData();
  form.append('file', new Blob([picture], { type }), 'picture');
  const request = new Request('http://bench/', { method: 'POST', body: form });
  const body = Buffer.from(await request.arrayBuffer());
  const headers = {
    ...person.headers(),
    'Content-Type': request.headers.get('content-type'),
    'Content-Length': String(body.length),
  };
  return { body, headers };
}

const flat = (width, height) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } });
