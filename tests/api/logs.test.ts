import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeAll, expect, it } from 'vitest';
import { findPeople } from '../../server/db/operator/instance.ts';
import { MailboxRefusedError } from '../../server/mail/mailer.ts';
import { capsuleFields, seal } from '../support/capsules.ts';
import { createClient, expectStatus, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { newDraft, newLink, Writer } from '../support/contributions.ts';
import { pdf } from '../support/fixtures.ts';
import { sharedServer } from '../support/server.ts';

const CANARY = 'canary-in-a-mine';

let logged = '';
const lines = new Writable({
  write(line: Buffer, _encoding, done) {
    logged += line.toString();
    done();
  },
});
const log = pino({ level: 'trace' }, lines);

const server = sharedServer({
  clock: '2029-12-20T12:00:00Z',
  config: { trustedProxies: 1 },
  deps: { log },
});
let person: SignedIn;

beforeAll(async () => {
  person = await signUp(server.url, 'Logged');
});

it('holds no password, cookie, token, message or file name, nor what others add by a link', async () => {
  const { email } = person.user;
  const secrets = [PASSWORD, CANARY];
  for (const name of ['session', 'device', 'XSRF-TOKEN'])
    secrets.push(String(await person.cookie(name)));
  const inside = { personalMessage: CANARY, title: 'Lists are searched' };
  await seal(person, person, inside, [pdf(`${CANARY}.pdf`)]);
  const refused = { name: `${CANARY}.txt`, type: 'text/plain', bytes: Buffer.from(CANARY) };
  expectStatus(await person.createCapsule(capsuleFields(person, inside), [refused]), 415);
  expectStatus(await person.get(`/api/capsules/created?query=${CANARY}`), 200);
  const draft = await newDraft(person, CANARY);
  const writer = new Writer(server.url, await newLink(person, draft, { words: CANARY }));
  secrets.push(writer.token, writer.secret);
  await writer.save(0, { name: CANARY, letter: CANARY });
  expectStatus(await new Writer(server.url, `${CANARY} guessed`).open(), 404);
  await person.post('/auth/login', { email, password: `${CANARY} wrong` });
  expectStatus(await person.post('/auth/forgot-password', { email }), 200);
  const link = await server.mailedLink(email, '/auth/reset-password');
  const token = String(link.searchParams.get('token'));
  secrets.push(token);
  expectStatus(await person.get(`/auth/validate-token?token=${token}`), 200);
  const reset = `/auth/reset-password?token=${token}`;
  expectStatus(await person.post(reset, { password: `${CANARY} new` }), 200);
  const { files } = server.deps;
  const { read } = files;
  server.clock.set('2030-01-01T00:00:00Z');
  expectStatus(await person.post('/auth/login', { email, password: `${CANARY} new` }), 200);
  secrets.push(String(await person.cookie('session')));
  const [row] = await server.deps.db.query.capsuleFiles.findMany();
  files.read = async () => {
    throw new Error('the disk is gone');
  };
  expectStatus(await person.get(`/api/capsules/download/${row?.id}`), 500);
  files.read = read;

  expect(logged).toContain('A request failed.');
  expect(secrets.filter((secret) => logged.includes(secret))).toEqual([]);
});

it('holds no address that a mail server has refused, which its email keeps for the operator', async () => {
  const { email } = person.user;
  const asked = async (error: Error, told: string) => {
    server.mailer.failNext(1, error);
    expectStatus(await person.post('/auth/forgot-password', { email }), 200);
    await expect.poll(() => logged).toContain(told);
    const rows = await server.deps.db.query.sendings.findMany();
    expect(rows.map(({ reason }) => reason)).toContain(error.message);
  };
  await asked(new MailboxRefusedError(`550 5.1.1 <${email}>: User unknown`), 'User unknown');
  await asked(new Error(`451 4.7.1 ${email}: Try again`), 'Try again');
  expect(logged).toContain('550 5.1.1 <…>: User unknown');
  expect(logged).not.toContain(email);
});

it('says who was refused, and who asked for a link, by hashes that the operator can find an account by', async () => {
  const { email } = person.user;
  const lines = () =>
    logged
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .filter(({ level, msg }) => level === 30 && /^(Refused|A reset link)/.test(msg));
  const [row] = await findPeople(server.deps.db, email);
  const ofAccount = () => lines().filter(({ account }) => account === row?.inLog);
  const before = ofAccount().length;
  const from = { 'x-forwarded-for': '203.0.113.77' };
  const visitor = createClient(server.url);
  await visitor.get('/api/limits');
  await visitor.post('/auth/login', { email, password: 'wrong' }, from);
  await visitor.post('/auth/forgot-password', { email }, from);
  await visitor.post('/auth/reset-password?token=none', { password: 'another one' }, from);
  const told = ofAccount().slice(before);
  expect(told.map(({ msg, code }) => [msg, code])).toEqual([
    ['Refused a request.', 'INVALID_CREDENTIALS'],
    ['A reset link was asked for.', undefined],
  ]);
  expect(lines().at(-1)).toMatchObject({ msg: 'Refused a request.', code: 'INVALID_RESET_TOKEN' });
  const clients = new Set([...told, lines().at(-1)].map(({ client }) => client));
  expect(clients.size).toBe(1);
  expect([...clients][0]).toMatch(/^[0-9a-f]{12}$/);
  expect(logged).not.toContain('203.0.113.77');
});

it('warns once that people come by https while APP_URL says http', async () => {
  const warnings = () => logged.split('\n').filter((line) => line.includes('APP_URL')).length;
  await person.get('/healthz');
  expect(warnings()).toBe(0);
  for (let call = 0; call < 3; call += 1) {
    await person.get('/healthz', { 'X-Forwarded-Proto': 'https' });
  }
  expect(warnings()).toBe(1);
});
