import { createHash, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { signUp } from '../support/person.mjs';
import { answerOf, create, film } from './sender.mjs';

const MEGABYTE = 1_048_576;
/** The server saves an upload in chunks of this size. */
const CHUNK = 4 * MEGABYTE;
/** Where the upload breaks off. */
const CUT = 6 * MEGABYTE;
/** Registrations of an address in a minute. */
const REGISTRATIONS = 20;
/** The largest file of the servers here. */
export const MAX_FILE_MB = 20;

/** What a person and Prometheus meet behind nginx. @returns lines of the table */
export async function proxy({ url, port, servers, postgres }) {
  const person = await signUp(port, 'proxy');
  const get = (path, headers) =>
    fetch(url + path, { headers: { ...person.headers(), ...headers } });
  const lines = [];
  const add = (what, found, expected) => lines.push([what, String(found), String(expected)]);

  const small = await create(url, person, { title: 'Small', content: film(MEGABYTE) });
  add('A capsule with a file of 1 MB', small.status, 201);

  const bytes = film(10 * MEGABYTE);
  const upload = await uploadWithCut(url, person, bytes);
  add('An upload of 10 MB, cut after 6: bytes saved', upload.saved, CHUNK);
  add('The rest of it', upload.status, 200);
  const large = await create(url, person, { title: 'Large', uploads: [upload.id] });
  add('Its capsule, after the upload has gone on', large.status, 201);

  await postgres.unlock(large.json.id);
  const { fileInfo } = await person.call('GET', `/api/capsules/${large.json.id}`);
  const path = `/api/capsules/download/${fileInfo[0].fileId}`;
  const range = await get(path, { range: `bytes=${CHUNK}-${CHUNK + 99}` });
  const isSame = Buffer.from(await range.arrayBuffer()).equals(bytes.subarray(CHUNK, CHUNK + 100));
  add(
    '100 bytes from its middle, by Range',
    `${range.status}, ${isSame ? 'the same' : 'others'}`,
    '206, the same',
  );
  const whole = Buffer.from(await (await get(path)).arrayBuffer());
  add('All of it: SHA-256', hash(whole) === hash(bytes) ? 'the same' : 'another', 'the same');

  const tooLarge = await create(url, person, {
    title: 'Too large',
    content: film((MAX_FILE_MB + 10) * MEGABYTE),
  }).catch((error) => ({ status: error.message, code: null }));
  add(
    `A file of ${MAX_FILE_MB + 10} MB, where ${MAX_FILE_MB} are allowed`,
    `${tooLarge.status} ${tooLarge.code}`,
    '413 FILE_TOO_LARGE',
  );

  const [first] = servers;
  await first.kill();
  const statuses = [];
  for (let call = 0; call < 50; call += 1)
    statuses.push((await get('/api/capsules/created')).status);
  await first.start();
  add('50 lists while one of the servers is dead', counted(statuses), '50 × 200');

  add('/metrics', (await get('/metrics')).status, 404);

  const forged = [];
  for (let call = 0; call <= REGISTRATIONS; call += 1) {
    const headers = { ...person.headers(), 'content-type': 'application/json' };
    headers['X-Forwarded-For'] = `203.0.113.${call}`;
    const body = JSON.stringify({
      name: 'Forged',
      email: `forged-${call}@bench.example`,
      password: 'correct horse',
    });
    forged.push((await fetch(`${url}/auth/register`, { method: 'POST', headers, body })).status);
  }
  add(
    `Registration ${REGISTRATIONS + 1} of a minute, each with another forged X-Forwarded-For`,
    forged.at(-1),
    429,
  );
  return lines;
}

/** Sends a film in one part that breaks off, and then the rest of it. */
async function uploadWithCut(url, person, bytes) {
  const id = randomUUID();
  const path = `/api/uploads/${id}`;
  await person.call('POST', path, { fileName: 'film.mp4', bytes: bytes.length });
  const headersAt = (offset) => ({
    ...person.headers(),
    'Content-Type': 'application/partial-upload',
    'Upload-Offset': String(offset),
  });
  await new Promise((resolve) => {
    const headers = { ...headersAt(0), 'Content-Length': bytes.length };
    const cut = request(url + path, { method: 'PATCH', headers });
    cut.on('error', () => {}).on('close', resolve);
    cut.write(bytes.subarray(0, CUT), () => setTimeout(() => cut.destroy(), 1_000));
  });
  // The server keeps what has arrived a moment after the connection is gone.
  let saved = 0;
  for (let look = 0; saved === 0 && look < 50; look += 1) {
    await pause(100);
    saved = (await person.call('GET', path)).offset;
  }
  const rest = { method: 'PATCH', headers: headersAt(saved), body: bytes.subarray(saved) };
  const { status } = await answerOf(await fetch(url + path, rest));
  return { id, saved, status };
}

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');

function counted(statuses) {
  const counts = new Map();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}
