import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import { startPeer } from '../support/process.mjs';
import { head } from '../support/transfer.mjs';
import { CAPSULES, DAY, expectPage, expectPhoto, LETTER, PEOPLE, PHOTO } from './job-data.mjs';

const APP = { appId: 'peer', masterKey: 'of the bench' };
const PATH = '/parse/classes/Capsule';

/** The jobs at a Parse Server, by its REST calls. @param directory where npm has installed it */
export async function parseSide({ database, directory }) {
  await database.sql`create database peer`;
  const folder = dirname(database.socketPath);
  const peer = await startPeer('parse.mjs', { directory, folder, ...APP });
  const { port } = peer;
  const sql = postgres({
    host: 'localhost',
    path: database.socketPath,
    user: 'postgres',
    database: 'peer',
    ssl: false,
    max: 1,
  });
  const filesFolder = join(directory, 'files', 'peer');
  const people = [];
  try {
    for (let number = 1; number <= PEOPLE; number += 1) people.push(await addPerson(number));
    await sql`vacuum analyze`;
  } catch (error) {
    await stop();
    throw error;
  }
  const of = (number) => people[number % PEOPLE];

  async function stop() {
    await sql.end();
    await peer.stop();
  }

  /**
   * @param {string} path
   * @param {any} request what `fetch` takes, with the token of a session and the type of the body
   */
  async function call(path, request) {
    const { token, type, ...rest } = request;
    const headers = {
      'X-Parse-Application-Id': APP.appId,
      ...(token && { 'X-Parse-Session-Token': token }),
    };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...rest,
      headers: { ...headers, 'Content-Type': type ?? 'application/json' },
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer;
  }

  async function addPerson(number) {
    const name = `writer-${number}`;
    const account = { username: name, password: 'correct horse', email: `${name}@bench.example` };
    const signedUp = await call('/parse/users', { method: 'POST', body: JSON.stringify(account) });
    const { objectId: id, sessionToken: token } = await signedUp.json();
    const create = (photo) =>
      call(PATH, { token, method: 'POST', body: JSON.stringify(letter(account, photo)) });
    await Promise.all(Array.from({ length: CAPSULES - 1 }, () => create()));
    const upload = { token, method: 'POST', body: PHOTO, type: 'image/jpeg' };
    const photo = await (await call('/parse/files/photo.jpg', upload)).json();
    const { objectId: openId } = await (await create(photo)).json();
    await sql`update "Capsule" set "dateToUnlock" = '2020-01-01' where "objectId" = ${openId}`;
    return { id, token, email: account.email, openId, fileName: photo.name };
  }

  function letter({ email }, photo) {
    return {
      ...LETTER,
      dateToUnlock: { __type: 'Date', iso: `${DAY}T00:00:00.000Z` },
      recipientEmail: email,
      ...(photo && { photo: { __type: 'File', ...photo } }),
    };
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {string} token
   * @param {{ type?: string, body?: Buffer }} content
   * @returns a request in pieces
   */
  function request(method, path, token, { type, body } = {}) {
    const headers = {
      'X-Parse-Application-Id': APP.appId,
      'X-Parse-Session-Token': token,
      ...(method === 'POST' && { 'X-Parse-Request-Id': randomUUID() }),
      ...(body && { 'Content-Type': type, 'Content-Length': String(body.length) }),
    };
    return [Buffer.from(head(method, path, headers, 'keep-alive')), ...(body ? [body] : [])];
  }
  const create = (person, photo) => {
    const body = Buffer.from(JSON.stringify(letter(person, photo)));
    return request('POST', PATH, person.token, { type: 'application/json', body });
  };
  const listBy = (column) => (person) => {
    const where = { [column]: { __type: 'Pointer', className: '_User', objectId: person.id } };
    const query = {
      where: JSON.stringify(where),
      order: '-createdAt',
      limit: '6',
      skip: '6',
      count: '1',
    };
    return `${PATH}?${new URLSearchParams({ ...query, include: 'creator,recipient' })}`;
  };
  const paths = {
    created: listBy('creator'),
    received: listBy('recipient'),
    detail: ({ openId }) => `${PATH}/${openId}?include=creator,recipient`,
    download: ({ fileName }) => `/parse/files/${APP.appId}/${fileName}`,
  };
  const get = (pathOf) => {
    const requests = people.map((person) => request('GET', pathOf(person), person.token));
    return (send, number) => send(requests[number % PEOPLE]);
  };
  const ask = (name) => call(paths[name](people[0]), { token: people[0].token });

  return {
    name: 'Parse Server',
    port,
    stop,
    jobs: {
      letter: (send, number) => send(create(of(number))),
      async photo(send, number) {
        const upload = { type: 'image/jpeg', body: PHOTO };
        const stored = await send(
          request('POST', '/parse/files/photo.jpg', of(number).token, upload),
        );
        return send(create(of(number), JSON.parse(stored())));
      },
      ...Object.fromEntries(Object.entries(paths).map(([name, pathOf]) => [name, get(pathOf)])),
    },
    async count() {
      const [{ capsules }] = await sql`select count(*)::int as capsules from "Capsule"`;
      return { capsules, files: readdirSync(filesFolder).length };
    },
    async check(name) {
      if (name === 'letter') {
        const [row] =
          await sql`select "personalMessage" from "Capsule" order by "createdAt" desc limit 1`;
        if (row.personalMessage !== LETTER.personalMessage) throw new Error('Another letter.');
      } else if (name === 'photo') {
        const rows =
          await sql`select photo from "Capsule" where photo is not null order by "createdAt" desc limit 5`;
        for (const row of rows) expectPhoto(readFileSync(join(filesFolder, row.photo)));
      } else if (name === 'download') {
        expectPhoto(Buffer.from(await (await ask(name)).arrayBuffer()));
      } else {
        const answer = await (await ask(name)).json();
        if (name === 'detail') expectDetail(answer);
        else expectPage(answer.results, answer.count);
      }
    },
  };
}

function expectDetail({ personalMessage, photo }) {
  if (!personalMessage || !photo?.url) throw new Error('Not a capsule with a photo.');
}
