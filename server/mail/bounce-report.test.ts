import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readBounceReport } from './bounce-report.ts';

const KEY = '0b9f1f7e-53ad-7d0a-9f5c-6d4f8a3b2c1d';
const OTHER_KEY = '0b9f1f7e-53ad-7d0a-9f5c-6d4f8a3b2c1e';

/** Reports as mail servers have really written them, about emails to `gone@` and `full@`. */
const report = (name: string) =>
  readFileSync(new URL(`reports/${name}.eml`, import.meta.url), 'latin1');
const read = (text: string) => readBounceReport(Buffer.from(text, 'latin1'));

it.each(['postfix', 'exim', 'opensmtpd'])('reads what %s writes', async (server) => {
  expect(await read(report(`${server}-gone`))).toEqual({ providerId: KEY, delivery: 'bounced' });
  // A full mailbox says nothing about the address.
  expect(await read(report(`${server}-full`))).toEqual({
    providerId: OTHER_KEY,
    delivery: 'failed',
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
  expect(await read(expired)).toEqual({ providerId: KEY, delivery: 'failed' });
});

it.each([
  ['a delay', () => changed(/^Action: failed/m, 'Action: delayed')],
  ['a receipt', () => changed(/^Action: failed/m, 'Action: relayed')],
  ['no action', () => changed(/^Action: .*\r?\n/m, '')],
  ['no email that came back', () => changed(/^Message-ID: .*\r?\n(?=Date)/gim, '')],
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

it('reads many nested parts without end', async () => {
  const deep = Array.from(
    { length: 2_000 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
  );
  const outcome = await read(deep.join('')).catch(() => null);
  expect(outcome).toBeNull();
});
