import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** Before it takes a call, and again before it answers, at most. */
const CALL_MS = 100;

/**
 * An email provider that speaks as Resend does and takes so many calls a second, each with a batch
 * of emails.
 * @returns `settings` for the servers; `told`, how often each address was sent each text;
 * `refused`, the calls that were too many; `repeated`, those with a known key
 */
export async function startProvider(callsASecond = Number.POSITIVE_INFINITY) {
  const told = new Map();
  const keys = new Set();
  const provider = { told, refused: 0, repeated: 0 };
  let taken = [];
  const server = createServer(async (request, response) => {
    const emails = /** @type {any} */ (await json(request));
    response.setHeader('content-type', 'application/json');
    taken = taken.filter((at) => performance.now() - at < 1_000);
    if (taken.length >= callsASecond) {
      provider.refused += 1;
      response.writeHead(429, { 'retry-after': '1' });
      return response.end('{"name":"rate_limit_exceeded","message":"Too many","statusCode":429}');
    }
    taken.push(performance.now());
    const key = request.headers['idempotency-key'];
    // Before it takes them and before it answers: a caller may die at any moment of a call.
    await pause(Math.random() * CALL_MS);
    if (keys.has(key)) provider.repeated += 1;
    else {
      keys.add(key);
      for (const { to, text } of emails) {
        const mail = `${to}: ${text}`;
        told.set(mail, (told.get(mail) ?? 0) + 1);
      }
    }
    await pause(Math.random() * CALL_MS);
    const ids = emails.map(() => ({ id: randomUUID() }));
    response.end(JSON.stringify({ data: ids }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return Object.assign(provider, {
    settings: {
      RESEND_API_KEY: 're_scale',
      RESEND_BASE_URL: `http://127.0.0.1:${port}`,
      EMAIL_VERIFICATION: 'off',
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

/** How many emails were sent more than once. */
export function twice({ told }) {
  return [...told.values()].filter((times) => times > 1).length;
}
