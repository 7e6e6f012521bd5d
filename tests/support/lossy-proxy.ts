import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

/** What happens to one request: passed on, or its answer lost once the server has given it. */
export type Fate = 'pass' | 'lose-answer';

export interface LossyProxy {
  url: string;
  /** Method and path of every request so far. */
  requests: string[];
  /** Asked for every request before it is passed on; it may wait. */
  decide: (method: string, path: string) => Fate | Promise<Fate>;
  close(): Promise<void>;
}

/** A network between a browser and a server, with losses at chosen moments. */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '' } = incoming;
    proxy.requests.push(`${method} ${url}`);
    Promise.resolve(proxy.decide(method, url)).then(
      (fate) => passOn(target, incoming, outgoing, fate),
      () => outgoing.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const proxy: LossyProxy = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    decide: () => 'pass',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

function passOn(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fate: Fate,
): void {
  const { method, url = '', headers } = incoming;
  const forwarded = request(new URL(url, target), { method, headers }, (answer) => {
    if (fate === 'lose-answer') {
      // The server has said what it has to say, and nobody hears it.
      answer.resume().on('end', () => outgoing.destroy());
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  outgoing.on('close', () => forwarded.destroy());
  incoming.pipe(forwarded);
}
