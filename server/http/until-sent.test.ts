import { connect } from 'node:net';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClientLimits } from '../client-limits.ts';
import { listen } from '../listen.ts';
import type { AppEnv } from './context.ts';
import { untilSent } from './until-sent.ts';

/** More than the buffers of a connection hold. */
const BYTES = 20_000_000;
let server: Awaited<ReturnType<typeof listen>>;
let begun = 0;

beforeEach(async () => {
  const limits = createClientLimits({ rateLimits: true }, null);
  const app = new Hono<AppEnv>();
  begun = 0;
  app.get('/', async (c) => {
    c.set('limits', limits);
    const answer = async () => {
      begun += 1;
      return c.body(new Uint8Array(BYTES));
    };
    // One at a time.
    return untilSent(c, 'listSearch', 'ada', answer);
  });
  server = await listen(app, { host: '127.0.0.1', port: 0 }, { warn: () => {} });
});
afterEach(() => server.close(0));

it('keeps the turn until the answer has been sent, or its reader is gone', async () => {
  const idle = connect(server.port, '127.0.0.1');
  idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => begun).toBe(1);
  const sent = fetch(`http://127.0.0.1:${server.port}/`);
  // Answered while the others wait for their turn.
  await fetch(`http://127.0.0.1:${server.port}/other`);
  expect(begun).toBe(1);
  idle.destroy();
  expect((await (await sent).arrayBuffer()).byteLength).toBe(BYTES);
  await (await fetch(`http://127.0.0.1:${server.port}/`)).arrayBuffer();
  expect(begun).toBe(3);
});
