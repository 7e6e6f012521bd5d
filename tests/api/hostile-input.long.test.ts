import { beforeAll, expect, it } from 'vitest';
import type { Endpoint } from '../../shared/api/endpoint.ts';
import { ENDPOINTS } from '../../shared/api/index.ts';
import { createClient, signUp, type TestClient } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();

/** As much as a body of each kind may have. */
const JSON_BYTES = 16_384;
const CAPSULE_BYTES = 409_600;
/** Of all headers together, with room for cookies. */
const HEADER_BYTES = 12_000;

/**
 * Another client is answered by then, in processor time of the whole process, ours here included. What
 * takes more than linear time takes seconds; on a slow machine what is fine takes 60.
 */
const ANSWERED_WITHIN_MS = 100;

/** `begin`, then as many of `piece` as there is room for, then `end`. */
const filled = (bytes: number, begin: string, piece: string, end = '') =>
  begin + piece.repeat((bytes - Buffer.byteLength(begin + end)) / Buffer.byteLength(piece)) + end;

/** Bodies that are no JSON, or none of ours. */
const BROKEN: [begin: string, piece: string, end: string][] = [
  ['"', '\\"', ''],
  ['"', '\\', ''],
  ['', '"', ''],
  ['', '[', ''],
  ['', ']', ''],
  ['', '{"a":', ''],
  ['[', '[],', '[]]'],
  ['[', '9', ']'],
  ['{', '"a":0,', '"a":0}'],
  ['', ' ', ''],
  ['', '\0', ''],
];
/** In every field of a call. */
const PIECES = [
  'a',
  ' ',
  '@',
  'a@b.',
  '\\u0000',
  '\\"',
  '<',
  '..',
  '\u0301\u0327',
  '\u200D',
  '\\ud800',
];

function bodiesOf({ body }: Endpoint, bytes: number): string[] {
  const fields = Object.keys((body as { shape?: object } | undefined)?.shape ?? {});
  const room = Math.floor(bytes / (fields.length + 1)) - 30;
  const shaped = PIECES.flatMap((piece) => {
    const text = `"a${filled(room, '', piece)}"`;
    const values = [text, `[${text}]`, `{${text}:${text.slice(0, 9)}"}`];
    return values.map((value) => `{${fields.map((name) => `"${name}":${value}`).join()}}`);
  });
  return [...BROKEN.map((shape) => filled(bytes, ...shape)), ...shaped];
}

async function send(
  client: TestClient,
  { method, path, multipart, bytes }: Endpoint,
  body: string,
) {
  const url = path.replace(/:\w+/g, '0b9f1f7e-53ad-4d0a-9f5c-6d4f8a3b2c1d');
  if (multipart) {
    const form = new FormData();
    form.append(multipart.json ?? multipart.files, new Blob([body]), 'a');
    return client.request(method, url, { body: form });
  }
  const type = bytes ?? 'application/json';
  const headers = { 'content-type': type, 'upload-offset': '0' };
  return client.request(method, url, { body, headers });
}

/** Sends something, and asks after the server's health at once by another line. */
async function answeredAfter(sending: () => Promise<{ status: number }>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && shortest >= ANSWERED_WITHIN_MS; run += 1) {
    const begun = process.cpuUsage();
    const sent = sending();
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await sent).status).not.toBe(500);
    const { user, system } = process.cpuUsage(begun);
    shortest = Math.min(shortest, (user + system) / 1_000);
  }
  return shortest;
}

const withBody = Object.entries(ENDPOINTS as Record<string, Endpoint>).filter(
  ([, { body, multipart, bytes }]) => body ?? multipart ?? bytes,
);

let member: TestClient;
let visitor: TestClient;
beforeAll(async () => {
  member = await signUp(server.url, 'Ada');
  visitor = createClient(server.url);
  await visitor.get('/api/limits');
});

it.each(withBody)('%s: no body holds anybody else up', async (_name, endpoint) => {
  const bodies = bodiesOf(endpoint, endpoint.multipart ? CAPSULE_BYTES : JSON_BYTES);
  let worst = 0;
  for (const client of [member, visitor]) {
    for (const body of bodies) {
      worst = Math.max(worst, await answeredAfter(() => send(client, endpoint, body)));
    }
  }
  expect(worst).toBeLessThan(ANSWERED_WITHIN_MS);
});

