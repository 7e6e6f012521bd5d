import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signUp } from '../support/person.mjs';
import { head } from '../support/transfer.mjs';
import { CAPSULES, DAY, expectPage, expectPhoto, LETTER, PEOPLE, PHOTO } from './job-data.mjs';

const BOUNDARY = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
const PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name=`;
const END = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);

/** The jobs at a Time Capsule, as its app sends them. */
export async function ourSide({ server, database, dataDir }) {
  const { port, url } = server;
  const { sql } = database;
  const people = [];
  for (let number = 1; number <= PEOPLE; number += 1) people.push(await addPerson(number));
  const of = (number) => people[number % PEOPLE];

  async function addPerson(number) {
    const person = await signUp(port, `writer-${number}`, `198.51.100.${number}`);
    const { id } = await person.call('GET', '/user/me');
    await database.addCapsules(id, CAPSULES - 1);
    const own = { headers: person.headers(), email: person.email };
    const [first, ...rest] = create(own, PHOTO);
    const answer = await fetch(`${url}/api/capsules`, {
      method: 'POST',
      headers: { ...own.headers, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: Buffer.concat(rest),
    });
    const capsule = await answer.json();
    if (!answer.ok || !first) throw new Error(JSON.stringify(capsule));
    await database.unlock(capsule.id);
    const { fileInfo } = await person.call('GET', `/api/capsules/${capsule.id}`);
    return { ...own, openId: capsule.id, fileId: fileInfo[0].fileId };
  }

  /** A create with and without a photo. @returns its head and its body, in pieces */
  function create({ headers, email }, photo) {
    const capsule = {
      ...LETTER,
      dateToUnlock: DAY,
      recipientEmails: [email],
      notifyRecipient: false,
    };
    const text = `${PART}"capsule"\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(capsule)}`;
    const file = `\r\n${PART}"files"; filename="photo.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
    const body = photo ? [Buffer.from(text + file), photo, END] : [Buffer.from(text), END];
    const length = body.reduce((sum, part) => sum + part.length, 0);
    const all = {
      ...headers,
      'Idempotency-Key': randomUUID(),
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      'Content-Length': String(length),
    };
    return [Buffer.from(head('POST', '/api/capsules', all, 'keep-alive')), ...body];
  }
  const get = (pathOf) => {
    const requests = people.map((person) =>
      Buffer.from(head('GET', pathOf(person), person.headers, 'keep-alive')),
    );
    return (call, number) => call([requests[number % PEOPLE]]);
  };
  const paths = {
    created: () => '/api/capsules/created?page=2&limit=6',
    received: () => '/api/capsules/received?page=2&limit=6',
    detail: ({ openId }) => `/api/capsules/${openId}`,
    download: ({ fileId }) => `/api/capsules/download/${fileId}`,
  };
  const ask = (name) => fetch(url + paths[name](people[0]), { headers: people[0].headers });

  return {
    name: 'Time Capsule',
    port,
    jobs: {
      letter: (call, number) => call(create(of(number))),
      photo: (call, number) => call(create(of(number), PHOTO)),
      ...Object.fromEntries(Object.entries(paths).map(([name, pathOf]) => [name, get(pathOf)])),
    },
    async count() {
      const [row] = await sql`select (select count(*)::int from capsules) as capsules,
        (select count(*)::int from capsule_files) as files`;
      return row;
    },
    async check(name) {
      if (name === 'letter') {
        const [row] =
          await sql`select personal_message from capsules order by created_at desc limit 1`;
        if (row.personal_message !== LETTER.personalMessage) throw new Error('Another letter.');
      } else if (name === 'photo') {
        const rows =
          await sql`select storage_key from capsule_files order by uuid_send(id) desc limit 5`;
        for (const row of rows) expectPhoto(readFileSync(pathOf(dataDir, row.storage_key)));
      } else if (name === 'download') {
        expectPhoto(Buffer.from(await (await ask(name)).arrayBuffer()));
      } else {
        const answer = await (await ask(name)).json();
        if (name === 'detail') expectDetail(answer);
        else expectPage(answer.capsules, answer.pagination.totalItems);
      }
    },
  };
}

/** Where the store has a file: in one of 256 folders. */
function pathOf(dataDir, key) {
  const folder = createHash('sha256').update(key).digest('hex').slice(0, 2);
  return join(dataDir, 'files', folder, key.replaceAll('/', '.'));
}

function expectDetail({ locked, fileInfo }) {
  if (locked || fileInfo?.length !== 1) throw new Error('Not an open capsule with a photo.');
}
