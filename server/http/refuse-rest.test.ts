import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { refuseRest } from './refuse-rest.ts';

let server: Server;
let port: number;
let lingering: { lingerMs?: number; silenceMs?: number };

beforeEach(async () => {
  lingering = {};
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.post('/', async (c) => {
    // As after a look at the database.
    await new Promise(setImmediate);
    refuseRest(c.env.incoming, c.env.outgoing, lingering);
    return c.json({ code: 'PAYLOAD_TOO_LARGE' }, 413);
  });
  server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function begin(contentLength: number) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  await once(socket, 'connect');
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${contentLength}\r\n\r\n`);
  return { socket, answer: () => String(Buffer.concat(received)) };
}

test('a client that sends everything before it reads gets the answer, with no reset', async () => {
  const bytes = 40_000_000;
  const { socket, answer } = await begin(bytes);
  socket.pause();
  const block = Buffer.alloc(1_000_000);
  for (let sent = 0; sent < bytes; sent += block.length) {
    if (!socket.write(block)) await once(socket, 'drain');
  }
  socket.resume();
  await once(socket, 'end');
  expect(answer()).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer()).toMatch(/connection: close/i);
  expect(answer()).toContain('{"code":"PAYLOAD_TOO_LARGE"}');
  socket.destroy();
});

test('fetch gets the answer to a huge body', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body: Buffer.alloc(40_000_000),
  });
  expect(response.status).toBe(413);
  expect(await response.json()).toEqual({ code: 'PAYLOAD_TOO_LARGE' });
});

test('a client that waits gets the answer at once, and is let go when it stays silent', async () => {
  lingering = { silenceMs: 50 };
  const { socket, answer } = await begin(1_000_000);
  await once(socket, 'end');
  expect(answer()).toMatch(/^HTTP\/1\.1 413 /);
  const [connection] = await Promise.all([once(socket, 'close'), socket.end()]);
  expect(connection).toBeDefined();
});

test('a client that never stops sending is cut off', async () => {
  lingering = { lingerMs: 50 };
  const { socket, answer } = await begin(1_000_000_000_000);
  const failed = once(socket, 'close').catch(() => {});
  const sending = setInterval(() => socket.write('x'), 5);
  socket.on('error', () => {});
  await failed;
  clearInterval(sending);
  expect(answer()).toMatch(/^HTTP\/1\.1 413 /);
});

test('a request that has arrived whole keeps its connection', async () => {
  const { socket, answer } = await begin(2);
  socket.write('ok');
  await once(socket, 'data');
  expect(answer()).toMatch(/connection: keep-alive/i);
  socket.destroy();
});
