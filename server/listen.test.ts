import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Hono } from 'hono';
import { expect, onTestFinished, test, vi } from 'vitest';
import { rare } from '../tests/support/rare.ts';
import type { AppContext, AppEnv } from './http/context.ts';
import { toWeb } from './http/web-stream.ts';
import { listen } from './listen.ts';

const GRACE_MS = 5_000;
const log = { warn: vi.fn() };

async function startServer(
  answer: (c: AppContext) => Response | Promise<Response>,
  timeouts: Parameters<typeof listen>[3] = {},
  trustedProxies = 0,
) {
  const app = new Hono<AppEnv>();
  app.get('/', answer);
  const at = { host: '127.0.0.1', port: 0, trustedProxies };
  const listening = await listen(app, at, log, timeouts);
  onTestFinished(() => listening.close(0));
  return listening;
}

/** Asks five times in one write and resets the connection before any answer can have come. */
async function askAndReset(port: number, afterMs = 3): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5));
  await delay(afterMs);
  socket.resetAndDestroy();
}

/** An answer that takes longer than the client waits. */
async function slowAnswer(): Promise<Response> {
  await delay(50);
  return new Response('x'.repeat(10_000));
}

test('no request of a connection that was cut stays under way', async () => {
  const server = await startServer(slowAnswer);
  await Promise.all(Array.from({ length: 100 }, () => askAndReset(server.port)));
  await vi.waitFor(() => expect(server.underWay()).toBe(0));
});

test('a server ends within its grace though a connection was cut before its answers', async () => {
  const server = await startServer(slowAnswer);
  await askAndReset(server.port);
  const begin = performance.now();
  await server.close(GRACE_MS);
  expect(performance.now() - begin).toBeLessThan(GRACE_MS);
});

test('what an answer reads from is let go when its connection was cut before its turn', async () => {
  const sources: Readable[] = [];
  const server = await startServer((c) => {
    const source = new Readable({ read: () => void source.push(Buffer.alloc(100_000)) });
    sources.push(source);
    return new Response(toWeb(c, source, () => {}));
  });
  await askAndReset(server.port, 50);
  await vi.waitFor(() => {
    expect(sources).toHaveLength(5);
    expect(sources.filter(({ destroyed }) => !destroyed)).toEqual([]);
  });
});

test('a connection that asks for too much at once is ended, and the rest is not handled', async () => {
  let handled = 0;
  const server = await startServer(() => {
    handled += 1;
    return slowAnswer();
  });
  const ask = async (times: number) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
      if (text.split('200 OK').length > times) socket.end();
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(times));
    await once(socket, 'close');
    return text.split('200 OK').length - 1;
  };
  expect(await ask(10)).toBe(10);
  handled = 0;
  expect(await ask(1_000)).toBe(0);
  expect(handled).toBe(0);
  await vi.waitFor(() => expect(server.underWay()).toBe(0));
});

test.each([
  [0, 128],
  [1, 300],
])('of 300 connections of one client behind %i proxies %i stay', async (proxies, staying) => {
  const server = await startServer(slowAnswer, {}, proxies);
  const open = async (localAddress: string) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  const answers = async (socket: Socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    // A closed one may be reset.
    const first = await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => []);
    return first[0] instanceof Buffer;
  };
  const sockets = await Promise.all(Array.from({ length: 300 }, () => open('127.0.0.2')));
  onTestFinished(() => void sockets.map((socket) => socket.destroy()));
  const answered = await Promise.all(sockets.map(answers));
  expect(answered.filter(Boolean)).toHaveLength(staying);
  const another = await open('127.0.0.3');
  expect(await answers(another)).toBe(true);
  another.destroy();
  for (const socket of sockets) socket.destroy();
  await vi.waitFor(async () => {
    const again = await open('127.0.0.2');
    sockets.push(again);
    expect(await answers(again)).toBe(true);
  });
});

test('a client that reads nothing of its answer is cut off', async () => {
  let begun = 0;
  const answer = () => {
    begun += 1;
    return new Response(new Uint8Array(20_000_000));
  };
  const server = await startServer(answer, { stallMs: 200 });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await vi.waitFor(() => expect([begun, server.underWay()]).toEqual([1, 0]), 5_000);
  socket.destroy();
});

test('of answers that nobody reads, those of the connections with the most go beyond a bound, and no download', async () => {
  const text = 'x'.repeat(3_000_000);
  const answer = (c: AppContext) => {
    if (!c.req.header('range')) return new Response(text);
    const start = (body: ReadableStreamDefaultController) => body.enqueue(Buffer.alloc(8_000_000));
    return new Response(new ReadableStream({ start }));
  };
  const server = await startServer(answer, { unreadMax: 10_000_000 });
  const ask = (times: number, headers = 'Host: x') => {
    const socket = connect(server.port, '127.0.0.1').pause();
    socket.on('error', () => {});
    socket.write(`GET / HTTP/1.1\r\n${headers}\r\n\r\n`.repeat(times));
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  const downloads = 4;
  for (let count = 0; count < downloads; count += 1) ask(1, 'Host: x\r\nRange: bytes=0-');
  const one = ask(1);
  for (let connections = 0; connections < 5; connections += 1) ask(10);
  const closed = () => log.warn.mock.calls.reduce((sum, [fields]) => sum + fields.closed, 0);
  await vi.waitFor(() => expect(closed()).toBe(5), 5_000);
  let read = 0;
  one.on('data', (bytes) => {
    read += bytes.length;
  });
  one.resume();
  await vi.waitFor(() => expect(read).toBeGreaterThan(text.length));
  expect(server.underWay()).toBeGreaterThanOrEqual(downloads);
});

test('an idle connection is closed', async () => {
  const server = await startServer(slowAnswer, { stallMs: 10 });
  const socket = connect(server.port, '127.0.0.1');
  await once(socket.resume(), 'close');
});

rare(
  'of 3,000 requests at once behind a proxy, those beyond a bound are refused with a time',
  async () => {
    let handled = 0;
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const answer = async () => {
      handled += 1;
      await held;
      return new Response('answered');
    };
    const server = await startServer(answer, {}, 1);
    const ask = (times: number) => {
      const socket = connect(server.port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      const asked = { text: '', isClosed: false, connected: once(socket, 'connect') };
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        asked.text += bytes;
      });
      socket.on('close', () => {
        asked.isClosed = true;
      });
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(times));
      return asked;
    };
    const all: ReturnType<typeof ask>[] = [];
    // A system resets connections that its queue has no place for.
    for (let hundreds = 0; hundreds < 30; hundreds += 1) {
      const some = Array.from({ length: 100 }, () => ask(1));
      await Promise.all(some.map(({ connected }) => connected));
      all.push(...some);
    }
    await vi.waitFor(() => {
      expect(all.filter(({ text }) => text.includes(' 503 '))).toHaveLength(1_000);
    }, 30_000);
    expect(handled).toBe(2_000);
    const refusal = all.find(({ text }) => text !== '')?.text.toLowerCase();
    for (const part of ['retry-after: 5', 'connection: close', '"code":"busy"']) {
      expect(refusal).toContain(part);
    }
    // Nobody who waits has a reason to ask several times at once.
    const pipelined = ask(2);
    await vi.waitFor(() => expect(pipelined.isClosed).toBe(true), 10_000);
    finish();
    await vi.waitFor(() => {
      expect(all.filter(({ text }) => text.includes('answered'))).toHaveLength(2_000);
    }, 30_000);
    const later = ask(1);
    await vi.waitFor(() => expect(later.text).toContain('answered'), 10_000);
  },
  120_000,
);
