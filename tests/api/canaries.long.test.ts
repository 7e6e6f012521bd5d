import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { saveAccountDraft } from '../../shared/api/drafts.ts';
import type { Endpoint, Method } from '../../shared/api/endpoint.ts';
import { ENDPOINTS } from '../../shared/api/index.ts';
import { startUpload } from '../../shared/api/uploads.ts';
import {
  CONTRIBUTION_SECRET_HEADER,
  CONTRIBUTION_TOKEN_HEADER,
  UPLOAD_OFFSET_HEADER,
} from '../../shared/limits.ts';
import { allSent } from '../support/addresses.ts';
import { seal } from '../support/capsules.ts';
import { type Answer, answerOf, createClient, expectStatus, signUp } from '../support/client.ts';
import { namedFile, newLink, sealDraft, Writer } from '../support/contributions.ts';
import { pdf, sha256 } from '../support/fixtures.ts';
import { sharedServer } from '../support/server.ts';
import { unzip } from '../support/unzip.ts';

const contact = { email: 'us@capsules.example', links: [], imprintUrl: null, termsUrl: null };
const server = sharedServer({ clock: '2029-12-20T12:00:00Z', config: { contact } });

/** Who asks: a client, and the headers that it sends with every call. */
type Caller = (method: Method, path: string, json?: object) => Promise<Answer>;
const callers: Record<string, Caller> = {};

/** Each secret has a word of its own, and those who may read it. Hashes of files are such words as well. */
const canaries = new Map<string, string[]>();
function hide(what: string, ...readers: string[]): string {
  const word = `canary-${what}`;
  canaries.set(word, readers);
  return word;
}
/** A file whose name, bytes and hash are secrets. */
function hideFile(what: string, ...readers: string[]) {
  const file = pdf(`${hide(`${what}-name`, ...readers)}.pdf`, hide(`${what}-bytes`, ...readers));
  canaries.set(sha256(file.bytes), readers);
  return file;
}

/** Ids of what hides something, and of who is concerned. */
const ids: string[] = [];
let pairs: [string, string][] = [];

beforeAll(async () => {
  const { url } = server;
  const [creator, recipient, blocked, stranger] = [
    await signUp(url, 'Creator'),
    await signUp(url, 'Recipient'),
    await signUp(url, 'Blocked'),
    await signUp(url, 'Stranger'),
  ];

  /** A draft with a word, to which somebody has added a letter and a file. */
  async function draftWith(word: string, letter: string, file: ReturnType<typeof pdf>) {
    const id = randomUUID();
    const fields = {
      ...{ title: 'For Mia', description: word, personalMessage: word, recipients: [] },
      ...{ dateToUnlock: '', notifyRecipient: false },
    };
    const content = { fields, files: [] };
    answerOf(saveAccountDraft, await creator.put(`/api/drafts/${id}`, { base: 0, content }));
    const writer = new Writer(url, await newLink(creator, id));
    const added = namedFile(file);
    await writer.save(0, { letter, files: [added] });
    await writer.upload(added, file.bytes);
    return { id, writer, added };
  }

  const waiting = await draftWith(
    hide('draft', 'creator'),
    hide('waiting-letter', 'personal link'),
    hideFile('waiting-file', 'personal link'),
  );
  const inDraft = hideFile('draft-file', 'creator');
  const draftFile = randomUUID();
  const start = { fileName: inDraft.name, bytes: inDraft.bytes.length, draft: waiting.id };
  answerOf(startUpload, await creator.post(`/api/uploads/${draftFile}`, start));
  const part = { 'content-type': 'application/partial-upload', [UPLOAD_OFFSET_HEADER]: '0' };
  const sent = { body: new Uint8Array(inDraft.bytes), headers: part };
  expectStatus(await creator.request('PATCH', `/api/uploads/${draftFile}`, sent), 200);

  const gone = await draftWith('words', hide('sealed-letter'), hideFile('sealed-file'));
  const change = {
    personalMessage: hide('sealed'),
    recipientEmails: [recipient, blocked].map(({ user }) => user.email),
  };
  const sealing = expectStatus(
    await sealDraft(creator, gone.id, change, [hideFile('own-file')]),
    201,
  );
  const sealed = sealing.json as { id: string };
  const binned = await seal(creator, recipient, { personalMessage: hide('binned') }, [
    hideFile('binned-file'),
  ]);
  expectStatus(await creator.delete(`/api/capsules/${binned.id}`), 200);
  for (const one of [creator, recipient]) {
    expectStatus(await one.put(`/user/blocked/${blocked.user.id}`, {}), 200);
  }

  const rows = await server.deps.db.query.capsuleFiles.findMany();
  const fileOf = (capsuleId: string) => String(rows.find((row) => row.capsuleId === capsuleId)?.id);
  ids.push(
    ...[sealed.id, binned.id, waiting.id, waiting.writer.id, fileOf(sealed.id), draftFile],
    ...[fileOf(binned.id), gone.id, gone.writer.id, waiting.added.id, gone.added.id],
    ...[creator.user.id, recipient.user.id],
  );
  pairs = [
    [waiting.id, draftFile],
    [waiting.id, waiting.added.id],
    [waiting.id, waiting.writer.id],
    [waiting.writer.id, waiting.added.id],
    [gone.writer.id, gone.added.id],
    [sealed.id, fileOf(sealed.id)],
  ];

  const visitor = createClient(url);
  await visitor.get('/api/limits');
  const by =
    (client: typeof visitor, headers?: Record<string, string>): Caller =>
    (method, path, json) =>
      client.request(method, path, { json, headers });
  const asWriter = ({ token, secret }: Writer) =>
    by(visitor, { [CONTRIBUTION_TOKEN_HEADER]: token, [CONTRIBUTION_SECRET_HEADER]: secret });
  Object.assign(callers, {
    visitor: by(visitor),
    stranger: by(stranger),
    recipient: by(recipient),
    creator: by(creator),
    blocked: by(blocked),
    link: by(visitor, {
      [CONTRIBUTION_TOKEN_HEADER]: waiting.writer.token,
      [CONTRIBUTION_SECRET_HEADER]: new Writer(url).secret,
    }),
    'personal link': asWriter(waiting.writer),
    'personal link of what is sealed': asWriter(gone.writer),
  });
});

