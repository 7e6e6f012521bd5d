import { expect, it } from 'vitest';
import { clientOf } from './client-address.ts';

it.each([
  [
    '203.0.113.9',
    '203.0.113.9:51824',
    '::ffff:203.0.113.9',
    '::FFFF:cb00:7109',
    '[::ffff:203.0.113.9]:80',
    '0:0:0:0:0:ffff:203.0.113.9',
    ' 203.0.113.9 ',
    '64:ff9b::203.0.113.9',
  ],
  [
    '2001:db8:1:2::/64',
    '2001:db8:1:2::1',
    '2001:DB8:1:2:aaaa::9',
    '[2001:db8:1:2::1]',
    '[2001:0db8:0001:0002::1]:443',
    '2001:db8:1:2::1%eth0',
    '2001:db8:1:2:0:0:203.0.113.9',
  ],
  ['fe80:0:0:0::/64', 'fe80::1%eth0', '[fe80::1%25eth0]:80', 'FE80::2'],
  ['0:0:0:0::/64', '::1', '[::1]:3000', '::'],
])('%s is one client, however it is written', (client, ...ways) => {
  expect(ways.map((way) => clientOf(way))).toEqual(ways.map(() => client));
});

it.each([
  '',
  'unknown',
  '_hidden',
  '203.0.113.9, 1',
  '203.0.113',
  '[203.0.113.9',
  '::ffff:999.1.1.1',
  '['.repeat(8_000),
  `${'1'.repeat(8_000)}:1`,
])('%# is no address', (text) => {
  expect(clientOf(text)).toBeNull();
});
