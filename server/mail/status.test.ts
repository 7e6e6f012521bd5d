import { expect, it } from 'vitest';
import { processorMs } from '../../tests/support/processor-time.ts';
import { saysGone, statusIn } from './status.ts';

const saysItIsGone = (answer: string) => saysGone([statusIn(answer)], answer);

it.each([
  '550 5.1.1 <a@b.test>: Recipient address rejected: User unknown in local recipient table',
  '550 5.1.0 <a@b.test>: User unknown',
  '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
  '550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient',
  '550 The email account that you tried to reach does not exist',
  '550 Unrouteable address',
  '550 Unknown user',
  '550 <a@b.test>: Recipient address rejected: User unknown',
  '550 a@b.test... User unknown',
  '550 Invalid recipient',
  '550 Invalid recipient <relay@spam.test>',
  '550 No Such User Here',
  '550 No such local user',
  '550 Requested action not taken: mailbox unavailable',
  '550 sorry, no mailbox here by that name. (#5.1.1)',
  '550 User <a@b.test> not found',
  '550 This account has been disabled or discontinued [#101].',
  '550 Mailbox is inactive',
  '550 a@b.test is not our customer',
  "554 delivery error: dd This user doesn't have a yahoo.com account (a@yahoo.com) [0]",
  '554 30 Sorry, your message to a@yahoo.com cannot be delivered. This mailbox is disabled (554.30).',
  // Of servers whose status says little or is known to nobody else.
  '550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 User unknown',
  '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)',
  '550 5.4.0 No such user',
  '550 5.3.0 <a@b.test>... User unknown',
  '550 5.1.1 <a@icloud.com>: user does not exist',
  '550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [abc]',
  '550 User ada (ada@b.test) not listed in Domino Directory',
  '550 5.2.1 The email account that you tried to reach is inactive',
])('%s: the mailbox is gone', (answer) => {
  expect(saysItIsGone(answer)).toBe(true);
});

it.each([
  '550 5.1.0 <no-reply@c.test>: Sender address rejected: User unknown in virtual mailbox table',
  '550 5.1.0 Address rejected.',
  '550 5.1.7 <no-reply@c.test>: Sender address rejected: User unknown',
  '550 5.1.8 <no-reply@c.test>: Sender address rejected: Domain not found',
  // Of Microsoft 365, for a dead mailbox mostly, and for a domain that is not set up.
  '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)',
  '550 SPF check failed',
  '550 DMARC check failed',
  '550 Not authorized to send',
  '550 Unauthorized',
  '550 your host is listed at bl.example.net',
  '550 reverse DNS lookup failed',
  '550 SMTP AUTH is required',
  '550 You are not allowed to connect',
  '550 Message rejected due to reputation',
  '550 Mailbox is full',
  '550 Mailbox temporarily unavailable',
  '550 Your account is disabled',
  '550 It said no.',
  '550 <user-unknown@b.test>: Not here',
  '550-Verification failed for <no-reply@c.test>\n550-No Such User Here\n550 Sender verify failed',
  '550-Requested action not taken: mailbox unavailable\n550 Reject due to policy restrictions.',
  '550-Requested action not taken: mailbox unavailable\n550 invalid DNS PTR resource record',
  '450 User unknown',
  '421 Too busy',
  'retry timeout exceeded',
  // The status names another cause, whatever the words are.
  '550 5.7.1 User unknown',
  '550 5.2.2 Mailbox unavailable: over quota',
  '550 5.7.509 Access denied, sending domain does not pass DMARC verification',
  '550 5.4.7 Delivery expired (message too old)',
  '550 5.5.0 Your host is listed at bl.example.net',
])('%s: says nothing about the mailbox', (answer) => {
  expect(saysItIsGone(answer)).toBe(false);
});

it.each([
  'a',
  'a@',
  '@',
  '<',
  '<@',
  ' ',
  '\n',
  ';',
  ';\n',
  '5',
  '550 ',
  '550 5.',
  'user ',
  'user a ',
  'user a b c d e f g not ',
  'unknown a-',
  'no such ',
  'not listed in ',
  '\u0130',
])('262 KB of %j are judged within 50 ms', (piece) => {
  const answer = piece.repeat(262_144 / piece.length);
  expect(processorMs(() => saysGone([statusIn(answer)], answer))).toBeLessThan(50);
});
