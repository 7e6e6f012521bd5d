import { readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { sharedDatabase } from '../../tests/support/database.ts';
import { failChangesOf } from '../../tests/support/failing-changes.ts';
import { hostileEmails } from '../../tests/support/hostile-emails.ts';
import { type ImapMailbox, startImapMailbox } from '../../tests/support/imap-mailbox.ts';
import { createMailWorld, GO_ON, type MailWorld, START } from '../../tests/support/mail-world.ts';
import { rare } from '../../tests/support/rare.ts';
import { users } from '../db/schema.ts';
import { raiseLastSeen } from '../db/server-state.ts';
import { queueWaitingNotices } from '../domain/emails/queue.ts';
import { createBounceReader } from '../mail/bounce-mailbox.ts';
import type { Mailer } from '../mail/mailer.ts';
import { mimeBytes } from '../mail/message.ts';
import { readBounces } from './read-bounces.ts';
import { sendDueEmails } from './send-emails.ts';

const database = sharedDatabase();
let world: MailWorld;
let mailbox: ImapMailbox;
beforeAll(async () => {
  await raiseLastSeen(database.db, START);
});
beforeEach(async () => {
  world = createMailWorld(database.db);
  mailbox = await startImapMailbox();
});
afterEach(() => mailbox.close());

/** One pass of a server that has just been started. */
function read() {
  const mailer = { ...world.deps.mailer, readBounces: createBounceReader({ url: mailbox.url }) };
  return readBounces({ ...world.deps, mailer }, GO_ON);
}

/** Sends somebody a notice. @returns its headers, and whether it is known to have come back */
async function sendNotice() {
  const ada = await world.addPerson('Ada');
  const capsule = await world.addCapsule(ada, [ada], { unlockAt: new Date('2050-01-01') });
  await queueWaitingNotices(database.db, world.deps, capsule, [ada]);
  let headers = '';
  const send: Mailer['send'] = async (mails, { begin }) => {
    await begin();
    const ids: string[] = [];
    for (const mail of mails) {
      const bytes = await mimeBytes(mail, { from: 'capsules@box.test', host: 'capsule.example' });
      [headers = ''] = bytes.toString('latin1').split('\r\n\r\n', 1);
      ids.push(mail.id);
    }
    return ids;
  };
  await sendDueEmails({ ...world.deps, mailer: { batchMax: 1, send } }, GO_ON);
  const isBounced = async () => {
    const [row] = await database.db.select().from(users).where(eq(users.id, ada.id));
    return row?.emailBouncedAt instanceof Date;
  };
  return { userId: ada.id, headers, isBounced };
}

const field = (headers: string, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1]?.trim() ?? '';

/** What Postfix writes when the email with these headers comes back. */
function report(headers: string): string {
  const [before, , after] = readFileSync('server/mail/reports/postfix-gone.eml', 'latin1').split(
    /^(Auto-Submitted: auto-generated[\s\S]*?\n\n)/m,
  );
  return `${before}${headers}\n\n${after}`;
}

it('reads each message once, also after a restart, and a new mailbox from its beginning', async () => {
  mailbox.messages.push('Subject: Hello\r\n\r\nIs anybody there?\r\n', 'Subject: Again\r\n\r\n');
  await read();
  await read();
  expect(mailbox.read).toEqual([1, 2]);
  const notice = await sendNotice();
  mailbox.messages.push(report(notice.headers));
  await read();
  await read();
  expect([mailbox.read, [...mailbox.seen]]).toEqual([[1, 2, 3], [3]]);
  expect(await notice.isBounced()).toBe(true);
  mailbox.validity += 1;
  await read();
  expect(mailbox.read).toEqual([1, 2, 3, 1, 2]);
});

it('goes on where a pass has failed', async () => {
  mailbox.messages.push('Subject: Hello\r\n\r\n', 'Subject: Again\r\n\r\n');
  const stopped = new Error('stopped');
  const inbox = { take: async () => false, readTo: async () => null };
  const places: string[] = [];
  const setReadTo = async (place: string) => {
    places.push(place);
    if (places.length === 2) throw stopped;
  };
  const readOnce = createBounceReader({ url: mailbox.url });
  await expect(readOnce({ ...inbox, setReadTo }, GO_ON)).rejects.toBe(stopped);
  await readOnce({ ...inbox, readTo: async () => places[0] ?? null, setReadTo }, GO_ON);
  expect(mailbox.read).toEqual([1, 2, 2]);
});

rare('finds a bounce among emails that are as much work as may be', async () => {
  const notice = await sendNotice();
  const hostile = hostileEmails(field(notice.headers, 'X-Time-Capsule-Key')).map(
    ([, email]) => email,
  );
  mailbox.messages.push(...hostile, report(notice.headers), ...hostile);
  const begun = process.cpuUsage();
  await read();
  const { user, system } = process.cpuUsage(begun);
  expect(mailbox.read).toHaveLength(mailbox.messages.length);
  expect([...mailbox.seen]).toEqual([hostile.length + 1]);
  expect(await notice.isBounced()).toBe(true);
  expect((user + system) / 1_000 / mailbox.messages.length).toBeLessThan(100);
});

it('takes no report by somebody who has an answer to the email', async () => {
  const notice = await sendNotice();
  const messageId = field(notice.headers, 'Message-ID');
  expect(messageId).toContain('@capsule.example>');
  const known = `From: capsules@box.test\nMessage-ID: ${messageId}\nReferences: ${messageId}`;
  const answer = `In-Reply-To: ${messageId}\nReferences: ${messageId}\n\nNo such user.\n`;
  const status = (line: string) => report('To: a').replace('X-Postfix-Sender:', `${line}\n$&`);
  mailbox.messages.push(
    answer,
    report(known),
    status(`X-Original-Message-ID: ${messageId}`),
    status(`Original-Envelope-Id: ${messageId}`),
  );
  await read();
  expect([mailbox.read.length, mailbox.seen.size, await notice.isBounced()]).toEqual([4, 0, false]);
  const key = field(notice.headers, 'X-Time-Capsule-Key');
  mailbox.messages.push(status(`Original-Envelope-Id: ${key}`));
  await read();
  expect([[...mailbox.seen], await notice.isBounced()]).toEqual([[5], true]);
});

it('steps over a report that can not be noted', async () => {
  const [first, second] = [await sendNotice(), await sendNotice()];
  mailbox.messages.push(report(first.headers), report(second.headers));
  const mend = await failChangesOf(database.db, first.userId);
  await read().finally(mend);
  expect([await first.isBounced(), await second.isBounced()]).toEqual([false, true]);
  expect(mailbox.read).toEqual([1, 2]);
});
