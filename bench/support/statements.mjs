import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * A proxy between a server and its database that records the Parse and Bind messages of
 * PostgreSQL's protocol, so that a floor can run exactly the same statements.
 */
export async function startRecorder(socketPath) {
  let recorded = [];
  const server = createServer((client) => {
    const database = connect(socketPath);
    database.pipe(client);
    client.pipe(database);
    client.on('error', () => {});
    database.on('error', () => {});
    const texts = new Map();
    let rest = Buffer.alloc(0);
    let started = false;
    client.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        // The startup message has no type byte.
        const lengthAt = started ? 1 : 0;
        if (rest.length < lengthAt + 4) return;
        const end = lengthAt + rest.readInt32BE(lengthAt);
        if (rest.length < end) return;
        if (started) take(rest.toString('latin1', 0, 1), rest.subarray(5, end), texts);
        started = true;
        rest = rest.subarray(end);
      }
    });
  });

  function take(kind, message, texts) {
    if (kind === 'P') {
      const [name, afterName] = text(message, 0);
      texts.set(name, text(message, afterName)[0]);
    } else if (kind === 'B') {
      const [, afterPortal] = text(message, 0);
      const [name, afterName] = text(message, afterPortal);
      recorded.push({ text: texts.get(name), values: values(message, afterName) });
    }
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    /** Returns the statements recorded since the last call. */
    take() {
      const taken = recorded;
      recorded = [];
      return taken;
    },
    stop: () => server.close(),
  };
}

function text(message, from) {
  const end = message.indexOf(0, from);
  return [message.toString('utf8', from, end), end + 1];
}

function values(message, from) {
  let at = from + 2 + message.readInt16BE(from) * 2;
  const count = message.readInt16BE(at);
  at += 2;
  return Array.from({ length: count }, () => {
    const length = message.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    const value = message.toString('utf8', at, at + length);
    at += length;
    return value;
  });
}
