import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createBounceReader } from './bounce-mailbox.ts';

/** A mail server that offers no STARTTLS, and what was said to it. */
async function startPlainImap(): Promise<{ port: number; said: string[] }> {
  const said: string[] = [];
  const server = createServer((socket) => {
    socket.write('* OK [CAPABILITY IMAP4rev1 LOGIN] ready\r\n');
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      for (const line of bytes.toString().split('\r\n').filter(Boolean)) {
        said.push(line);
        const [tag, command] = line.split(' ');
        const isKnown = command === 'CAPABILITY' || command === 'LOGOUT';
        if (command === 'CAPABILITY') socket.write('* CAPABILITY IMAP4rev1 LOGIN\r\n');
        socket.write(`${tag} ${isKnown ? 'OK' : 'NO'} done\r\n`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, said };
}

const INBOX = {
  readTo: async () => null,
  take: async () => false,
  setReadTo: async () => {},
};

it.each([
  // Of this machine, and not named as such.
  ['0.0.0.0', '', false],
  ['0.0.0.0', '?tls=optional', true],
  ['127.0.0.1', '', true],
])('signs in at %s%s without TLS: %s', async (host, query, isSent) => {
  const { port, said } = await startPlainImap();
  const read = createBounceReader({ url: `imap://user:secret@${host}:${port}/INBOX${query}` });
  await expect(
    read(INBOX as unknown as Parameters<typeof read>[0], new AbortController().signal),
  ).rejects.toThrow();
  expect(said.join().includes('secret')).toBe(isSent);
});
