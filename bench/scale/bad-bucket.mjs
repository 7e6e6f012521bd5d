import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import { startSwift } from '../../scripts/test/start-swift.mjs';
import { signUp } from '../support/person.mjs';
import { createUntilSealed, film } from './sender.mjs';

const FAULTS = 0.2;
const PEOPLE = 4;
/** Whole objects, and such as are put in parallel parts. */
const FILE_BYTES = [1_000_000, 7_000_000];
const DOWNLOADS_EACH = 5;

/**
 * OpenStack Swift behind a proxy that breaks a fifth of all calls while `isBad`: refuses them,
 * loses the answer after the work was done, or cuts it in the middle.
 * @returns `settings` for the servers; `broken`, how many calls
 */
export async function startBadBucket() {
  const swift = await startSwift();
  const { port } = new URL(swift.options.endpoint);
  const bucket = { isBad: false, calls: 0, broken: 0 };
  const faults = ['refuse', 'busy', 'lose', 'cut'];
  const proxy = createServer((request, response) => {
    bucket.calls += 1;
    const isBroken = bucket.isBad && Math.random() < FAULTS;
    if (isBroken) bucket.broken += 1;
    const fault = isBroken ? faults[Math.floor(Math.random() * faults.length)] : null;
    if (fault === 'refuse' || fault === 'busy') {
      request.resume();
      return response.writeHead(fault === 'busy' ? 503 : 500).end('<Code>Broken</Code>');
    }
    const drop = () => request.socket.destroy();
    const { method, url: path, headers } = request;
    const onward = send({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      if (fault === 'lose') return answer.resume().once('end', drop);
      response.writeHead(answer.statusCode, answer.headers);
      if (fault !== 'cut') return answer.pipe(response);
      answer.once('data', (chunk) => response.write(chunk.subarray(0, chunk.length / 2), drop));
      answer.once('end', drop);
    });
    onward.on('error', drop);
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port: ownPort } = /** @type {import('node:net').AddressInfo} */ (proxy.address());
  const { bucket: name, region, accessKeyId, secretAccessKey } = swift.options;
  return Object.assign(bucket, {
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${ownPort}`,
      S3_BUCKET: name,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await swift.close();
    },
  });
}

/**
 * Creates and downloads while the bucket is bad. @returns lines of the table, and what has been sent
 */
export async function badBucket({ url, port, postgres }, bucket, howMany) {
  const people = [];
  for (let index = 0; index < PEOPLE; index += 1) {
    people.push(await signUp(port, `sender-${index}`));
  }
  bucket.isBad = true;
  const sent = [];
  const downloads = [];
  const work = people.map(async (person, index) => {
    for (let number = index; number < howMany; number += PEOPLE) {
      const content = film(FILE_BYTES[number % FILE_BYTES.length]);
      const title = `Film ${number}`;
      const result = await createUntilSealed(url, person, title, content);
      sent.push(result);
      const path = await open(postgres, person, title);
      for (let time = 0; time < DOWNLOADS_EACH; time += 1) {
        downloads.push(await download(url + path, person, content, time % 2 === 1));
      }
    }
  });
  await Promise.all(work);
  bucket.isBad = false;
  const having = (outcome) => String(downloads.filter((one) => one === outcome).length);
  const refused = sent.flatMap(({ answers }) => answers).filter(({ status }) => status >= 500);
  return {
    titles: sent.map(({ title }) => title),
    lines: [
      ['Calls to the bucket', String(bucket.calls), ''],
      ['… of them broken', String(bucket.broken), 'more than 0'],
      ['Capsules with a film of 1 or 7 MB', String(sent.length), String(howMany)],
      ['Creates refused meanwhile, and tried again', String(refused.length), ''],
      ['Downloads, half of them ranges: right', having('right'), 'more than 0'],
      ['… refused, or broken off so that the reader knows', having('broken'), ''],
      ['… with wrong bytes', having('wrong'), '0'],
    ],
  };
}

/** @returns the path of the capsule's file, which can be read from now on */
async function open({ sql, unlock }, person, title) {
  const [{ id }] = await sql`select id from capsules where title = ${title}`;
  await unlock(id);
  const { fileInfo } = await person.call('GET', `/api/capsules/${id}`);
  return `/api/capsules/download/${fileInfo[0].fileId}`;
}

async function download(address, person, content, isRange) {
  const [start, end] = isRange
    ? [content.length >> 1, content.length - 1_000]
    : [0, content.length];
  const range = isRange ? { range: `bytes=${start}-${end - 1}` } : {};
  try {
    const answer = await fetch(address, { headers: { ...person.headers(), ...range } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok) return 'broken';
    return hash(bytes) === hash(content.subarray(start, end)) ? 'right' : 'wrong';
  } catch {
    return 'broken';
  }
}

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');
