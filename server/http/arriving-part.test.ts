import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '../app-error.ts';
import { arrivingPart } from './arriving-part.ts';

/** A body that has begun to arrive and does not go on. */
async function silentBody(sent: Buffer): Promise<IncomingMessage> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = request({ port, method: 'PATCH', headers: { 'content-length': sent.length + 1 } });
  client.on('error', () => {});
  client.write(sent);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const [incoming] = (await once(server, 'request')) as [IncomingMessage];
  return incoming;
}

test('a client that stops sending is waited for no longer than that', async () => {
  const part = arrivingPart(await silentBody(Buffer.from('some bytes')), [], { idleMs: 200 });
  expect(String(await buffer(part.stream))).toBe('some bytes');
  expect(part.failure()).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  expect(part.sound()).toBe(0);
});

test('a client that is kept waiting has not stopped', async () => {
  const part = arrivingPart(await silentBody(Buffer.alloc(2_000_000)), [], { idleMs: 100 });
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(part.failure()).toBeNull();
  part.stop(new AppError('UPLOAD_OFFSET_WRONG'));
  expect(part.failure()).toMatchObject({ code: 'UPLOAD_OFFSET_WRONG' });
  await buffer(part.stream);
});
