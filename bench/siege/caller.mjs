import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { head } from '../support/transfer.mjs';

/** Longer than a person waits for anything. */
const PATIENCE_MS = 30_000;

/**
 * Somebody who calls from an address of their own, with the cookies of one browser. Linux takes each
 * address of 127.0.0.0/8 as its own, so that the server counts them as different clients.
 */
export function createCaller(port, address) {
  const cookies = new Map();
  const agent = new Agent({ keepAlive: true, maxSockets: 64, localAddress: address });

  const headers = () => ({
    Cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; '),
    'X-XSRF-TOKEN': cookies.get('XSRF-TOKEN') ?? '',
  });

  /**
   * @param {{ json?: unknown, body?: Buffer, headers?: Record<string, string> }} [sent]
   * @returns {Promise<{ status: number, bytes: Buffer, json: any, ms: number }>} a call without an
   *   answer has the status 0
   */
  function call(method, path, sent = {}) {
    const { json, body, headers: more } = sent;
    const bytes = json === undefined ? body : Buffer.from(JSON.stringify(json));
    const started = performance.now();
    return new Promise((resolve) => {
      const end = (status, parts = []) => {
        const bytes = Buffer.concat(parts);
        resolve({ status, bytes, json: parsed(bytes), ms: performance.now() - started });
      };
      const asked = request({
        ...{ port, host: '127.0.0.1', method, path, agent },
        headers: {
          ...headers(),
          ...(json !== undefined && { 'Content-Type': 'application/json' }),
          ...(bytes && { 'Content-Length': bytes.length }),
          ...more,
        },
      });
      asked.setTimeout(PATIENCE_MS, () => asked.destroy());
      asked.on('error', () => end(0));
      asked.on('response', (response) => {
        for (const line of response.headers['set-cookie'] ?? []) keep(line);
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('error', () => end(0));
        response.on('end', () => end(response.statusCode, parts));
      });
      asked.end(bytes);
    });
  }

  function keep(line) {
    const [, key, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value) cookies.set(key, value);
    else cookies.delete(key);
  }

  return {
    address,
    headers,
    call,
    /** The first call hands out the XSRF token that all others need. */
    arrive: () => call('GET', '/api/limits'),
    /** A connection on which these bytes are written, and nothing is read unless `isRead`. */
    write(bytes, { isRead = true } = {}) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: address });
      // Refused and cut connections are what an attacker expects.
      socket.on('error', () => {});
      if (isRead) socket.resume();
      socket.write(bytes);
      return socket;
    },
    /** The head of a call, for a body that is written by hand. */
    headOf: (method, path, more = {}, connection) =>
      head(method, path, { ...headers(), ...more }, connection),
    leave: () => agent.destroy(),
  };
}

function parsed(bytes) {
  try {
    return JSON.parse(String(bytes));
  } catch {
    return null;
  }
}
