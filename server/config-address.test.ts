import { expect, it } from 'vitest';
import { mailAddressOf } from './config-address.ts';

it.each([
  ['smtp://mail.example:465', 'smtps:'],
  ['smtps://mail.example:465', 'smtps:'],
  ['imap://user:secret@mail.example:993/INBOX', 'imaps:'],
  ['smtp://mail.example:587', 'smtp:'],
  ['smtp://mail.example', 'smtp:'],
])('a port that speaks TLS from the start is spoken to so: %s', (address, protocol) => {
  expect(mailAddressOf(address).url.protocol).toBe(protocol);
});
