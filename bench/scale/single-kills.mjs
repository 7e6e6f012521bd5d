import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

/** Emails that pass a step before the server dies at it, so that few are hit twice. */
const PASS_FIRST = { least: 4, most: 14 };
/** A server opens so many connections, and sends a hundred emails by each. */
const CONNECTIONS = 5;
const STEP_MS = 20;
const GIVE_UP_MS = 120_000;

/**
 * A provider that takes emails one by one and tells when one reaches a step. `told`: how often each
 * address was sent its email.
 */
function createSteps(names) {
  let armed = null;
  return {
    names,
    told: new Map(),
    /** @returns resolves when so many emails have come to this step, and one is there */
    reached(step, after) {
      return new Promise((resolve) => {
        armed = { step, left: after, resolve };
      });
    },
    async at(step) {
      if (armed?.step === step) {
        armed.left -= 1;
        if (armed.left <= 0) armed.resolve();
      }
      await pause(Math.random() * STEP_MS);
    },
    take(address) {
      this.told.set(address, (this.told.get(address) ?? 0) + 1);
    },
  };
}

/** An SMTP server. */
export async function startSmtp() {
  const steps = createSteps(['connected', 'recipient', 'text', 'answered']);
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onConnect: (_session, done) => void steps.at('connected').then(() => done()),
    onRcptTo: (_address, _session, done) => void steps.at('recipient').then(() => done()),
    async onData(stream, { envelope }, done) {
      const bytes = await buffer(stream).catch(() => null);
      if (!bytes) return done(new Error('It was cut off.'));
      await steps.at('text');
      // From here on it is delivered, whether the answer arrives or not.
      steps.take(envelope.rcptTo[0].address);
      done();
      await steps.at('answered');
    },
  });
  server.on('error', () => {});
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(steps, {
    settings: { SMTP_URL: `smtp://127.0.0.1:${server.server.address().port}` },
    close: () => new Promise((resolve) => server.close(resolve)),
  });
}

/** Speaks as Resend does, and knows every key that it has taken. */
export async function startResend() {
  const steps = createSteps(['arrived', 'taken', 'answered']);
  const ids = new Map();
  const server = createServer(async (request, response) => {
    const email = await json(request).catch(() => null);
    if (!email) return;
    await steps.at('arrived');
    const key = request.headers['idempotency-key'];
    if (!ids.has(key)) {
      ids.set(key, randomUUID());
      steps.take(email.to[0]);
    }
    await steps.at('taken');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: ids.get(key) }));
    await steps.at('answered');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(steps, {
    settings: {
      RESEND_API_KEY: 're_scale',
      RESEND_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

/**
 * Kills a server `kills` times with SIGKILL, at each step of sending single emails in turn. What it
 * had leased is due again first of all, as it would be ten minutes later. @returns lines of the table
 */
export async function singleKills({ servers: [server, other], postgres }, steps, kills) {
  const { sql } = postgres;
  await other.kill();
  const endLeases = () => sql`update mails set next_attempt_at = created_at - interval '1 minute'
    where state = 'queued' and next_attempt_at > now()`;
  const emails = kills * (PASS_FIRST.most + 6);
  await queueEmails(sql, emails);
  let begun = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const step = steps.names[kill % steps.names.length];
    const { least, most } = step === 'connected' ? { least: 1, most: CONNECTIONS } : PASS_FIRST;
    const reached = steps.reached(step, least + Math.floor(Math.random() * (most - least)));
    if (kill > 0) await server.start();
    await reached;
    await server.kill();
    const [open] = await sql`select count(*)::int as count from mails
      where state = 'queued' and unknown_since is not null and next_attempt_at > now()`;
    begun += open.count;
    await endLeases();
    if ((kill + 1) % 20 === 0) console.error(`  ${kill + 1} of ${kills} kills`);
  }
  await server.start();
  const unsettled = async () => {
    const [rest] = await sql`select count(*)::int as count from mails where state = 'queued'`;
    return rest.count;
  };
  const giveUpAt = Date.now() + GIVE_UP_MS + emails * 20;
  while ((await unsettled()) > 0 && Date.now() < giveUpAt) {
    await pause(2_000);
    await endLeases();
  }
  const rows = await sql`select to_address as address,
    state = 'failed' and unknown_since is not null as unknown, state = 'sent' as sent from mails`;
  const times = (row) => steps.told.get(row.address) ?? 0;
  const howMany = (is) => String(rows.filter(is).length);
  const knowsKeys = steps.names.includes('taken');
  return [
    [`Kills, in turn at ${steps.names.join(', ')}`, String(kills), ''],
    ['Emails that were on their way', String(begun), 'more than 0'],
    ['Emails due', String(rows.length), ''],
    [
      'Neither arrived nor said to be unknown',
      howMany((row) => times(row) === 0 && !row.unknown),
      '0',
    ],
    ['Noted as sent, and never arrived', howMany((row) => row.sent && times(row) === 0), '0'],
    ['Arrived twice', howMany((row) => times(row) === 2), knowsKeys ? '0' : ''],
    ['Arrived more than twice', howMany((row) => times(row) > 2), '0'],
    ['Said to be unknown', howMany((row) => row.unknown), knowsKeys ? '0' : ''],
    ['Still on their way', String(await unsettled()), '0'],
  ];
}

/** "Your password was changed", each to another person: it goes alone, under a key that stays. */
async function queueEmails(sql, howMany) {
  await sql`insert into users (id, email, name, password_hash, email_verified_at, created_at)
    select gen_random_uuid(), n || '@example.org', 'Person ' || n, 'none', now(), now()
    from generate_series(1, ${howMany}::int) n`;
  await sql`insert into mails (id, kind, to_address, user_id, state, next_attempt_at, created_at)
    select gen_random_uuid(), 'password-changed', email, id, 'queued', now(), now() from users`;
  await sql`analyze`;
}
