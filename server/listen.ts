import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { clientOf } from './http/client-address.ts';
import type { App } from './http/context.ts';
import { UNREAD_BYTES } from './http/request-body.ts';

export interface Listening {
  port: number;
  /** How many requests wait for their answer, or for its last byte to be sent. */
  underWay(): number;
  /**
   * Lets running requests finish. New ones are still accepted, and the app answers them, and
   * health checks, with 503. @param graceMs connections still open after this time are closed
   */
  close(graceMs: number): Promise<void>;
}

/** How long a client may take over the headers alone; a body may take as long as it keeps coming. */
const HEADERS_TIMEOUT_MS = 30_000;
/** Longer than the idle time-outs of common proxies, so that they never reuse a connection we just closed. */
const KEEP_ALIVE_MS = 75_000;

/** A client that reads nothing of its answer for this long is gone, or means to occupy the server. */
const STALL_MS = 60_000;

/**
 * Requests of one connection that may wait for their answers. Browsers and proxies send the next one
 * after the answer; all that come in one piece would be handled at once.
 */
const PIPELINED_MAX = 10;

/**
 * Connections that one client may have at a time, where no proxy stands in between; more are closed
 * at once. A browser opens six. Each costs memory before anything of it can be counted.
 */
const CONNECTIONS_MAX = 128;

/** @throws the listen error (EADDRINUSE, EACCES …) as it is. */
export async function listen(
  app: App,
  { host, port, trustedProxies = 0 }: { host: string; port: number; trustedProxies?: number },
  { stallMs = STALL_MS } = {},
): Promise<Listening> {
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
      if (!request.socket.destroyed) void answer(request, response);
    },
  );
  if (trustedProxies === 0) boundConnections(server);
  const underWay = followResponses(server, stallMs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    underWay: () => underWay.size,
    close: (graceMs) => close(server, [...underWay], graceMs),
  };
}

function boundConnections(server: Server): void {
  const byClient = new Map<string, number>();
  server.on('connection', (socket) => {
    const client = clientOf(socket.remoteAddress ?? '') ?? 'unknown';
    const count = byClient.get(client) ?? 0;
    if (count >= CONNECTIONS_MAX) return void socket.destroy();
    byClient.set(client, count + 1);
    socket.once('close', () => {
      const left = (byClient.get(client) ?? 1) - 1;
      if (left > 0) byClient.set(client, left);
      else byClient.delete(client);
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
  server.prependListener('request', ({ socket }, response) => {
    const responses = bySocket.get(socket);
    for (const followed of [underWay, responses]) {
      followed?.add(response);
      response.once('close', () => followed?.delete(response));
    }
    if (responses && responses.size > PIPELINED_MAX) socket.destroy();
  });
  return underWay;
}

async function close(server: Server, last: ServerResponse[], graceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const cut = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      server.closeAllConnections();
      resolve();
    }, graceMs);
  });
  await Promise.race([Promise.all(last.map(ended)), cut]);
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
