import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { FILM_HEAD } from './film.mjs';

/** Like photos and films, it can't be compressed. */
const BLOCK = randomBytes(1_048_576);
const BOUNDARY = '----WebKitFormBoundary7MA4YWxkTrZu0gW';

/** Sends `bytes` bytes as a raw body. @returns seconds until the answer was complete */
export function sendRaw(port, bytes) {
  return exchange(port, { path: '/', headers: {}, bytes });
}

/** Seals a capsule with one film of `bytes` bytes. */
export function sendCapsule(port, { headers, capsule, bytes }) {
  const before =
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="capsule"\r\nContent-Type: application/json\r\n\r\n` +
    `${JSON.stringify(capsule)}\r\n--${BOUNDARY}\r\n` +
    'Content-Disposition: form-data; name="files"; filename="film.mp4"\r\nContent-Type: video/mp4\r\n\r\n';
  return exchange(port, {
    path: '/api/capsules',
    headers: { ...headers, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    before: Buffer.from(before),
    after: Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
    bytes,
  });
}

function exchange(
  port,
  { path, headers, before = Buffer.alloc(0), after = Buffer.alloc(0), bytes },
) {
  const length = before.length + bytes + after.length;
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(head('POST', path, { ...headers, 'Content-Length': String(length) }));
    socket.write(Buffer.concat([before, FILM_HEAD]));
    let left = bytes - FILM_HEAD.length;
    const push = () => {
      while (left > 0) {
        const piece = left >= BLOCK.length ? BLOCK : BLOCK.subarray(0, left);
        left -= piece.length;
        if (!socket.write(piece)) return socket.once('drain', push);
      }
      socket.write(after);
    };
    push();
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('end', () => {
      socket.end();
      if (!/^HTTP\/1\.1 20\d /.test(answer)) return reject(new Error(answer));
      resolve({ seconds: (performance.now() - started) / 1000, body: answer.split('\r\n\r\n')[1] });
    });
  });
}

/** Fetches `path` and discards the bytes. @returns seconds and number of bytes */
export function receive(port, path, headers = {}) {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let first = '';
    const socket = connect({
      port,
      host: '127.0.0.1',
      onread: {
        buffer: Buffer.alloc(1_048_576),
        callback(count, buffer) {
          if (bytes === 0)
            first = /** @type {Buffer} */ (buffer).toString('latin1', 0, Math.min(count, 12));
          bytes += count;
          return true;
        },
      },
    });
    socket.write(head('GET', path, headers));
    socket.on('error', reject);
    socket.on('end', () => {
      socket.end();
      if (!/^HTTP\/1\.1 20/.test(first)) return reject(new Error(`${path}: ${first}`));
      resolve({ seconds: (performance.now() - started) / 1000, bytes });
    });
  });
}

export function head(method, path, headers, connection = 'close') {
  const lines = Object.entries({ Host: 'bench', Connection: connection, ...headers });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([key, value]) => `${key}: ${value}\r\n`).join('')}\r\n`;
}
