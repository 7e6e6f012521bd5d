import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type MailerHarness, turnOffUrlIn } from './mailer.contract.ts';
import { createResendMailer } from './resend.ts';

export const SENDER = { from: 'Time Capsule <capsules@example.org>', host: 'capsule.example' };

const emailSchema = z.object({
  from: z.string(),
  to: z.tuple([z.string()]),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  headers: z.record(z.string(), z.string()),
  // What it takes in the value of a tag.
  tags: z.tuple([z.object({ name: z.literal('mail'), value: z.string().regex(/^[\w-]{1,256}$/) })]),
});

const batchSchema = z.array(emailSchema).max(100);
type Email = z.output<typeof emailSchema>;

export interface ResendAnswer {
  status: number;
  /** The `name` of the error; the answers of the real service have this form. */
  name: string;
  headers?: Record<string, string>;
}

export interface ResendHarness extends MailerHarness {
  url: string;
  answerWith(answer: ResendAnswer | null): void;
  /** Takes the next call, and cuts the line instead of answering it. */
  loseNextAnswer(): void;
  /** Refuses every call with this address in it, as Resend does: nothing of the call is sent. */
  refuseAddress(address: string): void;
  requests: { path: string | undefined; headers: IncomingHttpHeaders; emails: number }[];
}

/** The headers with which Resend signs what it tells. @param at seconds since 1970 */
export function signEvent(secret: string, payload: string, at = Math.floor(Date.now() / 1_000)) {
  const id = `msg_${randomUUID()}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${at}.${payload}`).digest('base64');
  return { 'svix-id': id, 'svix-timestamp': String(at), 'svix-signature': `v1,${signature}` };
}

/** The Resend driver and a server that speaks like Resend, on this machine. */
export async function startResend(webhookSecret: string | null = null): Promise<ResendHarness> {
  const taken: { key: string; emails: Email[] }[] = [];
  const requests: ResendHarness['requests'] = [];
  const refused = new Set<string>();
  let answer: ResendAnswer | null = null;
  let losesNext = false;

  const server = createServer(async (request, response) => {
    const { url: path, headers } = request;
    const emails = path === '/emails/batch' ? batchSchema.parse(await json(request)) : [];
    requests.push({ path, headers, emails: emails.length });
    const key = String(headers['idempotency-key']);
    const failure = answer ?? judge(key, emails);
    if (failure) {
      const { status, name } = failure;
      response.writeHead(status, { 'content-type': 'application/json', ...failure.headers });
      response.end(JSON.stringify({ statusCode: status, name, message: `It said ${name}.` }));
      return;
    }
    if (!taken.some((call) => call.key === key)) taken.push({ key, emails });
    if (losesNext) {
      losesNext = false;
      request.socket.destroy();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: emails.map(() => ({ id: randomUUID() })) }));
  });

  function judge(key: string, emails: Email[]): ResendAnswer | null {
    const known = taken.find((call) => call.key === key);
    if (known && !isDeepStrictEqual(known.emails, emails)) {
      return { status: 409, name: 'invalid_idempotent_request' };
    }
    const isRefused = emails.length === 0 || emails.some(({ to }) => refused.has(to[0]));
    return isRefused ? { status: 422, name: 'validation_error' } : null;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  return {
    mailer: createResendMailer({
      apiKey: 're_test',
      baseUrl: url,
      webhookSecret,
      sender: SENDER,
    }),
    sender: 'capsules@example.org',
    url,
    requests,
    answerWith(next) {
      answer = next;
    },
    loseNextAnswer() {
      losesNext = true;
    },
    refuseAddress(address) {
      refused.add(address);
    },
    async received() {
      return taken.flatMap(({ key, emails }) =>
        emails.map(({ to, from, subject, text, html, headers }) => ({
          key,
          to: to[0],
          from: from.replace(/.*<(.*)>/, '$1'),
          subject,
          text,
          html,
          turnOffUrl: turnOffUrlIn(
            (name) => Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1],
          ),
        })),
      );
    },
    async failForNow() {
      answer = { status: 500, name: 'internal_server_error' };
    },
    async refuse() {
      answer = { status: 422, name: 'validation_error' };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
