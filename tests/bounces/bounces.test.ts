import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { ImapFlow } from 'imapflow';
import nodemailer from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailServers } from '../../scripts/test/start-mail-servers.mjs';
import { users } from '../../server/db/schema.ts';
import { queueWaitingNotices } from '../../server/domain/emails/queue.ts';
import { readBounces } from '../../server/jobs/read-bounces.ts';
import { sendDueEmails } from '../../server/jobs/send-emails.ts';
import { createBounceReader } from '../../server/mail/bounce-mailbox.ts';
import type { Mailer } from '../../server/mail/mailer.ts';
import { createSmtpMailer } from '../../server/mail/smtp.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createMailWorld, GO_ON, type MailWorld } from '../support/mail-world.ts';
import { until } from '../support/until.ts';

const MAILBOX = 'capsules@box.test';
const SENDER = { from: `Time Capsule <${MAILBOX}>`, host: 'capsule.example' };

/** Where Postfix hands everything on: it knows nobody at `gone.test`. */
const arrived: string[] = [];
const next = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  onRcptTo({ address }, _session, done) {
    const isGone = address.endsWith('@gone.test');
    if (!isGone) arrived.push(address);
    done(isGone ? Object.assign(new Error('5.1.1 There is nobody'), { responseCode: 550 }) : null);
  },
});
let servers: Awaited<ReturnType<typeof startMailServers>>;
let database: TestDatabase;
let world: MailWorld;
let mailer: Mailer;
beforeAll(async () => {
  await new Promise<void>((resolve) => next.listen(0, '127.0.0.1', () => resolve()));
  const { port } = next.server.address() as AddressInfo;
  servers = await startMailServers({ nextPort: port });
  database = await createTestDatabase();
  world = createMailWorld(database.db);
  mailer = {
    ...createSmtpMailer({ url: servers.smtpUrl, sender: SENDER }),
    readBounces: createBounceReader({ url: servers.mailboxUrl }),
  };
});
afterAll(async () => {
  await database?.close();
  await servers?.close();
  next.close();
});

const send = () => sendDueEmails({ ...world.deps, mailer }, GO_ON);
const read = () => readBounces({ ...world.deps, mailer }, GO_ON);

async function notify(email: string, change: Partial<typeof users.$inferInsert> = {}) {
  const ada = await world.addPerson('Ada', { email, ...change });
  const unlockAt = new Date('2050-01-01T00:00:00Z');
  await queueWaitingNotices(
    database.db,
    world.deps,
    await world.addCapsule(ada, [ada], { unlockAt }),
    [ada],
  );
  await send();
  return ada;
}

const bouncedAt = async ({ id }: { id: string }) => {
  const [row] = await database.db.select().from(users).where(eq(users.id, id));
  return row?.emailBouncedAt ?? null;
};

/** How many messages are in the mailbox, and how many of them are unread. */
async function mailbox(): Promise<{ all: number; unread: number }> {
  const { hostname: host, port } = new URL(servers.mailboxUrl);
  const auth = { user: MAILBOX, pass: 'secret' };
  const client = new ImapFlow({ host, port: Number(port), secure: false, auth, logger: false });
  await client.connect();
  await client.mailboxOpen('INBOX');
  const [all, unread] = [await client.search({ all: true }), await client.search({ seen: false })];
  await client.logout();
  return { all: (all || []).length, unread: (unread || []).length };
}

const holds = (howMany: number) =>
  until(async () => ((await mailbox()).all >= howMany ? true : null));

it('an email that Postfix returns is noted, and goes to the second address', async () => {
  const ada = await notify('ada@gone.test', { secondEmail: 'ada@second.test' });
  await holds(1);
  expect(await bouncedAt(ada)).toBeNull();
  await read();
  expect(await bouncedAt(ada)).not.toBeNull();
  await send();
  await until(() => (arrived.includes('ada@second.test') ? true : null));
  expect(await mailbox()).toEqual({ all: 1, unread: 0 });
  await read();
  expect(await world.sendings()).toMatchObject([
    { outcome: 'bounced', address: 'ada@gone.test' },
    { cause: 'second-address', outcome: 'sent', address: 'ada@second.test' },
  ]);
});

it('other emails in the mailbox change nothing, and stay unread', async () => {
  const before = (await mailbox()).all;
  const bob = await notify('bob@gone.test');
  await holds(before + 1);
  const [row] = (await world.sendings()).filter(({ email }) => email.userId === bob.id);
  const report = readFileSync('server/mail/reports/postfix-gone.eml', 'utf8');
  const key = /^Message-ID: <([^@]+)@capsule/m.exec(report)?.[1] ?? '';
  const about = (id: string) => report.replaceAll(key, id);
  const others = [
    'Subject: Hello\r\n\r\nIs anybody there?\r\n',
    // About an email that was never sent, and about another server's.
    about('0b9f1f7e-0000-7d0a-9f5c-6d4f8a3b2c1d'),
    report,
    // With too much in front, cut short, and only a delay.
    about(row?.id ?? '').replace('\n\n', `\n\n${'x\n'.repeat(100_000)}`),
    about(row?.id ?? '').slice(0, 900),
    about(row?.id ?? '').replace(/^Action: failed/m, 'Action: delayed'),
  ];
  const transport = nodemailer.createTransport(servers.smtpUrl);
  for (const raw of others) {
    await transport.sendMail({ envelope: { from: '', to: MAILBOX }, raw });
  }
  await holds(before + 1 + others.length);
  await read();
  expect(await bouncedAt(bob)).not.toBeNull();
  expect(await mailbox()).toEqual({ all: before + 1 + others.length, unread: others.length });
  await read();
  expect((await mailbox()).unread).toBe(others.length);
});
