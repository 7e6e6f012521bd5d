import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { makeDue } from './notices.mjs';

/** A server opens so many connections to SMTP, and sends a hundred emails by each. */
const CONNECTIONS = 5;
const STEP_MS = 20;
const GIVE_UP_MS = 120_000;
const DEADLOCK = '40P01';

/** What goes one by one: "Your password was changed", each to another person, under a key that stays. */
const singles = {
  // Calls that pass a step before the server dies at it, so that few emails are hit twice.
  passFirst: { least: 4, most: 14 },
  eachKill: 20,
  async queue({ sql }, howMany) {
    await sql`insert into users (id, email, name, password_hash, email_verified_at, created_at)
      select gen_random_uuid(), n || '@example.org', 'Person ' || n, 'none', now(), now()
      from generate_series(1, ${howMany}::int) n`;
    await sql`insert into emails (id, kind, user_id, to_address, is_about_capsules, created_at)
      select gen_random_uuid(), 'password-changed', id, email, false, now() from users`;
    await sql`insert into sendings (id, email_id, number, cause, urgency, next_attempt_at, created_at)
      select gen_random_uuid(), id, 1, 'first', 0, now(), now() from emails`;
    await sql`analyze`;
  },
};

/** What goes a hundred by one call: "It has opened", each to another person. */
const batches = {
  passFirst: { least: 1, most: 3 },
  eachKill: 300,
  async queue({ sql, addCrowd, settle }, howMany) {
    await addCrowd({ people: howMany, capsules: howMany });
    // Each to themself, which is one notice.
    await sql`update capsule_recipients r set user_id = c.creator_id
      from capsules c where c.id = r.capsule_id`;
    await settle();
    await makeDue(sql);
  },
};

/**
 * A provider that tells when a call reaches a step. `told`: how often each address was sent its email.
 */
function createSteps(names) {
  let armed = null;
  return {
    names,
    told: new Map(),
    /** @returns resolves when so many calls have come to this step, and one is there */
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
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.server.address());
  return Object.assign(steps, {
    emails: singles,
    settings: { SMTP_URL: `smtp://127.0.0.1:${port}` },
    close: () => new Promise((resolve) => server.close(() => resolve(null))),
  });
}

/** Speaks as Resend does, and knows every key that it has taken. @param due what is sent to it */
async function startResend(due) {
  const steps = createSteps(['arrived', 'taken', 'answered']);
  const answers = new Map();
  const server = createServer(async (request, response) => {
    const emails = await json(request).catch(() => null);
    if (!Array.isArray(emails)) return;
    await steps.at('arrived');
    const key = request.headers['idempotency-key'];
    if (!answers.has(key)) {
      const data = emails.map(({ to }) => {
        steps.take(to[0]);
        return { id: randomUUID() };
      });
      answers.set(key, JSON.stringify({ data }));
    }
    await steps.at('taken');
    response.setHeader('content-type', 'application/json');
    response.end(answers.get(key));
    await steps.at('answered');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return Object.assign(steps, {
    emails: due,
    settings: {
      RESEND_API_KEY: 're_scale',
      RESEND_BASE_URL: `http://127.0.0.1:${port}`,
      // The crowd has confirmed nothing.
      EMAIL_VERIFICATION: 'off',
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

export const startResendSingly = () => startResend(singles);
export const startResendBatches = () => startResend(batches);

/**
 * Kills a server with SIGKILL, `killsEach` times at each step of sending. What it had leased is due
 * again first of all, as it would be ten minutes later, and so is what is sent once more: a server may
 * die at that as well. @returns lines of the table
 */
export async function emailKills({ servers, postgres }, steps, killsEach) {
  const [server, other] = servers;
  const { sql } = postgres;
  await other.kill();
  const endLeases =
    () => sql`update sendings s set next_attempt_at = e.created_at - interval '1 minute'
    from emails e where e.id = s.email_id and s.outcome is null
    and (s.next_attempt_at > now() or s.is_second_try)`;
  const { passFirst, eachKill, queue } = steps.emails;
  const kills = killsEach * steps.names.length;
  const due = kills * eachKill;
  await queue(postgres, due);
  let begun = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const step = steps.names[kill % steps.names.length];
    const { least, most } = step === 'connected' ? { least: 1, most: CONNECTIONS } : passFirst;
    const reached = steps.reached(step, least + Math.floor(Math.random() * (most - least)));
    if (kill > 0) await server.start();
    await reached;
    await server.kill();
    const [open] = await sql`select count(*)::int as count from sendings
      where outcome is null and begun_at is not null and next_attempt_at > now()`;
    begun += open.count;
    await endLeases();
    if ((kill + 1) % 20 === 0) console.error(`  ${kill + 1} of ${kills} kills`);
  }
  await server.start();
  const unsettled = async () => {
    const [rest] = await sql`select
      (select count(*) from sendings where outcome is null)::int
      + (select count(*) from capsules where opened_notice_at is null)::int as count`;
    return rest.count;
  };
  const giveUpAt = Date.now() + GIVE_UP_MS + due * 20;
  while ((await unsettled()) > 0 && Date.now() < giveUpAt) {
    await pause(2_000);
    // The server is at work meanwhile: where both wait for each other, PostgreSQL ends one of them.
    await endLeases().catch((error) => {
      if (error.code !== DEADLOCK) throw error;
    });
  }
  // What is said of an email is what became of its last sending.
  const rows = await sql`select distinct on (email_id) coalesce(address, to_address) as address,
      outcome is not distinct from 'unknown' as unknown, outcome is not distinct from 'sent' as sent
    from emails join sendings on email_id = emails.id order by email_id, number desc`;
  const times = (row) => steps.told.get(row.address) ?? 0;
  const howMany = (is) => String(rows.filter(is).length);
  const knowsKeys = steps.names.includes('taken');
  return [
    [`Kills at each of ${steps.names.join(', ')}`, String(killsEach), ''],
    ['Emails that were on their way', String(begun), 'more than 0'],
    ['Emails due', String(rows.length), String(due)],
    [
      'Neither arrived nor said to be unknown',
      howMany((row) => times(row) === 0 && !row.unknown),
      '0',
    ],
    ['Noted as sent, and never arrived', howMany((row) => row.sent && times(row) === 0), '0'],
    ['Arrived twice', howMany((row) => times(row) === 2), knowsKeys ? '0' : ''],
    ['Arrived more than twice', howMany((row) => times(row) > 2), '0'],
    ['Said to be unknown', howMany((row) => row.unknown), knowsKeys ? '0' : ''],
    // By SMTP, two attempts can be cut off after they are noted and before the text is there.
    [
      '… that never arrived',
      howMany((row) => row.unknown && times(row) === 0),
      knowsKeys ? '0' : '',
    ],
    ['Still on their way', String(await unsettled()), '0'],
  ];
}
