import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import {
  CONTRIBUTION_SECRET_HEADER,
  CONTRIBUTION_TOKEN_HEADER,
  UPLOAD_OFFSET_HEADER,
  XSRF_COOKIE,
  XSRF_HEADER,
} from '../../shared/limits.ts';
import { createClient, expectStatus, signUp, type TestClient } from '../support/client.ts';
import { namedFile, newDraft, newLink, Writer } from '../support/contributions.ts';
import { pdf } from '../support/fixtures.ts';
import { rare } from '../support/rare.ts';
import { sharedServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = sharedServer({ config: { rateLimits: true, trustedProxies: 1 } });
let people = 0;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function newPerson() {
  people += 1;
  const person = await signUp(server.url, `Person ${people}`);
  // All of them register at one address.
  await server.deps.limits.giveBack('register', '127.0.0.1', 'all');
  return person;
}

const visitor = async () => {
  const client = createClient(server.url);
  await client.get('/api/limits');
  return client;
};

/** Sends the head of a call and the first byte of its body. @returns what is answered meanwhile */
async function begin(
  by: TestClient,
  call: string,
  headers: Record<string, string>,
): Promise<() => string> {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  socket.on('error', () => {});
  const all = {
    Host: 'localhost',
    Cookie: await by.jar.getCookieString(server.url),
    [XSRF_HEADER]: String(await by.cookie(XSRF_COOKIE)),
    'Content-Type': 'application/json',
    'Content-Length': '20000',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${call} HTTP/1.1\r\n${lines.join('')}\r\n{`);
  return () => answer;
}

const inProgress = (name: 'body' | 'contributionParts', count: number) =>
  until(() => (server.deps.limits.inProgress(name) === count ? true : null));

it('letters that never end keep no other letter out', async () => {
  const ada = await newPerson();
  const token = await newLink(ada, await newDraft(ada));
  const slow = await visitor();
  for (let address = 1; address <= 20; address += 1) {
    for (const _ of ['one', 'another']) {
      await begin(slow, `PUT /api/contributions/${randomUUID()}`, {
        'X-Forwarded-For': `198.51.100.${address}`,
        [CONTRIBUTION_TOKEN_HEADER]: token,
        [CONTRIBUTION_SECRET_HEADER]: 'x'.repeat(43),
      });
    }
  }
  await inProgress('body', 40);
  expect(await new Writer(server.url, token).save(0)).toBe(1);
  expect(server.deps.limits.inProgress('body')).toBe(40);
});

it('nobody waits for the letter of somebody without a link', async () => {
  const answer = await begin(await visitor(), `PUT /api/contributions/${randomUUID()}`, {
    [CONTRIBUTION_TOKEN_HEADER]: 'x',
    [CONTRIBUTION_SECRET_HEADER]: 'x'.repeat(43),
  });
  await until(() => (answer() === '' ? null : true), { seconds: 10 });
  expect(answer()).toContain('CONTRIBUTION_LINK_INVALID');
});

rare('drafts that never end keep no other draft out', async () => {
  for (let count = 0; count < 20; count += 1) {
    const slow = await newPerson();
    for (const _ of ['one', 'another']) {
      await begin(slow, `PUT /api/drafts/${randomUUID()}`, {
        'X-Forwarded-For': `203.0.113.${count}`,
      });
    }
  }
  await inProgress('body', 40);
  await newDraft(await newPerson());
  expect(server.deps.limits.inProgress('body')).toBe(40);
});

rare('files for one organiser take a few of the places of all', async () => {
  const small = pdf();
  const file = { ...small, bytes: Buffer.concat([small.bytes, Buffer.alloc(1_000_000)]) };
  const eve = await newPerson();
  const token = await newLink(eve, await newDraft(eve));
  const answers: (() => string)[] = [];
  for (let count = 0; count < 4; count += 1) {
    const writer = new Writer(server.url, token);
    const files = [namedFile(file), namedFile(file), namedFile(file)];
    await writer.save(0, { files });
    for (const one of files) {
      expectStatus(await writer.start(one), 201);
      const part = await begin(await visitor(), `PATCH ${writer.path}/uploads/${one.id}`, {
        [CONTRIBUTION_SECRET_HEADER]: writer.secret,
        'Content-Type': 'application/partial-upload',
        'Content-Length': String(one.bytes),
        [UPLOAD_OFFSET_HEADER]: '0',
      });
      answers.push(part);
    }
  }
  await inProgress('contributionParts', 10);
  await until(() =>
    answers.filter((answer) => answer().includes(' 503 ')).length === 2 ? 1 : null,
  );

  const ada = await newPerson();
  const writer = new Writer(server.url, await newLink(ada, await newDraft(ada)));
  const own = namedFile(small);
  await writer.save(0, { files: [own] });
  await writer.start(own);
  expectStatus(await writer.send(own, small.bytes), 200);
});
