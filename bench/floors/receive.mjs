// The floor of an upload: a bare server that pipes the body to a file and flushes it to the disk.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

const { directory } = JSON.parse(process.argv[2]);
const path = join(directory, 'received');

const server = createServer(async (incoming, outgoing) => {
  await once(incoming.pipe(createWriteStream(path)), 'close');
  const file = await open(path, 'r+');
  await file.sync();
  await file.close();
  outgoing.end('{}');
  await rm(path);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.send({ port });
});
