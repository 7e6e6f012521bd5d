import { expect, it } from 'vitest';
import { getConfig } from './config.ts';
import { warningsOf } from './start-warnings.ts';

const warnings = (environment: Record<string, string>) => warningsOf(getConfig(environment));

it.each([
  {},
  { DATABASE_URL: 'postgres://u:p@localhost/x' },
  { DATABASE_URL: 'postgres://u:p@127.0.0.1:5432,[::1]:5433/x' },
  { DATABASE_URL: 'postgres://u:p@db.example/x?sslmode=verify-full' },
  { DATABASE_URL: 'postgres://u:p@db.example/x?a=b&sslmode=disable' },
  { APP_URL: 'https://capsules.example', SITE_CONTACT: 'us@capsules.example', TRUST_PROXY: '1' },
] as Record<string, string>[])('says nothing of %j', (environment) => {
  expect(warnings(environment)).toEqual([]);
});

it.each([
  ['postgres://u:secret@db.example:5432/x', 'db.example'],
  ['postgres://u:secret@localhost:5432,db2.example:5432/x', 'db2.example'],
])('says that %s is not encrypted, without the password', (DATABASE_URL, host) => {
  const [warning = '', ...others] = warnings({ DATABASE_URL });
  expect(others).toEqual([]);
  expect(warning).toContain(`everything goes to ${host} in the clear`);
  expect(warning).not.toContain('secret');
  const direct = { DATABASE_URL: 'postgres://localhost/x', DATABASE_DIRECT_URL: DATABASE_URL };
  expect(warnings(direct).join()).toMatch(/^DATABASE_DIRECT_URL says nothing about encryption/);
});

it.each(['https://capsules.example', 'http://192.168.1.5:3000'])(
  'says that %s shows the contact of the example, and emails no report',
  (APP_URL) => {
    expect(warnings({ APP_URL, TRUST_PROXY: '1' })).toEqual([
      expect.stringMatching(
        /^SITE_CONTACT is not set.*hello@timecapsule\.example.*admin -- reports.*SITE_LINKS/,
      ),
    ]);
  },
);

it('says that all people count as one where TRUST_PROXY forgets the proxy that speaks https', () => {
  const SITE_CONTACT = 'us@capsules.example';
  expect(warnings({ APP_URL: 'https://capsules.example', SITE_CONTACT })).toEqual([
    expect.stringContaining('Set TRUST_PROXY'),
  ]);
});
