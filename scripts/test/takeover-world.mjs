import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createECDH, createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { CookieJar } from 'tough-cookie';

/** What people have on a server before it is taken over, and whether they have it afterwards. */

const PASSWORD = 'a capsule of brass and rain';
const WAIT_MS = 120_000;

async function until(look) {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await delay(200)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`Waited in vain: ${look}`);
}

/** The server of a built version, once it answers. */
export async function startServer(folder, environment) {
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => child.kill('SIGTERM'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const ended = new Promise((end) => child.once('close', end));
  await until(() => {
    if (child.exitCode !== null) throw new Error(output);
    return output.includes('Time Capsule is ready');
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { url: `http://localhost:${environment.PORT}`, stop };
}

/** A caller that keeps its cookies. */
function browser(url, jar = new CookieJar()) {
  async function call(method, path, body, status = [200, 201, 202, 204]) {
    const cookies = await jar.getCookies(url);
    const token = cookies.find(({ key }) => key === 'XSRF-TOKEN')?.value;
    const isForm = body instanceof FormData;
    const response = await fetch(url + path, {
      method,
      headers: {
        cookie: await jar.getCookieString(url),
        ...(token && { 'X-XSRF-TOKEN': token }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      body: isForm ? body : body && JSON.stringify(body),
    });
    for (const line of response.headers.getSetCookie()) await jar.setCookie(line, url);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert(status.includes(response.status), `${method} ${path}: ${response.status} ${bytes}`);
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return isJson ? JSON.parse(bytes.toString()) : bytes;
  }
  return { jar, call };
}

async function signUp(url, name) {
  const { jar, call } = browser(url);
  const email = `${name.toLowerCase()}@example.org`;
  await call('GET', '/user/me', undefined, [200, 401]);
  await call('POST', '/auth/register', { name, email, password: PASSWORD });
  const { user } = await call('POST', '/auth/login', { email, password: PASSWORD });
  return { name, email, id: user.id, jar, call };
}

function seal(person, title, recipientEmails, files = []) {
  const form = new FormData();
  const capsule = {
    ...{ title, description: 'Kept', personalMessage: `Words of ${title}`, recipientEmails },
    ...{ dateToUnlock: '2040-05-05', timeZone: 'UTC', notifyRecipient: true },
  };
  form.append('capsule', new Blob([JSON.stringify(capsule)], { type: 'application/json' }));
  for (const [index, size] of files.entries()) {
    const text = `%PDF-1.4\n${randomBytes(size).toString('base64')}`;
    form.append('files', new Blob([text], { type: 'application/pdf' }), `${title} ${index}.pdf`);
  }
  return person.call('POST', '/api/capsules', form);
}

/** The emails in the server's outbox: whom each is for, its subject and its text. */
function emailsIn(dataDir) {
  const folder = join(dataDir, 'outbox');
  const names = existsSync(folder) ? readdirSync(folder).filter((one) => one.endsWith('.eml')) : [];
  return names.map((name) => {
    const source = readFileSync(join(folder, name), 'utf8').replace(/=\r?\n/g, '');
    const header = (key) => new RegExp(`^${key}: (.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(source)?.[1];
    return { to: header('To'), subject: header('Subject'), text: source.replaceAll('=3D', '=') };
  });
}

/** The id of the capsule that an email leads to. */
function capsuleIn(text) {
  return /capsules?\/([0-9a-f-]{36})/.exec(text)?.[1] ?? '';
}

/** The token of the link in the email to this address that leads to this page. */
function tokenOf(dataDir, to, path) {
  return until(() => {
    const texts = emailsIn(dataDir).flatMap((email) => (email.to?.includes(to) ? email.text : []));
    return texts
      .map((text) => new RegExp(`${path}[?#]token=([\\w.-]+)`).exec(text)?.[1])
      .find(Boolean);
  });
}

async function withDatabase(dataDir, work) {
  const host = join(dataDir, 'database', 'socket');
  const found = [host, join(dataDir, 'database')].find((one) =>
    existsSync(join(one, '.s.PGSQL.5432')),
  );
  const sql = postgres({
    path: join(found ?? host, '.s.PGSQL.5432'),
    user: 'postgres',
    database: 'postgres',
    max: 1,
  });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** Path and SHA-256 of every file in the store. */
function hashFiles(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !one.name.startsWith('store-'))
    .map((one) => join(one.parentPath, one.name));
  const hash = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');
  return paths.sort().map((path) => `${path} ${hash(path)}`);
}

/** Rows that no job of a later version changes. */
async function rowsOf(sql) {
  const count = async (table) => Number((await sql`select count(*) from ${sql(table)}`)[0].count);
  const files = await sql`select storage_key, sha256, bytes::text from capsule_files order by id`;
  const capsules =
    await sql`select id, creator_id, title, personal_message, unlock_at from capsules order by id`;
  const places = await sql`select capsule_id, user_id from capsule_recipients order by 1, 2`;
  const users = await sql`select id, email, name, password_hash from users order by id`;
  const sessions = await count('sessions');
  return {
    files: [...files],
    capsules: [...capsules],
    places: [...places],
    users: [...users],
    sessions,
  };
}

/** Uses every call that the version has. */
export async function fill({ dataDir, start, NO_EMAILS }) {
  let server = await start();
  const { url } = server;
  const [ada, ben, mia] = [
    await signUp(url, 'Ada'),
    await signUp(url, 'Ben'),
    await signUp(url, 'Mia'),
  ];
  const photo = await seal(ada, 'Two files', [ben.email, mia.email], [90_000, 2_000_000]);
  const opened = await seal(ben, 'Opened', [ada.email], [5_000]);
  await seal(mia, 'To myself', [mia.email]);
  const tokens = {
    reset: await (async () => {
      await mia.call('POST', '/auth/forgot-password', { email: mia.email });
      return tokenOf(dataDir, mia.email, '/auth/reset-password');
    })(),
  };
  const hasAddresses = await ada
    .call('POST', '/user/email', { email: 'ada-new@example.org', password: PASSWORD })
    .then(
      () => true,
      () => false,
    );
  if (hasAddresses) {
    tokens.confirm = await tokenOf(dataDir, 'ada-new@example.org', '/auth/confirm-email');
    const { link } = await ada.call('POST', '/user/invitations', { email: 'guest@example.org' });
    tokens.invitation = link
      ? new URL(link).href.split('token=')[1]
      : await tokenOf(dataDir, 'guest@example.org', '/auth/invitation');
    await seal(ada, 'For a guest', ['guest@example.org']);
    const key = createECDH('prime256v1').generateKeys('base64url');
    await ben.call('PUT', '/api/push/subscription', {
      endpoint: 'https://fcm.googleapis.com/fcm/send/nobody',
      keys: { p256dh: key, auth: randomBytes(16).toString('base64url') },
    });
  }
  // One capsule opens, which nobody wants to wait for.
  await withDatabase(dataDir, async (sql) => {
    await sql`update capsules set unlock_at = now() - interval '1 minute' where title = 'Opened'`;
    const [copied] = await sql`select from information_schema.columns
      where table_name = 'capsule_recipients' and column_name = 'unlock_at'`;
    if (copied)
      await sql`update capsule_recipients set unlock_at = now() - interval '1 minute'
      where capsule_id in (select id from capsules where title = 'Opened')`;
  });
  await until(
    () =>
      emailsIn(dataDir).filter((one) => one.text.includes(opened.id ?? opened.capsule?.id)).length >
      1,
  );
  await server.stop();
  server = await start(NO_EMAILS);
  await seal(ada, 'Told later', [ben.email, mia.email]);
  const rows = await withDatabase(dataDir, rowsOf);
  await server.stop();
  const people = [ada, ben, mia];
  const files = hashFiles(join(dataDir, 'files'));
  return { people, tokens, rows, files, sent: emailsIn(dataDir), ids: { photo, opened } };
}

export async function verify({ dataDir, filled, start }) {
  const server = await start();
  const rows = await withDatabase(dataDir, rowsOf);
  assert.deepEqual(rows, filled.rows);
  assert.deepEqual(hashFiles(join(dataDir, 'files')), filled.files);
  const people = filled.people.map((one) => ({ ...one, ...browser(server.url, one.jar) }));
  for (const { id, call } of people)
    assert.equal(
      (await call('GET', '/user/me')).user?.id ?? (await call('GET', '/user/me')).id,
      id,
    );
  const [ada] = people;
  const received = await ada.call('GET', '/api/capsules/received?query=Opened');
  const [opened] = received.capsules;
  const [file] = (await ada.call('GET', `/api/capsules/${opened.id}`)).fileInfo;
  const bytes = await ada.call('GET', `/api/capsules/download/${file.fileId}`);
  const digest = createHash('sha256').update(bytes).digest('hex');
  assert(rows.files.some(({ sha256 }) => sha256 === digest));
  const anyone = browser(server.url);
  await anyone.call('GET', '/user/me', undefined, [200, 401]);
  const { reset, confirm, invitation } = filled.tokens;
  await anyone.call('GET', `/auth/validate-token?token=${reset}`);
  if (invitation) await anyone.call('POST', '/auth/invitation', { token: invitation });
  if (confirm) await anyone.call('POST', '/auth/confirm-email', { token: confirm });
  const late = () =>
    emailsIn(dataDir).filter(
      (one) => one.text.includes('Told later') || one.subject?.includes('Told later'),
    );
  await until(() => late().length >= 2);
  // A second of each would go out by now, as the first of each has.
  await delay(10_000);
  const after = emailsIn(dataDir);
  const told = after.map(({ to, subject, text }) => `${to}: ${subject} ${capsuleIn(text)}`);
  assert.deepEqual([...new Set(told)], told);
  const news = after.length - filled.sent.length;
  assert.equal(late().length, 2);
  const left = await withDatabase(
    dataDir,
    (sql) => sql`select count(*) from sendings where outcome is null and next_attempt_at <= now()`,
  );
  const pushes = await withDatabase(dataDir, (sql) => sql`select count(*) from push_subscriptions`);
  await server.stop();
  return {
    people: rows.users.length,
    sessions: rows.sessions,
    capsules: rows.capsules.length,
    files: filled.files.length,
    bytes: rows.files.reduce((sum, one) => sum + Number(one.bytes), 0),
    links: Object.keys(filled.tokens),
    pushSubscriptions: Number(pushes[0].count),
    emailsSentBefore: filled.sent.length,
    emailsSentAfter: news,
    emailsStillDue: Number(left[0].count),
  };
}