const IN_ADDRESSES = ['a', '%00', '%20', '%', '%22', '..', '@', '&', '=', ';', '%CC%81%CC%A7', '+'];

it('no address holds anybody else up', async () => {
  let worst = 0;
  const { logout: _, ...others } = ENDPOINTS;
  for (const { method, path, query } of Object.values<Endpoint>(others)) {
    const names = Object.keys((query as { shape?: object } | undefined)?.shape ?? {});
    // An address that takes nothing is asked for once.
    const takes = path.includes(':') || names.length > 0;
    for (const piece of takes ? IN_ADDRESSES : ['a']) {
      const text = filled(HEADER_BYTES / (names.length + 1), '', piece);
      const search = names.map((name) => `${name}=${text}`).join('&');
      const url = path.includes(':') ? path.replace(/:\w+/g, text.slice(0, 1_000)) : path;
      for (const client of [member, visitor]) {
        const asking = () => client.request(method, `${url}?${search}`);
        worst = Math.max(worst, await answeredAfter(asking));
      }
    }
  }
  expect(worst).toBeLessThan(ANSWERED_WITHIN_MS);
});

const HEADERS = ['accept-encoding', 'content-type', 'cookie', 'if-none-match', 'origin', 'range'];
const MORE_HEADERS = ['upload-chunk-digests', 'x-forwarded-for', 'idempotency-key', 'user-agent'];
const IN_HEADERS = [
  'a',
  ' ',
  ',',
  ';',
  '=',
  '"',
  '\\"',
  'a=;',
  '; a="',
  'W/"',
  'br;q=0,',
  '0-',
  '--',
  '/',
  ':',
];

it('no header holds anybody else up', async () => {
  let worst = 0;
  for (const name of [...HEADERS, ...MORE_HEADERS]) {
    for (const piece of IN_HEADERS) {
      const value = filled(HEADER_BYTES, 'a', piece, 'a');
      const headers = { [name]: name === 'content-type' ? `multipart/form-data;${value}` : value };
      for (const path of ['/', '/static/none.js', '/user/me', '/api/capsules/created']) {
        worst = Math.max(worst, await answeredAfter(() => member.get(path, headers)));
      }
      const posting = () => member.request('POST', '/api/capsules', { body: value, headers });
      worst = Math.max(worst, await answeredAfter(posting));
    }
  }
  expect(worst).toBeLessThan(ANSWERED_WITHIN_MS);
});

it('no border between parts holds anybody else up', async () => {
  let worst = 0;
  for (const boundary of ['-'.repeat(60), 'a'.repeat(60), 'a'.repeat(HEADER_BYTES)]) {
    for (const piece of [
      '-',
      'a',
      '\r\n',
      '\r\n--',
      `\r\n--${boundary.slice(1)}`,
      `--${boundary}\r\n`,
    ]) {
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n`;
      const body = filled(2 * CAPSULE_BYTES, head, piece);
      const posting = () => member.request('POST', '/api/capsules', { body, headers });
      worst = Math.max(worst, await answeredAfter(posting));
    }
  }
  expect(worst).toBeLessThan(ANSWERED_WITHIN_MS);
});

it('no header of a part holds anybody else up', async () => {
  let worst = 0;
  for (const piece of [...IN_HEADERS, "a*0*=utf-8''%41;", '\r\na: b', '%22', '.', '\u0301\u0327']) {
    const name = filled(HEADER_BYTES, 'form-data; name="files"; filename="a', piece, '.png"');
    const body = `--x\r\nContent-Disposition: ${name}\r\n\r\n%PDF-1.7\r\n--x--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const posting = () => member.request('POST', '/api/capsules', { body, headers });
    worst = Math.max(worst, await answeredAfter(posting));
  }
  expect(worst).toBeLessThan(ANSWERED_WITHIN_MS);
});

it('and whoever sent all that is still signed in', async () => {
  expect((await member.get('/user/me')).status).toBe(200);
});