const crossed = () => ids.slice(0, 5).flatMap((id) => ids.slice(0, 5).map((other) => [id, other]));

const QUERY = 'query=canary&year=2030&since=2029-12-01T00:00:00Z&token=guessed&size=small&limit=50';

/** Every way to ask this call, each with the ids in its places. */
function pathsOf({ method, path }: Endpoint): string[] {
  const places = path.match(/:\w+/g)?.length ?? 0;
  const filled = (given: string[]) => {
    const left = [...given];
    return path.replace(/:\w+/g, () => left.shift() ?? '');
  };
  const paths = {
    0: () => [path],
    1: () => ids.map((id) => filled([id])),
    2: () => [...pairs, ...crossed()].map(filled),
  }[places];
  if (!paths) throw new Error(`${path} has more places than this test fills.`);
  if (method !== 'GET' || places === 2) return paths();
  return paths().flatMap((one) => [one, `${one}?${QUERY}&userId=${ids.at(-2)}`]);
}

/** What came back, in every form in which it could hold a word. */
async function textOf({ bytes, headers }: Answer): Promise<string> {
  const isArchive = bytes.subarray(0, 2).toString() === 'PK';
  const parts = isArchive ? [...(await unzip(bytes))].flat() : [bytes];
  return [...headers].join() + parts.map((one) => one.toString('latin1')).join('\n');
}

const calls = Object.values(ENDPOINTS) as Endpoint[];
let probes = 0;
/** Who has read which word. */
const read = new Set<string>();
const leaks = new Set<string>();

async function probe(method: Method, path: string, who: string, json?: object): Promise<void> {
  probes += 1;
  const answer = await (callers[who] as Caller)(method, path, json);
  const text = await textOf(answer);
  expect([method, path, who, answer.status < 500]).toEqual([method, path, who, true]);
  for (const [word, readers] of canaries) {
    if (!text.includes(word)) continue;
    // A search for a word may repeat it.
    read.add(`${who}: ${word}`);
    if (!readers.includes(who)) leaks.add(`${who} ${method} ${path}: ${word}`);
  }
}

async function probeAll(method: Method): Promise<void> {
  for (const endpoint of calls.filter((one) => one.method === method)) {
    // Signing out would end the callers' own sessions.
    if (endpoint === ENDPOINTS.logout) continue;
    for (const path of pathsOf(endpoint)) {
      for (const who of Object.keys(callers)) {
        if (method === 'GET') await probe(method, path, who);
        else {
          const json = { capsuleId: ids[0], reason: 'other', text: 'What is it?', base: 1 };
          await probe(method, path, who, {});
          if (endpoint.body) await probe(method, path, who, json);
        }
      }
    }
  }
}

it('what is sealed, in a draft, added or in the bin leaves by no call, for nobody who may not read it', async () => {
  await probeAll('GET');
  // They are read where they may be, so the words would be found elsewhere, too.
  for (const [word, readers] of canaries) {
    for (const who of readers)
      if (!/file-bytes|[0-9a-f]{64}/.test(word)) expect(read).toContain(`${who}: ${word}`);
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) await probeAll(method);
  // These calls have brought things back, and taken others from their places.
  await probeAll('GET');
  await allSent(server);
  for (const { html, text, subject } of server.mailer.sent) {
    for (const word of canaries.keys()) expect(html + text + subject).not.toContain(word);
  }
  expect([...leaks]).toEqual([]);
  expect(probes).toBeGreaterThanOrEqual(5_000);
  const people = Object.keys(callers).length;
  console.info(`${probes} probes of ${people} callers for ${canaries.size} words: 0 leaks`);
}, 600_000);
