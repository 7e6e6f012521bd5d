import { connect } from 'node:net';
import { head } from './transfer.mjs';

/**
 * Makes these calls in turn, again and again, on `connections` open connections. Written on bare
 * sockets, because it shares the processor with the server it measures.
 * @param calls each with `path` and `headers` @returns answers a second, and the 95th percentile in
 * milliseconds
 */
export async function load(port, calls, { connections = 32, seconds = 2 } = {}) {
  const requests = calls.map(({ path, headers }) =>
    Buffer.from(head('GET', path, headers, 'keep-alive')),
  );
  let turn = 0;
  const nextRequest = () => requests[turn++ % requests.length];
  const times = [];
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, () => client(port, nextRequest, until, times)),
  );
  times.sort((a, b) => a - b);
  return { perSecond: times.length / seconds, p95: times[Math.floor(times.length * 0.95)] ?? 0 };
}

/** @returns {Promise<void>} */
function client(port, nextRequest, until, times) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    let started = 0;
    let got = 0;
    let length = 0;
    const next = () => {
      started = performance.now();
      if (started > until) {
        socket.destroy();
        return resolve();
      }
      got = 0;
      length = 0;
      socket.write(nextRequest());
    };
    socket.on('error', reject);
    socket.on('connect', next);
    socket.on('data', (chunk) => {
      if (length === 0) {
        const text = chunk.toString('latin1');
        const body = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
        if (!text.startsWith('HTTP/1.1 200') || Number.isNaN(body)) return reject(new Error(text));
        length = text.indexOf('\r\n\r\n') + 4 + body;
      }
      got += chunk.length;
      if (got < length) return;
      times.push(performance.now() - started);
      next();
    });
  });
}
