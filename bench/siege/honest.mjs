import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { capsuleFor } from '../support/person.mjs';
import { createCaller } from './caller.mjs';

const PASSWORD = 'correct horse';
/** An email that isn't there by then counts as refused. */
const EMAIL_MS = 30_000;
const LETTER = 'A blessing for the one who reads this.';

/** A call that was refused, or had no answer: the round of this person ends with it. */
export class Refused extends Error {}

/** A photograph of about a megabyte. */
export async function takePhoto() {
  const noise = { type: /** @type {const} */ ('gaussian'), mean: 128, sigma: 30 };
  const size = { width: 1_200, height: 900, channels: /** @type {const} */ (3) };
  return sharp({ create: { ...size, background: 'teal', noise } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

/**
 * One family evening: somebody registers, confirms their address, signs in, asks by a link, is given
 * a letter and a photo by it, seals both with a photo of their own, and opens what was sealed.
 * @param tell called with the name, the time and the answer of each call
 * @returns the person and their capsule, to be looked at again later
 */
export async function evening({ server, database, dataDir, photo }, { address, domain }, tell) {
  const me = createCaller(server.port, address);
  const guest = createCaller(server.port, `${address.replace(/\.\d+$/, '')}.200`);
  const ask = async (name, calling) => {
    const answer = await calling;
    const isDone = answer.status >= 200 && answer.status < 300;
    tell(name, answer.ms, isDone);
    if (!isDone) throw new Refused(`${name}: ${answer.status} ${answer.bytes.subarray(0, 200)}`);
    return answer;
  };
  const email = `${randomUUID()}@${domain}`;
  await ask('arrive', me.arrive());
  await ask('arrive', guest.arrive());

  await ask(
    'register',
    me.call('POST', '/auth/register', { json: { name: 'Anna', email, password: PASSWORD } }),
  );
  const token = await ask('the email that confirms', mailedToken(dataDir, email));
  await ask('confirm', me.call('POST', '/auth/verify-email', { json: { token: token.token } }));
  await ask('sign in', me.call('POST', '/auth/login', { json: { email, password: PASSWORD } }));

  const draft = randomUUID();
  const saved = await ask(
    'save a draft',
    me.call('PUT', `/api/drafts/${draft}`, { json: { base: 0, content: draftContent() } }),
  );
  const path = `/api/drafts/${draft}/contribution-link`;
  const link = await ask('make a link', me.call('POST', path, { json: { words: 'Please' } }));
  await addByLink(guest, { ask, token: link.json.token, photo });

  const seen = { id: draft, revision: saved.json.revision };
  const capsule = { ...capsuleFor(email, 'For Mia'), draft: seen };
  const form = await capsuleForm(capsule, photo);
  const sealed = await ask('seal with a photo', me.call('POST', '/api/capsules', form));
  const { id } = sealed.json;
  await ask('list', me.call('GET', '/api/capsules/created?page=1&limit=6'));
  await database.unlock(id);
  const details = await ask('open a capsule', me.call('GET', `/api/capsules/${id}`));
  const fileId = details.json.fileInfo[0]?.fileId;
  await ask('read a photo', me.call('GET', `/api/capsules/download/${fileId}`));
  guest.leave();
  return { me, id };
}

/** What was promised and is not there, of a capsule that was sealed. */
export async function countLost({ me, id }, photo) {
  const { json } = await me.call('GET', `/api/capsules/${id}`);
  const letters = json?.contributions?.map(({ personalMessage }) => personalMessage) ?? [];
  let lost = letters.includes(LETTER) ? 0 : 1;
  for (let number = 0; number < 2; number += 1) {
    const fileId = json?.fileInfo?.[number]?.fileId;
    const { bytes } = await me.call('GET', `/api/capsules/download/${fileId}`);
    if (!bytes.equals(photo)) lost += 1;
  }
  me.leave();
  return lost;
}

async function addByLink(guest, { ask, token, photo }) {
  const path = `/api/contributions/${randomUUID()}`;
  const file = { id: randomUUID(), name: 'lake.jpg', type: 'image/jpeg', bytes: photo.length };
  const headers = {
    'Contribution-Token': token,
    'Contribution-Secret': randomBytes(32).toString('base64url'),
  };
  const letter = { base: 0, name: 'Grandpa', letter: LETTER, files: [file] };
  await ask('open a link', guest.call('GET', '/api/contribution-link', { headers }));
  await ask('add a letter', guest.call('PUT', path, { json: letter, headers }));
  const upload = `${path}/uploads/${file.id}`;
  const announced = { fileName: file.name, bytes: file.bytes };
  await ask('announce a photo', guest.call('POST', upload, { json: announced, headers }));
  const part = { 'Content-Type': 'application/partial-upload', 'Upload-Offset': '0' };
  await ask(
    'add a photo',
    guest.call('PATCH', upload, { body: photo, headers: { ...headers, ...part } }),
  );
}

export function draftContent(personalMessage = 'Dear Mia') {
  const fields = {
    ...{ title: 'For Mia', description: '', personalMessage, recipients: [] },
    ...{ dateToUnlock: '', notifyRecipient: false },
  };
  return { fields, files: [] };
}

/** The body and the type of what seals a capsule with one file. */
export async function capsuleForm(capsule, bytes, type = 'image/jpeg') {
  const form = new FormData();
  form.append('capsule', new Blob([JSON.stringify(capsule)], { type: 'application/json' }));
  form.append('files', new Blob([bytes], { type }), 'file');
  const request = new Request('http://bench/', { method: 'POST', body: form });
  const body = Buffer.from(await request.arrayBuffer());
  return { body, headers: { 'Content-Type': request.headers.get('content-type') } };
}

/** Names of emails that were for somebody else. */
const read = new Set();

/** Without a provider, the server writes emails as files. */
async function mailedToken(dataDir, email) {
  const folder = join(dataDir, 'outbox');
  const started = performance.now();
  while (performance.now() - started < EMAIL_MS) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (read.has(name) || !name.endsWith('.eml')) continue;
      read.add(name);
      const text = String(await readFile(join(folder, name))).replace(/=\r?\n/g, '');
      const [, token] = /verify-email#token=(?:3D)?([\w-]+)/.exec(text) ?? [];
      const ms = performance.now() - started;
      if (token && text.includes(email)) return { status: 200, ms, bytes: Buffer.alloc(0), token };
    }
    await delay(20);
  }
  return { status: 0, ms: EMAIL_MS, bytes: Buffer.from('no email') };
}
