import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createClientLimits } from '../../client-limits.ts';
import { mailboxOf, mayWriteToUnconfirmed } from './mailbox-limits.ts';

const limited = () => ({ limits: createClientLimits({ rateLimits: true }, null) });

async function sentTo(deps: ReturnType<typeof limited>, addresses: string[]): Promise<number> {
  let sent = 0;
  for (const address of addresses)
    if (await mayWriteToUnconfirmed(deps, { address, kind: 'verify-email', id: randomUUID() }))
      sent += 1;
  return sent;
}

const many = (write: (index: number) => string) => Array.from({ length: 185 }, (_, i) => write(i));

it.each([
  ['plus addresses', (index: number) => `ada+${index}@example.org`, 8],
  ['dots of Gmail', (index: number) => `a${'.'.repeat(index)}da+1@gmail.com`, 8],
  [
    'both names of Gmail',
    (index: number) => `ada+${index}@g${index % 2 ? '' : 'oogle'}mail.com`,
    8,
  ],
  ['names of one domain', (index: number) => `any${index}@example.org`, 60],
])('few emails go to one mailbox by %s', async (_what, write, most) => {
  expect(await sentTo(limited(), many(write))).toBe(most);
});

it('the plain address gets its own, whatever others have used up, and one an hour in any case', async () => {
  const deps = limited();
  const others = many((index) => `ada+${index}@example.org`);
  await sentTo(deps, others);
  expect(await sentTo(deps, Array(20).fill('ada@example.org'))).toBe(9);
  for (const provider of ['gmail.com', 'yahoo.co.uk', 'hotmail.fr', 'gmx.com']) {
    const people = many((index) => `person${index}@${provider}`);
    expect(await sentTo(deps, people)).toBe(185);
  }
});

it('the first link to a plain address goes where strangers have filled its domain', async () => {
  const deps = limited();
  const link = (address: string, requestedBy: string) =>
    mayWriteToUnconfirmed(deps, { address, kind: 'verify-email', id: randomUUID(), requestedBy });
  const flood = async (index: number) => {
    const client = `client ${Math.floor(index / 20)}`;
    return Number(await link(`nobody${index}@school.example`, client));
  };
  let sent = 0;
  for (let index = 0; index < 200; index += 1) sent += await flood(index);
  // Each of seven more clients has five of its own.
  expect(sent).toBe(60 + 7 * 5);
  expect(await link('teacher@school.example', 'staff room')).toBe(true);
  expect(await link('teacher@school.example', 'home')).toBe(false);
  expect(await link('teacher+1@school.example', 'staff room')).toBe(false);
  expect(await link('pupil@school.example', 'client 1')).toBe(false);
  const warning = { address: 'new@school.example', kind: 'password-changed' as const };
  expect(await mayWriteToUnconfirmed(deps, { ...warning, id: randomUUID() })).toBe(false);
});

it('an email that the provider puts off again and again counts once', async () => {
  const deps = limited();
  const again = {
    address: 'ada+1@example.org',
    kind: 'verify-email' as const,
    id: randomUUID(),
  };
  for (let time = 0; time < 20; time += 1)
    expect(await mayWriteToUnconfirmed(deps, again)).toBe(true);
  expect(await sentTo(deps, Array(9).fill('ada+2@example.org'))).toBe(7);
});

it.each([
  ['ada+a+b@example.org', 'ada@example.org'],
  ['"a b"+x@example.org', '"a b"@example.org'],
  ['A.da@example.org', 'A.da@example.org'],
])('%s is the mailbox %s', (address, mailbox) => {
  expect(mailboxOf(address).mailbox).toBe(mailbox);
});
