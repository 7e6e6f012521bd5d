import dns from 'node:dns';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeMailer, failureOf, sendOne, testMail } from './mailer.contract.ts';
import { MailDeferredError, MailRefusedError, OutcomeUnknownError } from './mailer.ts';
import { type ResendHarness, SENDER, startResend } from './resend.support.ts';
import { createResendMailer } from './resend.ts';

describeMailer('resend', () => startResend());

describe('what Resend answers', () => {
  let resend: ResendHarness;
  beforeEach(async () => {
    resend = await startResend();
  });
  afterEach(() => resend.close());

  it('gets the key, and where to put the mail', async () => {
    await sendOne(resend.mailer);
    expect(resend.requests).toMatchObject([{ path: '/emails/batch', emails: 1 }]);
    expect(resend.requests[0]?.headers.authorization).toBe('Bearer re_test');
  });

  it('is out of reach at each of its addresses: nothing was sent', async () => {
    // The first can't be reached at all, and at the second nobody listens.
    const addresses = ['255.255.255.255', '127.0.0.1'].map((address) => ({ address, family: 4 }));
    const lookup = ((_host: string, _options: unknown, done: (...result: unknown[]) => void) =>
      done(null, addresses)) as unknown as typeof dns.lookup;
    vi.spyOn(dns, 'lookup').mockImplementation(lookup);
    await resend.close();
    const baseUrl = resend.url.replace('127.0.0.1', 'resend.example');
    const mailer = createResendMailer({ apiKey: 're_test', baseUrl, sender: SENDER });
    const failure = await failureOf(sendOne(mailer));
    expect((failure as Error & { cause?: Error }).cause).toBeInstanceOf(AggregateError);
    expect(failure).not.toBeInstanceOf(OutcomeUnknownError);
  });

  it('gets many mails in one call, under the key of the call', async () => {
    const turnOffUrl = 'https://capsule.example/notices/off?token=abc';
    const change = { id: 'other', to: 'bob@example.com', turnOffUrl };
    await resend.mailer.send([testMail(), testMail(change)], {
      key: 'both',
      begin: async () => {},
    });
    expect(resend.requests).toMatchObject([{ path: '/emails/batch', emails: 2 }]);
    expect(await resend.received()).toMatchObject([
      { key: 'both', to: 'ada@example.com', subject: testMail().subject },
      { key: 'both', to: 'bob@example.com', turnOffUrl },
    ]);
  });

  it('sends none of a call in which it refuses one', async () => {
    const nobody = testMail({ to: 'nobody@example.com' });
    resend.refuseAddress(nobody.to);
    const call = { key: 'both', begin: async () => {} };
    const sending = resend.mailer.send([testMail(), nobody], call);
    expect(await failureOf(sending)).toBeInstanceOf(MailRefusedError);
    expect(await resend.received()).toEqual([]);
  });

  it('asks for patience, and is given as much as it asks for', async () => {
    resend.answerWith({
      status: 429,
      name: 'rate_limit_exceeded',
      headers: { 'retry-after': '2' },
    });
    const failure = await failureOf(sendOne(resend.mailer));
    expect(failure).toBeInstanceOf(MailDeferredError);
    expect(failure).toMatchObject({ retryAfterMs: 2_000 });
  });

  it('is left alone for an hour when the quota is used up', async () => {
    resend.answerWith({ status: 429, name: 'daily_quota_exceeded' });
    const failure = await failureOf(sendOne(resend.mailer));
    expect(failure).toMatchObject({ retryAfterMs: 3_600_000 });
  });

  it('has taken a mail that it knows with another text', async () => {
    resend.answerWith({ status: 409, name: 'invalid_idempotent_request' });
    // Its events repeat this id.
    await expect(sendOne(resend.mailer)).resolves.toBe(testMail().id);
  });

  it.each([
    { status: 401, name: 'invalid_api_key' },
    { status: 403, name: 'validation_error' },
    { status: 422, name: 'invalid_from_address' },
    { status: 409, name: 'concurrent_idempotent_requests' },
  ])('$status $name is for the operator to mend, not the end of the mail', async (answer) => {
    resend.answerWith(answer);
    const failure = await failureOf(sendOne(resend.mailer));
    expect(failure).not.toBeInstanceOf(MailRefusedError);
    expect(failure.message).toContain(answer.name);
  });

  it('may have taken a mail whose answer was lost', async () => {
    resend.loseNextAnswer();
    expect(await failureOf(sendOne(resend.mailer))).toBeInstanceOf(OutcomeUnknownError);
    resend.answerWith({ status: 502, name: 'bad_gateway' });
    expect(await failureOf(sendOne(resend.mailer))).toBeInstanceOf(OutcomeUnknownError);
  });

  it('has not taken a mail when it says that it has failed, however long that lasts', async () => {
    for (const status of [500, 503]) {
      resend.answerWith({ status, name: 'internal_server_error' });
      const failure = await failureOf(sendOne(resend.mailer));
      expect(failure).not.toBeInstanceOf(OutcomeUnknownError);
      expect(failure).not.toBeInstanceOf(MailRefusedError);
    }
  });

  it('is away: worth another attempt', async () => {
    await resend.close();
    const failure = await failureOf(sendOne(resend.mailer));
    expect(failure).not.toBeInstanceOf(MailRefusedError);
    expect(failure).not.toBeInstanceOf(MailDeferredError);
    expect(failure).not.toBeInstanceOf(OutcomeUnknownError);
  });
});
