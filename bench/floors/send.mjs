// The floor of a download: a bare server that pipes createReadStream to the answer.
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';

const { path } = JSON.parse(process.argv[2]);

const server = createServer((incoming, outgoing) => {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(incoming.headers.range ?? '') ?? [];
  const range = start ? { start: Number(start), end: Number(end) } : {};
  outgoing.statusCode = start ? 206 : 200;
  createReadStream(path, range).pipe(outgoing);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.send({ port });
});
