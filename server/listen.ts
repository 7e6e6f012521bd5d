import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ERRORS } from '../shared/errors.ts';
import { clientOf, networkOf } from './http/client-address.ts';
import type { App } from './http/context.ts';
import { refuseRest } from './http/refuse-rest.ts';
import { UNREAD_BYTES } from './http/request-body.ts';
import type { Log } from './log.ts';

/** How long a client may take over the headers alone; a body may take as long as it keeps coming. */
const HEADERS_TIMEOUT_MS = 30_000;
/** Longer than the idle time-outs of common proxies, so that they never reuse a connection we just closed. */
const KEEP_ALIVE_MS = 75_000;

/** A client that reads nothing of its answer for this long is gone, or means to occupy the server. */
const STALL_MS = 60_000;

/**
 * Bytes of whole answers that wait for their clients, of all together. Beyond it, the connections with the
 * most are closed: lists of a megabyte that nobody reads would take all memory.
 */
const UNREAD_MAX = 268_435_456;
const LOOK_EVERY_MS = 1_000;

/**
 * Requests of one connection that may wait for their answers. Browsers and proxies send the next one
 * after the answer; all that come in one piece would be handled at once.
 */
const PIPELINED_MAX = 10;

/**
 * Requests under way in the whole process, beyond which connections that have several are closed, and
 * beyond which all others are refused. Each costs memory, whoever asks and however many connections a
 * proxy, or somebody who reaches us past it, has.
 */
const CROWDED = 500;
const UNDER_WAY_MAX = 2_000;

/**
 * Connections that one client may have at a time, where no proxy stands in between; more are closed
 * at once. A browser opens six. Each costs memory before anything of it can be counted.
 */
const CONNECTIONS_MAX = 128;
/** The same of a network, in which one customer of IPv6 has many names for clients. */
const NETWORK_CONNECTIONS_MAX = 512;

/** @throws the listen error (EADDRINUSE, EACCES …) as it is. */
export async function listen(
  app: App,
  { host, port, trustedProxies = 0 }: { host: string; port: number; trustedProxies?: number },
  log: Pick<Log, 'warn'>,
  { stallMs = STALL_MS, unreadMax = UNREAD_MAX } = {},
) {
  // HTTP/1.0 needs no Host, and the plain check of a proxy sends none. Of HTTP/1.1, Node wants one.
  const answer = getRequestListener(app.fetch, { hostname: 'localhost' });
  const server = createServer(
    {
      requestTimeout: 0,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 5_000,
      highWaterMark: UNREAD_BYTES,
    },
    (request, response) => {
      // Once all that came in one piece is counted: of a connection that asks for too much, nothing is handled.
      process.nextTick(() => {
        if (!request.socket.destroyed && !response.headersSent) void answer(request, response);
      });
    },
  );
  if (trustedProxies === 0) boundConnections(server);
  const underWay = followResponses(server, stallMs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const look = setInterval(() => {
    const closed = closeUnread(underWay, unreadMax);
    if (closed > 0) log.warn({ closed }, 'Connections were closed whose clients read no answers.');
  }, LOOK_EVERY_MS);
  server.once('close', () => clearInterval(look));
  return {
    port: (server.address() as AddressInfo).port,
    /** How many requests wait for their answer, or for its last byte to be sent. */
    underWay: () => underWay.size,
    /**
     * Lets running requests finish. New ones are still accepted, and the app answers them, and
     * health checks, with 503. @param graceMs connections still open after this time are closed
     */
    close: (graceMs: number) => close(server, [...underWay], graceMs),
  };
}

function boundConnections(server: Server): void {
  const counts = new Map<string, number>();
  server.on('connection', (socket) => {
    const client = clientOf(socket.remoteAddress ?? '') ?? 'unknown';
    const bounds = new Map([
      [networkOf(client), NETWORK_CONNECTIONS_MAX],
      [client, CONNECTIONS_MAX],
    ]);
    const isTooMuch = ([name, most]: [string, number]) => (counts.get(name) ?? 0) >= most;
    if ([...bounds].some(isTooMuch)) return void socket.destroy();
    for (const name of bounds.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
    socket.once('close', () => {
      for (const name of bounds.keys()) {
        const left = (counts.get(name) ?? 1) - 1;
        if (left > 0) counts.set(name, left);
        else counts.delete(name);
      }
    });
  });
}

/**
 * The responses that have not been sent to their end. Ends connections whose clients do not read, or
 * ask for too much at once.
 */
function followResponses(server: Server, stallMs: number): Set<ServerResponse> {
  const underWay = new Set<ServerResponse>();
  const bySocket = new WeakMap<Socket, Set<ServerResponse>>();
  server.on('connection', (socket) => {
    const responses = new Set<ServerResponse>();
    bySocket.set(socket, responses);
    socket.once('close', () => {
      // Node closes only the response whose turn it is; those pipelined behind it are closed here.
      for (const response of responses) {
        if (!response.socket) response.destroy().emit('close');
      }
    });
  });
  server.setTimeout(stallMs, (socket: Socket) => {
    // Node counts the time of an idle connection with the same timer.
    const isIdle = bySocket.get(socket)?.size === 0;
    // With nothing left to send, the answer waits for us, not for its reader.
    if (isIdle || socket.writableLength > 0) socket.destroy();
  });
  server.prependListener('request', (request, response) => {
    const { socket } = request;
    // The rest of a piece of which there was too much. It ends with its connection.
    if (socket.destroyed) return;
    const responses = bySocket.get(socket);
    for (const followed of [underWay, responses]) {
      followed?.add(response);
      response.once('close', () => followed?.delete(response));
    }
    const pipelinedMax = underWay.size > CROWDED ? 1 : PIPELINED_MAX;
    if (responses && responses.size > pipelinedMax) socket.destroy();
    else if (underWay.size > UNDER_WAY_MAX) refuse(request, response);
  });
  return underWay;
}

/** @returns how many connections it closed */
function closeUnread(underWay: Set<ServerResponse>, unreadMax: number): number {
  const bySocket = new Map<Socket, number>();
  let all = 0;
  for (const { req, writableEnded, writableLength } of underWay) {
    // One that is still being made, as a download is, waits for its client and holds one piece.
    if (!writableEnded) continue;
    bySocket.set(req.socket, (bySocket.get(req.socket) ?? 0) + writableLength);
    all += writableLength;
  }
  let closed = 0;
  for (const [socket, unread] of [...bySocket].sort(([, one], [, other]) => other - one)) {
    if (all <= unreadMax) break;
    socket.destroy();
    all -= unread;
    closed += 1;
  }
  return closed;
}

/** Before any work is done for it. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  const [status, message] = ERRORS.BUSY;
  refuseRest(request, response);
  const headers = { 'Content-Type': 'application/json', 'Retry-After': '5', Connection: 'close' };
  response.writeHead(status, headers).end(JSON.stringify({ message, code: 'BUSY' }));
}

async function close(server: Server, last: ServerResponse[], graceMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await Promise.all(last.map(ended));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that is kept alive becomes idle when its last request has been answered.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
}

function ended(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) resolve();
    else response.once('close', () => resolve());
  });
}
