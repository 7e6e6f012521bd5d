import { connect } from 'node:net';
import { head } from './transfer.mjs';

/**
 * Requests `path` again and again on `connections` open connections. Written on bare sockets,
 * because it shares the processor with the server it measures. @returns answers a second, and the
 * 95th percentile in milliseconds
 */
export async function load(port, path, headers, { connections = 32, seconds = 2 } = {}) {
  const request = Buffer.from(head('GET', path, headers, 'keep-alive'));
  const times = [];
  const until = performance.now() + seconds * 1000;
  await Promise.all(Array.from({ length: connections }, () => client(port, request, until, times)));
  times.sort((a, b) => a - b);
  return { perSecond: times.length / seconds, p95: times[Math.floor(times.length * 0.95)] ?? 0 };
}

function client(port, request, until, times) {
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
      socket.write(request);
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
