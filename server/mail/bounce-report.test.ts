import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hostileEmails } from '../../tests/support/hostile-emails.ts';
import { processorMsOf } from '../../tests/support/processor-time.ts';
import { readBounceReport } from './bounce-report.ts';

const KEY = '0b9f1f7e-53ad-7d0a-9f5c-6d4f8a3b2c1d';
const OTHER_KEY = '0b9f1f7e-53ad-7d0a-9f5c-6d4f8a3b2c1e';

/**
 * Reports as mail servers have really written them, about emails to `gone@` and `full@` of a version whose
 * key was the Message-ID.
 */
const report = (name: string) =>
  readFileSync(new URL(`reports/${name}.eml`, import.meta.url), 'latin1');
const read = (text: string) => readBounceReport(Buffer.from(text, 'latin1'));

it.each([
  ['postfix', 'smtp; 550 5.1.1'],
  ['exim', 'smtp; 550 5.1.1'],
  // It has the answer of the other server in no field.
  ['opensmtpd', '5.0.0'],
])('reads what %s writes of two mailboxes', async (server, reason) => {
  expect(await read(report(`${server}-gone`))).toEqual({
    providerId: KEY,
    outcome: 'bounced',
    reason: expect.stringContaining(reason),
  });
  // A full mailbox says nothing about the address.
  expect(await read(report(`${server}-full`))).toMatchObject({
    providerId: OTHER_KEY,
    outcome: 'failed',
  });
});

it.each([
  // A status of its own, and one that says nothing: the words say it.
  ['exchange-online', '5.1.351'],
  ['outlook', '5.5.0'],
  // Without the empty line before the recipient, and with one behind every field.
  ['one-block', '5.1.1'],
  ['many-blocks', '5.1.1'],
  // Nothing of the email comes back, but its Message-ID.
  ['gmail', '5.1.1'],
  // Wrapped by a gateway that adds a note of its own.
  ['gateway', '5.1.1'],
])('reads what comes from %s', async (server, reason) => {
  expect(await read(report(`${server}-gone`))).toEqual({
    providerId: KEY,
    outcome: 'bounced',
    reason: expect.stringContaining(reason),
  });
});

const postfix = () => report('postfix-gone');
const changed = (from: RegExp, to: string) => {
  const text = postfix().replace(from, to);
  expect(text).not.toBe(postfix());
  return text;
};

it('takes a server that gave up for one that was away', async () => {
  const expired = changed(/^Status: .*$/m, 'Status: 4.4.1');
  expect(await read(expired)).toMatchObject({ providerId: KEY, outcome: 'failed' });
});

it.each([
  ['5.7.1', 'smtp; 554 5.7.1 Relay access denied', 'failed'],
  ['5.0.0', 'smtp; 550 5.7.1 Blocked', 'failed'],
  ['5.0.0', 'smtp; 550 relay not permitted', 'failed'],
  ['5.0.0', 'smtp; 550 5.0.0 Access denied', 'failed'],
  ['5.0.0', 'smtp; 550 No such user', 'bounced'],
  ['5.1.0', 'smtp; 550 5.1.0 User unknown', 'bounced'],
  ['5.1.0', 'smtp; 550 5.1.0 Sender address rejected: User unknown', 'failed'],
  ['5.1.8', 'smtp; 550 Sender address rejected: Domain not found', 'failed'],
  ['5.0.0', 'smtp; 421 Too busy', 'failed'],
  ['5.0.0', 'smtp; 451 Temporary local problem', 'failed'],
  ['5.0.0', 'smtp; 450 Mailbox unavailable', 'failed'],
  ['5.0.0', 'retry timeout exceeded', 'failed'],
  ['5.0.0', "smtp; 554 delivery error: dd This user doesn't have a yahoo.com account", 'bounced'],
])('Status %s, Diagnostic-Code %s: %s', async (status, answer, outcome) => {
  const refused = changed(
    /^Status: [\s\S]*?^Diagnostic-Code: .*$/m,
    `Status: ${status}\nDiagnostic-Code: ${answer}`,
  );
  expect(await read(refused)).toMatchObject({ providerId: KEY, outcome });
});

it.each([
  ['a delay', () => changed(/^Action: failed/m, 'Action: delayed')],
  ['a receipt', () => changed(/^Action: failed/m, 'Action: relayed')],
  ['no action', () => changed(/^Action: .*\r?\n/m, '')],
  ['no email that came back', () => changed(/^Message-ID: .*\r?\n(?=Date)/gim, '')],
  ['a holiday note', () => `In-Reply-To: <${KEY}@capsule.example>\n\nNo such user. I am away.\n`],
  ['an answer of a person', () => changed(/message\/delivery-status/g, 'text/plain')],
  ['nothing', () => ''],
  ['no parts', () => changed(/\r?\n\r?\n[\s\S]*/, '\r\n\r\n')],
  ['half of it', () => postfix().slice(0, postfix().indexOf('Action:'))],
  ['bytes', () => Buffer.alloc(200_000, 0xff).toString('latin1')],
])('finds no bounce in %s', async (_what, text) => {
  expect(await read(text())).toBeNull();
});

it('does not look into a report about a report', async () => {
  const inner = postfix();
  const outer = `Content-Type: multipart/report; report-type=delivery-status; boundary=x

--x
Content-Type: text/plain

A report could not be delivered.
--x
Content-Type: message/rfc822

${inner}
--x--
`;
  expect(await read(outer)).toBeNull();
});

it.each(hostileEmails(KEY))('judges 262 KB of %s within 100 ms', async (_shape, email) => {
  expect(email.length).toBeGreaterThan(200_000);
  expect(await processorMsOf(() => read(email))).toBeLessThan(100);
});

it('looks no further into an email without a key of ours', async () => {
  const others = postfix().replaceAll(KEY, 'not-of-ours');
  expect(await read(others)).toBeNull();
});
