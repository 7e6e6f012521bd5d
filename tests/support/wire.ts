import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A request as its head names it. */
export interface Asked {
  method: string;
  path: string;
  /** Where the part that it carries begins in its file; null when it carries none. */
  offset: number | null;
  /** Of its body. */
  bytes: number;
}

/** What happens to one request. Bytes are counted on the wire, headers included. */
export type Fault =
  /** Both ends lose the connection when this many bytes of the request have passed. */
  | { kind: 'cut-request'; after: number }
  /** The server gets all of it; the connection ends when this many bytes of the answer have passed. */
  | { kind: 'cut-answer'; after: number }
  /** So many bytes a second, and a cut when that has lasted for `forMs`. */
  | { kind: 'crawl'; bytesPerSecond: number; forMs: number }
  /** The server never hears of it: something in between swallows it and answers itself. */
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body: string };

/** A line between a browser and a server, of bytes only, that breaks where a test wants it to. */
export interface Wire {
  url: string;
  /** Where the server is; it may move, as after a restart. */
  target: string;
  /** Method and path of every request so far. */
  readonly requests: string[];
  /** What has really happened of what was planned: a request may be shorter than the place of its cut. */
  readonly met: Fault[];
  /** Asked for every request before its first byte is passed on; it may wait. */
  plan: (asked: Asked) => Fault | null | Promise<Fault | null>;
  /** Bytes a second on each connection to the server; null for as fast as it goes. */
  pace: number | null;
  /** Cuts every connection, and refuses new ones until `up`. */
  down(): void;
  up(): void;
  close(): Promise<void>;
}

const REQUEST_LINE = /^(GET|HEAD|POST|PUT|PATCH|DELETE) (\S+) HTTP\/1\.1\r\n/;
const OFFSET = /\r\nupload-offset: *(\d+)/i;
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const TICK_MS = 50;

export async function startWire(target: string): Promise<Wire> {
  const open = new Set<Socket>();
  let isDown = false;
  const server = createServer((client) => {
    if (isDown) {
      client.resetAndDestroy();
      return;
    }
    open.add(client);
    client.once('close', () => open.delete(client));
    void carry(client, wire);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const cutAll = () => {
    for (const socket of open) socket.resetAndDestroy();
  };
  const wire: Wire = {
    url: `http://127.0.0.1:${port}`,
    target,
    requests: [],
    met: [],
    plan: () => null,
    pace: null,
    down() {
      isDown = true;
      cutAll();
    },
    up() {
      isDown = false;
    },
    async close() {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return wire;
}

/** One connection: what happens to the request that is on it now. */
interface Course {
  fault: Fault | null;
  /** Bytes of the request and of its answer that have passed. */
  up: number;
  down: number;
  startedAt: number;
}

async function carry(client: Socket, wire: Wire): Promise<void> {
  const { hostname, port } = new URL(wire.target);
  const server = connect({ host: hostname, port: Number(port) });
  const course: Course = { fault: null, up: 0, down: 0, startedAt: 0 };
  const cut = () => {
    client.resetAndDestroy();
    server.resetAndDestroy();
  };
  // Each end that breaks takes the other with it, as a line does.
  for (const socket of [client, server]) socket.on('error', cut);
  client.once('close', () => server.destroy());
  server.once('close', () => client.end());
  await Promise.all([
    passRequests({ client, server, wire, course, cut }),
    passAnswers({ client, server, wire, course, cut }),
  ]).catch(cut);
}

interface Ends {
  client: Socket;
  server: Socket;
  wire: Wire;
  course: Course;
  cut: () => void;
}

async function passRequests({ client, server, wire, course, cut }: Ends) {
  for await (const chunk of client as AsyncIterable<Buffer>) {
    const asked = readHead(chunk);
    if (asked) {
      wire.requests.push(`${asked.method} ${asked.path}`);
      const fault = await wire.plan(asked);
      Object.assign(course, { fault, up: 0, down: 0, startedAt: performance.now() });
    }
    const { fault } = course;
    if (fault?.kind === 'answer') {
      await swallow(client, chunk, fault);
      wire.met.push(fault);
      course.fault = null;
    } else if (fault?.kind === 'crawl') {
      if (await crawl(server, chunk, fault, course)) continue;
      wire.met.push(fault);
      cut();
    } else if (fault?.kind === 'cut-request' && course.up + chunk.length >= fault.after) {
      await write(server, chunk.subarray(0, fault.after - course.up));
      wire.met.push(fault);
      cut();
    } else {
      course.up += chunk.length;
      await write(server, chunk);
      if (wire.pace !== null) await delay((chunk.length * 1_000) / wire.pace);
    }
  }
  server.end();
}

async function passAnswers({ client, server, wire, course, cut }: Ends) {
  for await (const chunk of server as AsyncIterable<Buffer>) {
    const { fault } = course;
    if (fault?.kind === 'cut-answer' && course.down + chunk.length >= fault.after) {
      await write(client, chunk.subarray(0, fault.after - course.down));
      wire.met.push(fault);
      cut();
      return;
    }
    course.down += chunk.length;
    await write(client, chunk);
  }
}

/** @returns false when its time is over */
async function crawl(
  server: Socket,
  chunk: Buffer,
  { bytesPerSecond, forMs }: Extract<Fault, { kind: 'crawl' }>,
  { startedAt }: Course,
): Promise<boolean> {
  const step = Math.max(1, Math.floor((bytesPerSecond * TICK_MS) / 1000));
  for (let at = 0; at < chunk.length; at += step) {
    if (performance.now() - startedAt > forMs) return false;
    await write(server, chunk.subarray(at, at + step));
    await delay(TICK_MS);
  }
  return true;
}

/** Takes the rest of the request in, whole, and answers it. */
async function swallow(
  client: Socket,
  first: Buffer,
  { status, headers = {}, body }: Extract<Fault, { kind: 'answer' }>,
): Promise<void> {
  const head = first.indexOf('\r\n\r\n');
  const announced = LENGTH.exec(first.subarray(0, head).toString('latin1'));
  let left = Number(announced?.[1] ?? 0) - (first.length - head - 4);
  while (left > 0) {
    const chunk: Buffer | null = client.read();
    if (chunk) left -= chunk.length;
    else await once(client, 'readable');
  }
  const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers });
  const answer = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  await write(client, Buffer.from(`HTTP/1.1 ${status} Said in between\r\n${answer}\r\n${body}`));
}

async function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (bytes.length === 0 || socket.destroyed) return;
  if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
}

function readHead(chunk: Buffer): Asked | null {
  const found = REQUEST_LINE.exec(chunk.subarray(0, 2_048).toString('latin1'));
  if (!found) return null;
  const head = chunk.subarray(0, chunk.indexOf('\r\n\r\n')).toString('latin1');
  const offset = OFFSET.exec(head)?.[1];
  const [, method = '', path = ''] = found;
  return {
    method,
    path,
    offset: offset === undefined ? null : Number(offset),
    bytes: Number(LENGTH.exec(head)?.[1] ?? 0),
  };
}
