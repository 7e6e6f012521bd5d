import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { readWhole } from './request-body.ts';

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
