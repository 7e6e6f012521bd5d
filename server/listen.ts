import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { App } from './http/context.ts';

export interface Listening {
  port: number;
  /**
   * Lets the requests under way finish, and until then goes on to answer new ones: the app
   * says to them, and to whoever asks for its health, that it is stopping.
   * @param graceMs after this what is still open is cut.
   */
  close(graceMs: number): Promise<void>;
}

/** How long a client may take over the headers alone; a body may take as long as it keeps coming. */
const HEADERS_TIMEOUT_MS = 30_000;
/** Longer than the idle time-outs of common proxies, so that they never reuse a connection we just closed. */
const KEEP_ALIVE_MS = 75_000;

/** @throws the listen error (EADDRINUSE, EACCES …) as it is. */
export async function listen(
  app: App,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createServer(
    {
      requestTimeout: 0,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 5_000,
      // Uploads arrive in pieces of this size; Node's 64 KiB would quadruple the work around each.
      highWaterMark: 262_144,
    },
    getRequestListener(app.fetch),
  );
  const underWay = new Set<ServerResponse>();
  server.prependListener('request', (_request, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (graceMs) => close(server, [...underWay], graceMs),
  };
}

async function close(server: Server, last: ServerResponse[], graceMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await Promise.all(last.map(ended));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // A connection that is kept alive becomes idle when its last request has been answered.
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

function ended(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) resolve();
    else response.once('close', () => resolve());
  });
}
