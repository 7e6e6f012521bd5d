import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { AppError } from '../app-error.ts';
import { createBodyRoom } from './body-room.ts';
import { readWhole, requestBody, UNREAD_BYTES } from './request-body.ts';

let server: Server | null = null;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** A request of which half the body has come, and its connection. */
async function half() {
  const arrived = new Promise<IncomingMessage>((resolve) => {
    server = createServer(resolve).listen(0, '127.0.0.1');
  });
  if (!server) throw new Error('No server.');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf');
  return { incoming: await arrived, client };
}

test('a client that goes away in the middle is a failure at once', async () => {
  const { incoming, client } = await half();
  const body = readWhole(incoming, { maxBytes: 100 });
  client.resetAndDestroy();
  await expect(body).rejects.toMatchObject({ code: 'MALFORMED_BODY' });
});

test('a client that has gone before its body is read is a failure at once', async () => {
  const { incoming, client } = await half();
  client.resetAndDestroy();
  await once(incoming, 'close').catch(() => null);
  await expect(readWhole(incoming, { maxBytes: 100 })).rejects.toMatchObject({
    code: 'MALFORMED_BODY',
  });
});

test('a client that only drips bytes has stopped', async () => {
  const { incoming, client } = await half();
  const drip = setInterval(() => client.write('x'), 30);
  const body = readWhole(incoming, { maxBytes: 100, idleMs: 100 });
  await expect(body).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
  clearInterval(drip);
});

test('a client is waited for no longer than is allowed in all', async () => {
  const { incoming } = await half();
  const started = performance.now();
  const body = readWhole(incoming, { maxBytes: 100, waitMaxMs: 100 });
  await expect(body).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('a client that has to give way is refused at once, though it sends nothing', async () => {
  const { incoming } = await half();
  const room = createBodyRoom(3, 0);
  const rules = (client: string) => ({
    maxBytes: 100,
    room: (refuse: (reason: AppError) => void) =>
      room.enter(client, () => refuse(new AppError('BUSY'))),
  });
  await expect(readWhole(incoming, rules('192.0.2.1'))).rejects.toMatchObject({ code: 'BUSY' });
});

test('a slow client has to go where others need its place, and only there', async () => {
  let isCrowded = false;
  const { incoming, client } = await half();
  const body = readWhole(incoming, { maxBytes: 100, crowdedMs: 50, isCrowded: () => isCrowded });
  const outcome = body.then(
    () => 'there',
    (error: AppError) => error.code,
  );
  const first = await Promise.race([outcome, delay(300, 'waits')]);
  client.write('x');
  expect(first).toBe('waits');
  isCrowded = true;
  expect(await outcome).toBe('REQUEST_TIMEOUT');
});

test('of a body that nobody reads little is taken, and of one that is read large pieces', async () => {
  const arrived = new Promise<IncomingMessage>((resolve) => {
    server = createServer({ highWaterMark: UNREAD_BYTES }, resolve).listen(0, '127.0.0.1');
  });
  if (!server) throw new Error('No server.');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n`);
  client.write(Buffer.alloc(2_000_000));
  const incoming = await arrived;
  await delay(200);
  // What one read of the system brings comes along.
  expect(incoming.readableLength).toBeLessThanOrEqual(65_536);
  const body = requestBody(incoming, { maxBytes: 2_000_000 });
  let largest = 0;
  for await (const piece of body) {
    largest = Math.max(largest, piece.length);
    // As a disk takes its time.
    await delay(5);
  }
  expect(largest).toBeGreaterThan(65_536);
});
