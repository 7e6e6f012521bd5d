import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  describeMailer,
  failureOf,
  type MailerHarness,
  sendOne,
  testMail,
  turnOffUrlIn,
} from './mailer.contract.ts';
import {
  EmailDeferredError,
  MailboxRefusedError,
  MailRefusedError,
  OutcomeUnknownError,
} from './mailer.ts';
import { createSmtpMailer } from './smtp.ts';

/** Of this machine, and not named as such: what is said of other hosts can be tried with it. */
const OTHER_HOST = '0.0.0.0';

const SENDER = { from: 'Time Capsule <capsules@example.org>', host: 'capsule.example' };

type Step = 'sign-in' | 'sender' | 'recipient' | 'text';

interface SmtpHarness extends MailerHarness {
  emails: Email[];
  /** How many connections there were. */
  connections(): number;
  answerWith(step: Step, code: number, text?: string): void;
  /** Closes the connection at this step, without an answer. */
  hangUpAt(step: Step): void;
  /** No step refuses or hangs up any more. */
  mend(): void;
}

async function startSmtp(): Promise<SmtpHarness> {
  const emails: Email[] = [];
  let refusal: { step: Step; code: number; text?: string | undefined } | null = null;
  let hangsUpAt: Step | null = null;
  const sockets = new Set<Socket>();
  const answer = (step: Step) => {
    if (hangsUpAt === step) for (const socket of sockets) socket.destroy();
    return refusal?.step === step
      ? Object.assign(new Error(refusal.text ?? 'Not here'), { responseCode: refusal.code })
      : null;
  };

  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(answer('sign-in'), { user: 'capsules' }),
    onMailFrom: (_address, _session, done) => done(answer('sender')),
    onRcptTo: (_address, _session, done) => done(answer('recipient')),
    onData: async (stream, _session, done) => {
      const bytes = await buffer(stream).catch(() => null);
      const no = answer('text');
      if (bytes && !no) emails.push(await PostalMime.parse(bytes));
      done(no);
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;

  return {
    mailer: createSmtpMailer({
      url: `smtp://capsules:secret@127.0.0.1:${port}`,
      sender: SENDER,
    }),
    sender: 'capsules@example.org',
    emails,
    connections: () => sockets.size,
    answerWith(step, code, text) {
      refusal = { step, code, text };
    },
    hangUpAt(step) {
      hangsUpAt = step;
    },
    mend() {
      refusal = null;
      hangsUpAt = null;
    },
    received: async () =>
      emails.map(({ to, from, subject, text, html, headers }) => ({
        key: String(headers.find(({ key }) => key === 'x-time-capsule-key')?.value),
        to: String(to?.[0]?.address),
        from: String(from?.address),
        subject: String(subject),
        text: String(text),
        html: String(html),
        turnOffUrl: turnOffUrlIn((name) => headers.find(({ key }) => key === name)?.value),
      })),
    async failForNow() {
      refusal = { step: 'recipient', code: 451 };
    },
    async refuse() {
      refusal = { step: 'recipient', code: 550, text: '5.1.1 No such user' };
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

describeMailer('smtp', startSmtp);

describe('what an SMTP server answers', () => {
  let smtp: SmtpHarness;
  beforeEach(async () => {
    smtp = await startSmtp();
  });
  afterEach(() => smtp.close());

  it('gets an id of ours, and word that no person wrote this', async () => {
    await sendOne(smtp.mailer, testMail({ id: 'key-7' }));
    const [email] = smtp.emails;
    expect(email?.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
    expect(email?.headers).toContainEqual(
      expect.objectContaining({ key: 'x-time-capsule-key', value: 'key-7' }),
    );
    // Answers repeat it, so it is not the key.
    expect(email?.messageId).toMatch(/^<[0-9a-f]{32}@capsule.example>$/);
  });

  it('gets one email after the other by one connection', async () => {
    for (let sent = 0; sent < 3; sent += 1) await sendOne(smtp.mailer);
    expect(smtp.emails).toHaveLength(3);
    expect(smtp.connections()).toBe(1);
  });

  it.each<[Step, number, text: string]>([
    ['sign-in', 535, 'Wrong password'],
    ['sender', 550, 'Not here'],
    ['sender', 550, '5.1.1 We do not know you'],
    ['recipient', 530, 'Must issue STARTTLS first'],
    ['recipient', 550, '5.1.8 Sender address rejected: Domain not found'],
    ['recipient', 550, '5.4.5 Daily sending limit exceeded'],
    ['recipient', 550, '5.7.1 Your network is on a block list'],
    ['recipient', 554, '5.7.1 <ada@example.com>: Relay access denied'],
    ['recipient', 550, '5.0.0 Access denied'],
    ['recipient', 550, '5.0.0 It said no.'],
    ['recipient', 550, '5.1.0 <capsules@example.org>: Sender address rejected: User unknown'],
    ['recipient', 550, 'SPF check failed'],
    ['recipient', 550, 'relay not permitted'],
    ['recipient', 550, 'Sender verify failed'],
    ['recipient', 550, 'Administrative prohibition'],
    ['recipient', 553, "sorry, that domain isn't in my list of allowed rcpthosts"],
    ['recipient', 552, 'Exceeded storage allocation'],
    ['recipient', 554, 'Transaction failed'],
    ['recipient', 421, '4.3.2 The service is shutting down'],
    ['recipient', 450, '4.1.2 <ada@example.com>: Domain not found'],
    ['sender', 450, '4.1.8 Sender address rejected: Domain not found'],
    ['text', 451, 'Local error'],
    ['text', 550, 'Invalid address in a header line'],
    ['text', 550, 'Account suspended'],
    ['text', 554, 'Transaction failed'],
    ['text', 554, '5.7.1 Message rejected as spam'],
  ])('at the %s, %i %s says nothing about this email, which waits', async (step, code, text) => {
    smtp.answerWith(step, code, text);
    const failure = await failureOf(sendOne(smtp.mailer));
    expect(failure).not.toBeInstanceOf(MailRefusedError);
    // Any answer but that it goes away shows that the server is there, whatever email it is.
    const isThere = (step === 'recipient' || step === 'text') && code !== 421;
    expect(failure instanceof EmailDeferredError).toBe(isThere);
    expect(failure.message).toContain(`${code} ${text}`);
  });

  it.each<[Step, code: number, text: string, isGone: boolean]>([
    ['recipient', 550, 'No such mailbox', true],
    ['recipient', 550, 'Requested action not taken: mailbox unavailable', true],
    ['recipient', 550, '5.1.1 <ada@example.com>: User unknown', true],
    ['recipient', 550, '5.1.0 <ada@example.com>: User unknown', true],
    ['recipient', 550, '5.2.1 The account is disabled', true],
    ['recipient', 552, '5.2.2 Mailbox full', false],
    ['text', 550, '5.1.1 <ada@example.com>: User unknown', true],
    ['text', 552, '5.2.3 Message too large for this mailbox', false],
    ['text', 552, '5.3.4 Message size exceeds fixed limit', false],
    ['text', 554, '5.6.0 Message not understood', false],
  ])('at the %s, %i %s is final for this email', async (step, code, text, isGone) => {
    smtp.answerWith(step, code, text);
    const failure = await failureOf(sendOne(smtp.mailer));
    expect(failure).toBeInstanceOf(MailRefusedError);
    expect(failure instanceof MailboxRefusedError).toBe(isGone);
  });

  it.each<[Step, boolean]>([
    ['sender', false],
    ['recipient', false],
    ['text', true],
  ])(
    'hangs up at the %s: it may have taken the email only if it has the text',
    async (step, may) => {
      smtp.hangUpAt(step);
      const begin = vi.fn(async () => {});
      const failure = await failureOf(sendOne(smtp.mailer, testMail(), { begin }));
      expect(failure).not.toBeInstanceOf(MailRefusedError);
      expect(failure instanceof OutcomeUnknownError).toBe(may);
      expect(begin).toHaveBeenCalledTimes(may ? 1 : 0);
    },
  );

  it('is never handed an email again behind our back', async () => {
    smtp.hangUpAt('text');
    await failureOf(sendOne(smtp.mailer, testMail({ id: 'key-1' })));
    smtp.mend();
    await sendOne(smtp.mailer, testMail({ id: 'key-2' }));
    expect((await smtp.received()).map(({ key }) => key)).toEqual(['key-1', 'key-2']);
  });

  it('is away: worth another attempt', async () => {
    await smtp.close();
    const failure = await failureOf(sendOne(smtp.mailer));
    expect(failure).not.toBeInstanceOf(MailRefusedError);
    expect(failure).not.toBeInstanceOf(OutcomeUnknownError);
  });
});

it('a password goes to another host through TLS alone, unless the address says otherwise', async () => {
  const said: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) => {
      said.push(String(password));
      done(null, { user: 'capsules' });
    },
    onData: (stream, _session, done) => void stream.resume().on('end', () => done()),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  const sendBy = async (url: string) => {
    const mailer = createSmtpMailer({ url, sender: SENDER });
    await sendOne(mailer).finally(mailer.close);
  };
  const address = `smtp://capsules:secret@${OTHER_HOST}:${port}`;
  await expect(sendBy(address)).rejects.toThrow(/STARTTLS/);
  await expect(sendBy(`${address}?ignoreTLS=true`)).rejects.toThrow(/STARTTLS/);
  expect(said).toEqual([]);
  await sendBy(`${address}?tls=optional`);
  await sendBy(`smtp://${OTHER_HOST}:${port}`);
  expect(said).toEqual(['secret']);
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

/** A mail server of one test. @returns how it was greeted, and the senders it has read */
async function startPlain(options: SMTPServerOptions = {}) {
  const greeted: string[] = [];
  const from: (string | undefined)[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onRcptTo: (_address, session, done) => {
      greeted.push(`${session.hostNameAppearsAs}${session.secure ? ' by TLS' : ''}`);
      done();
    },
    onData: async (stream, _session, done) => {
      from.push((await PostalMime.parse(await buffer(stream))).from?.name);
      done();
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    greeted,
    from,
    port,
    async sendBy(url: string, sender = SENDER) {
      const mailer = createSmtpMailer({ url, sender });
      await sendOne(mailer).finally(mailer.close);
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

it.each([
  ['Us <hello@letters.example>', 'capsule.example', 'letters.example'],
  ['hello@müller.example', 'capsule.example', 'xn--mller-kva.example'],
  ['Us <no-reply@localhost>', 'capsule.example', 'capsule.example'],
])('greets with a full name: by %s at %s as %s', async (from, host, name) => {
  const smtp = await startPlain({ disabledCommands: ['STARTTLS'] });
  await smtp.sendBy(`smtp://127.0.0.1:${smtp.port}`, { from, host });
  expect(smtp.greeted).toEqual([name]);
  await smtp.close();
});

it.each([
  ['"Zeitkapsel: Briefe" <us@capsules.example>', 'Zeitkapsel: Briefe'],
  ['"Müller, Co. (wir)" <us@capsules.example>', 'Müller, Co. (wir)'],
  ['Łódź 湖 <us@capsules.example>', 'Łódź 湖'],
  ['us@capsules.example', ''],
])('is read as from %s', async (from, name) => {
  const smtp = await startPlain({ disabledCommands: ['STARTTLS'] });
  await smtp.sendBy(`smtp://127.0.0.1:${smtp.port}`, { ...SENDER, from });
  expect(smtp.from).toEqual([name]);
  await smtp.close();
});

it('takes a certificate that nobody vouches for only where TLS is not needed', async () => {
  const smtp = await startPlain();
  await smtp.sendBy(`smtp://127.0.0.1:${smtp.port}`);
  expect(smtp.greeted).toEqual(['example.org by TLS']);
  const strict = smtp.sendBy(`smtp://capsules:secret@${OTHER_HOST}:${smtp.port}`);
  await expect(strict).rejects.toThrow(/certificate/);
  await smtp.close();
});
