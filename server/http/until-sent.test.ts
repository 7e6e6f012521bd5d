import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClientLimits } from './client-limits.ts';
import type { AppEnv } from './context.ts';
import { untilSent } from './until-sent.ts';

const BYTES = 50_000_000;
let server: Server;
let port: number;
let begun = 0;

beforeEach(async () => {
  const limits = createClientLimits({ rateLimits: true });
  const app = new Hono<AppEnv>();
  begun = 0;
  app.get('/', async (c) => {
    c.set('limits', limits);
    const answer = async () => {
      begun += 1;
      return c.body(new Uint8Array(BYTES));
    };
    // One at a time.
    return untilSent(c, 'listSearch', 'ada', answer, { stallMs: 200 });
  });
  server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

it('gives the turn of a reader that reads nothing to the next one', async () => {
  const idle = connect(port, '127.0.0.1');
  idle.on('error', () => {});
  idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => begun).toBe(1);
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(begun).toBe(2);
  expect((await answer.arrayBuffer()).byteLength).toBe(BYTES);
  idle.destroy();
});

it('gives the turn on when the answer has been sent, and when its reader is gone', async () => {
  await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer();
  const gone = new AbortController();
  await fetch(`http://127.0.0.1:${port}/`, { signal: gone.signal });
  gone.abort();
  await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer();
  expect(begun).toBe(3);
});
