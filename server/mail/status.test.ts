import { expect, it } from 'vitest';
import { isAboutMailbox, isGone, statusIn } from './status.ts';

const saysGone = (answer: string) => {
  const status = statusIn(answer);
  return status ? isGone(status) : isAboutMailbox(answer);
};

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
])('%s: the mailbox is gone', (answer) => {
  expect(saysGone(answer)).toBe(true);
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
])('%s: says nothing about the mailbox', (answer) => {
  expect(saysGone(answer)).toBe(false);
});
