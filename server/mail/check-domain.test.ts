import { Resolver } from 'node:dns/promises';
import { expect, it } from 'vitest';
import { startNameServer } from '../../tests/support/name-server.ts';
import { checkDomain } from './check-domain.ts';

async function check(
  records: Record<string, string[]>,
  { domain = 'example.org', returnPaths = [domain] as [string, ...string[]] } = {},
) {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([await startNameServer(records)]);
  return checkDomain(resolver, domain, { returnPaths, selectors: ['resend', 'default'] });
}

const GOOD = {
  'example.org': ['google-site-verification=x', 'v=spf1 include:amazonses.com ~all'],
  'resend._domainkey.example.org': [`p=${'A'.repeat(400)}`],
  '_dmarc.example.org': ['v=DMARC1; p=quarantine'],
};

it('finds what a well-kept domain publishes', async () => {
  expect(await check(GOOD)).toEqual([
    { what: 'SPF', ok: true, says: 'v=spf1 include:amazonses.com ~all of example.org' },
    { what: 'DKIM', ok: true, says: 'a key at resend._domainkey.example.org' },
    { what: 'DMARC', ok: true, says: 'v=DMARC1; p=quarantine' },
  ]);
});

it('says of each record what is missing, and what to do', async () => {
  const found = await check({ 'example.org': [] });
  expect(found.map(({ ok }) => ok)).toEqual([false, false, false]);
  expect(found.map(({ says }) => says)).toEqual([
    expect.stringContaining('Add a TXT record'),
    expect.stringContaining('resend._domainkey.example.org, default._domainkey.example.org'),
    expect.stringContaining('_dmarc.example.org: v=DMARC1'),
  ]);
});

it('says so of a name that does not exist, which is spelled wrong', async () => {
  await expect(check(GOOD, { domain: 'exmaple.org' })).rejects.toThrow(
    /^The domain exmaple\.org doesn't exist: .*Is it spelled right\?/,
  );
});

it('looks for SPF where bounces go, as Resend sets it up', async () => {
  const { 'example.org': spf, ...others } = GOOD;
  const records = { ...others, 'example.org': [], 'send.example.org': spf };
  const found = await check(records, { returnPaths: ['send.example.org', 'example.org'] });
  expect(found.every(({ ok }) => ok)).toBe(true);
  const [missing] = await check(
    { 'example.org': ['nothing'] },
    { returnPaths: ['send.example.org', 'example.org'] },
  );
  expect(missing?.says).toContain('send.example.org has no SPF record');
});

it('takes DMARC of the domain above, as receivers do', async () => {
  const domain = 'letters.mail.example.org';
  const there = { [domain]: [], '_dmarc.example.org': ['v=DMARC1; p=reject'] };
  const found = await check(there, { domain });
  expect(found.at(-1)).toEqual({ what: 'DMARC', ok: true, says: 'v=DMARC1; p=reject' });
});

it.each([
  ['two SPF records', { ...GOOD, 'example.org': ['v=spf1 -all', 'v=spf1 ~all'] }, 'SPF'],
  ['an SPF record for everybody', { ...GOOD, 'example.org': ['v=spf1 +all'] }, 'SPF'],
  [
    'an SPF record that says the same in short',
    { ...GOOD, 'example.org': ['v=spf1 mx all'] },
    'SPF',
  ],
  ['a revoked key', { ...GOOD, 'resend._domainkey.example.org': ['v=DKIM1; p='] }, 'DKIM'],
  ['a DMARC record that is none', { ...GOOD, '_dmarc.example.org': ['DMARC1'] }, 'DMARC'],
])('is not content with %s', async (_case, records, what) => {
  const wrong = (await check(records)).filter(({ ok }) => !ok);
  expect(wrong.map((one) => one.what)).toEqual([what]);
});
