import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { checkDomain } from './check-domain.ts';

/** A name server on this machine that knows these TXT records and nothing else. */
async function nameServer(records: Record<string, string[]>): Promise<Resolver> {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const texts = records[labels.join('.').toLowerCase()];
    const header = Buffer.from(query.subarray(0, 12));
    // An answer; "no such name" where there is none.
    header.writeUInt16BE(texts ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(texts?.length ?? 0, 6);
    header.writeUInt32BE(0, 8);
    const answers = (texts ?? []).map((text) => {
      const pieces = text.match(/.{1,255}/gs) ?? [];
      const data = Buffer.concat(
        pieces.flatMap((piece) => [Buffer.from([piece.length]), Buffer.from(piece)]),
      );
      const start = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0]);
      start.writeUInt16BE(data.length, 10);
      return Buffer.concat([start, data]);
    });
    server.send(Buffer.concat([header, query.subarray(12, at + 5), ...answers]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([`127.0.0.1:${(server.address() as AddressInfo).port}`]);
  return resolver;
}

const check = async (records: Record<string, string[]>) =>
  checkDomain(await nameServer(records), 'example.org', ['resend', 'default']);

const GOOD = {
  'example.org': ['google-site-verification=x', 'v=spf1 include:amazonses.com ~all'],
  'resend._domainkey.example.org': [`p=${'A'.repeat(400)}`],
  '_dmarc.example.org': ['v=DMARC1; p=quarantine'],
};

it('finds what a well-kept domain publishes', async () => {
  expect(await check(GOOD)).toEqual([
    { what: 'SPF', ok: true, says: 'v=spf1 include:amazonses.com ~all' },
    { what: 'DKIM', ok: true, says: 'a key at resend._domainkey.example.org' },
    { what: 'DMARC', ok: true, says: 'v=DMARC1; p=quarantine' },
  ]);
});

it('says of each record what is missing, and what to do', async () => {
  const found = await check({});
  expect(found.map(({ ok }) => ok)).toEqual([false, false, false]);
  expect(found.map(({ says }) => says)).toEqual([
    expect.stringContaining('Add a TXT record'),
    expect.stringContaining('resend._domainkey.example.org, default._domainkey.example.org'),
    expect.stringContaining('_dmarc.example.org: v=DMARC1'),
  ]);
});

it.each([
  ['two SPF records', { ...GOOD, 'example.org': ['v=spf1 -all', 'v=spf1 ~all'] }, 'SPF'],
  ['an SPF record for everybody', { ...GOOD, 'example.org': ['v=spf1 +all'] }, 'SPF'],
  ['a revoked key', { ...GOOD, 'resend._domainkey.example.org': ['v=DKIM1; p='] }, 'DKIM'],
  ['a DMARC record that is none', { ...GOOD, '_dmarc.example.org': ['DMARC1'] }, 'DMARC'],
])('is not content with %s', async (_case, records, what) => {
  const wrong = (await check(records)).filter(({ ok }) => !ok);
  expect(wrong.map((one) => one.what)).toEqual([what]);
});
