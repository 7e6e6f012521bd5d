import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Mailer } from '../../server/mail/mailer.ts';
import { createResendMailer } from '../../server/mail/resend.ts';
import { createSmtpMailer } from '../../server/mail/smtp.ts';
import type { Mailboxes } from './mailboxes.ts';

const SENDER = { from: 'Time Capsule <capsules@example.org>', host: 'capsule.example' };
export const SECRET = `whsec_${Buffer.from('a secret of the simulation').toString('base64')}`;
/** As long as Resend knows a key. */
const KEY_LIVES_MS = 86_400_000;

/** What is wrong with a provider. */
export const TROUBLES = ['loses its answers', 'talks nonsense', 'fails', 'is busy'] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface Provider {
  mailer: Mailer;
  trouble: Trouble | null;
  /** What it tells about emails it has taken, to be signed and posted to the server. */
  events: string[];
  close(): Promise<void>;
}

interface Email {
  to: [string];
  subject: string;
  text: string;
  tags: { name: string; value: string }[];
}

/** Speaks as Resend does: batches, keys that it knows for a day, signed events. */
export async function startResendLike(mailboxes: Mailboxes, now: () => Date): Promise<Provider> {
  const taken = new Map<string, { at: number; answer: string }>();
  const events: Provider['events'] = [];
  const server = createServer(async (request, response) => {
    const emails = (await json(request)) as Email[];
    const { trouble } = provider;
    response.setHeader('content-type', 'application/json');
    if (trouble === 'fails' || trouble === 'is busy') {
      const [status, name] =
        trouble === 'fails' ? [500, 'internal_server_error'] : [429, 'rate_limit_exceeded'];
      response.writeHead(status, { 'retry-after': '3600' });
      response.end(JSON.stringify({ statusCode: status, name, message: 'It is away.' }));
      return;
    }
    const key = String(request.headers['idempotency-key']);
    const known = taken.get(key);
    const isKnown = known !== undefined && now().getTime() - known.at < KEY_LIVES_MS;
    const answer = isKnown ? known.answer : take(emails);
    if (!isKnown) taken.set(key, { at: now().getTime(), answer });
    if (trouble === 'loses its answers') request.socket.destroy();
    else response.end(trouble === 'talks nonsense' ? '<html>Welcome</html>' : answer);
  });

  function take(emails: Email[]): string {
    const ids = emails.map((email) => {
      const id = randomUUID();
      const [to] = email.to;
      const isBounce = mailboxes.bounces(to);
      const event = {
        type: isBounce ? 'email.bounced' : 'email.delivered',
        created_at: now().toISOString(),
        data: {
          email_id: id,
          tags: Object.fromEntries(email.tags.map(({ name, value }) => [name, value])),
          ...(isBounce && { bounce: { type: 'Permanent' } }),
        },
      };
      events.push(JSON.stringify(event));
      if (!isBounce)
        mailboxes.deliver({ to, at: now(), subject: email.subject, text: email.text, byKey: true });
      return { id };
    });
    return JSON.stringify({ data: ids });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: Provider = {
    mailer: createResendMailer({
      apiKey: 're_years',
      baseUrl,
      webhookSecret: SECRET,
      sender: SENDER,
    }),
    trouble: null,
    events,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}

const REFUSALS = { 421: '4.3.2 It is away.', 550: '5.1.1 No such user' };

/** An SMTP server that refuses dead mailboxes at once, and tells nothing later. */
export async function startSmtp(mailboxes: Mailboxes, now: () => Date): Promise<Provider> {
  const failure = (responseCode: keyof typeof REFUSALS) =>
    Object.assign(new Error(REFUSALS[responseCode]), { responseCode });
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: (_auth, _session, done) => done(null, { user: 'capsules' }),
    onMailFrom: (_address, _session, done) => done(provider.trouble ? failure(421) : null),
    onRcptTo: ({ address }, _session, done) =>
      done(mailboxes.bounces(address) ? failure(550) : null),
    onData: async (stream, _session, done) => {
      const { to, subject = '', text = '' } = await PostalMime.parse(await buffer(stream));
      mailboxes.deliver({
        to: String(to?.[0]?.address),
        ...{ at: now(), subject, text, byKey: false },
      });
      done();
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  const provider: Provider = {
    mailer: createSmtpMailer({
      url: `smtp://capsules:secret@127.0.0.1:${port}`,
      sender: SENDER,
    }),
    trouble: null,
    events: [],
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return provider;
}
