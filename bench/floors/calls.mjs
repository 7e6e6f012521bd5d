// The floor of a call: a bare server that runs the SQL recorded from our server, with the same
// driver on the same database, and sends the same JSON.
import { createServer } from 'node:http';
import postgres from 'postgres';

const { socketPath, calls } = JSON.parse(process.argv[2]);
const sql = postgres({
  host: 'localhost',
  path: socketPath,
  user: 'postgres',
  database: 'postgres',
  ssl: false,
  max: 10,
});

const server = createServer(async (incoming, outgoing) => {
  const call = calls[incoming.url];
  for (const { text, values } of call.statements) await sql.unsafe(text, values, { prepare: true });
  const body = JSON.stringify(call.answer);
  outgoing.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  outgoing.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.send({ port });
});
