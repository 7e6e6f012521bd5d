import { mkdtemp, rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as send,
} from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What we use of s3rver, which has no types of its own. */
interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
const S3rverClass = createRequire(import.meta.url)('s3rver') as new (options: object) => S3rver;

/** What is done to a call instead of passing it on, or to its answer. */
export type S3Fate =
  | 'pass'
  | 'refuse-500'
  | 'refuse-503'
  | 'refuse-507'
  | 'lose-answer'
  | 'cut-body';

export interface S3Server {
  options: {
    endpoint: string;
    bucket: string;
    region: string;
    accessKeyId: string;
    secretAccessKey: string;
  };
  /** Decides over each call from now on. */
  fate: (request: IncomingMessage) => S3Fate;
  close(): Promise<void>;
}

/** A real S3 server in a folder of its own, behind a proxy that can break calls. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 's3-'));
  const inner = new S3rverClass({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'capsules' }],
  });
  const { port } = await inner.run();
  const proxy = createServer((request, response) => forward(request, response, port, server.fate));
  const address = await listening(proxy);
  const server: S3Server = {
    options: {
      endpoint: `http://127.0.0.1:${address.port}`,
      bucket: 'capsules',
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
    },
    fate: () => 'pass',
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      await inner.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return server;
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  fateOf: S3Server['fate'],
): void {
  const fate = fateOf(request);
  if (fate.startsWith('refuse-')) {
    request.resume();
    response.writeHead(Number(fate.slice('refuse-'.length))).end('<Code>Broken</Code>');
    return;
  }
  const { method, url, headers } = request;
  // s3rver cannot end an unfinished upload.
  if (method === 'DELETE' && url?.includes('uploadId=')) {
    response.writeHead(204).end();
    return;
  }
  const onward = send({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    if (fate === 'lose-answer') {
      answer.resume().on('end', () => request.socket.destroy());
      return;
    }
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    if (fate !== 'cut-body') answer.pipe(response);
    else
      answer.once('data', (chunk: Buffer) => response.write(chunk, () => request.socket.destroy()));
  });
  onward.on('error', () => request.socket.destroy());
  request.pipe(onward);
}

function listening(server: Server): Promise<AddressInfo> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo));
  });
}
