import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import type { MailerHarness } from './mailer.contract.ts';
import { createResendMailer } from './resend.ts';

const SENDER = { from: 'Time Capsule <capsules@example.org>', host: 'capsule.example' };

const bodySchema = z.object({
  from: z.string(),
  to: z.tuple([z.string()]),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
});

export interface ResendAnswer {
  status: number;
  /** The `name` of the error; the answers of the real service have this form. */
  name: string;
  headers?: Record<string, string>;
}

export interface ResendHarness extends MailerHarness {
  url: string;
  answerWith(answer: ResendAnswer): void;
  requests: { path: string | undefined; headers: IncomingHttpHeaders }[];
}

/** The Resend driver and a server that speaks like Resend, on this machine. */
export async function startResend(): Promise<ResendHarness> {
  const taken: { key: string; body: z.output<typeof bodySchema> }[] = [];
  const requests: ResendHarness['requests'] = [];
  let answer: ResendAnswer | null = null;

  const server = createServer(async (request, response) => {
    requests.push({ path: request.url, headers: request.headers });
    const body = bodySchema.parse(await json(request));
    if (answer) {
      const { status, name, headers } = answer;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ statusCode: status, name, message: `It said ${name}.` }));
      return;
    }
    taken.push({ key: String(request.headers['idempotency-key']), body });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  return {
    mailer: createResendMailer({
      apiKey: 're_test',
      baseUrl: url,
      sender: SENDER,
    }),
    sender: 'capsules@example.org',
    url,
    requests,
    answerWith(next) {
      answer = next;
    },
    async received() {
      return taken.map(({ key, body: { to, from, subject, text, html } }) => ({
        key,
        to: to[0],
        from: from.replace(/.*<(.*)>/, '$1'),
        subject,
        text,
        html,
      }));
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
