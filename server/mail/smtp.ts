import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import nodemailer from 'nodemailer';
import { mailAddressOf } from '../config-address.ts';
import {
  EmailDeferredError,
  MailboxRefusedError,
  type Mailer,
  MailRefusedError,
  OutcomeUnknownError,
} from './mailer.ts';
import { domainOf, mimeMessage, type Sender } from './message.ts';
import { isNotTaken, saysGone, statusIn } from './status.ts';

/** No step of a conversation may hang for longer; a mail has several steps. */
const STEP_TIMEOUT_MS = 20_000;
/** Shorter than any server waits: it would close the connection just when it is used again. */
const IDLE_MS = 5_000;

/** Asks servers that can (RFC 3461) for failures only, with the headers and the key of an email. */
const REPORTS = { notify: 'failure', return: 'headers' };

/**
 * Sends through an SMTP server. `url` as in `smtp://user:password@mail.example.org:587`. A password
 * goes through TLS alone, which a server or somebody in between could otherwise just not offer.
 */
export function createSmtpMailer({ url, sender }: { url: string; sender: Sender }): Mailer {
  const { url: address, requireTls } = mailAddressOf(url);
  const isEncrypted = requireTls || address.protocol === 'smtps:';
  const transport = nodemailer.createTransport({
    url: address.href,
    requireTLS: requireTls,
    // Where an email may go without TLS, a certificate that nobody vouches for is still better.
    tls: { rejectUnauthorized: isEncrypted },
    name: greetingOf(sender),
    // Hundreds of emails of one day share their connections: greeting, TLS and sign-in come once.
    pool: true,
    // `jobs/send-emails` tries again, and knows what may have arrived.
    maxRequeues: 0,
    idleTimeout: IDLE_MS,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    dnsTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
  });
  /** By Message-ID. */
  const attempts = new Map<unknown, Attempt>();
  transport.use('stream', ({ message, data }, done) => {
    const attempt = attempts.get(data.messageId);
    // Read only after the server's answer to DATA: without a text it has nothing to take.
    if (attempt) message.processFunc((text) => Readable.from(begunWhenRead(text, attempt)));
    done();
  });
  return {
    batchMax: 1,
    async send([mail], { begin }) {
      if (!mail) return [];
      const message = mimeMessage(mail, sender);
      const attempt = { isBegun: false, begin };
      attempts.set(message.messageId, attempt);
      try {
        await transport.sendMail({ ...message, dsn: { ...REPORTS, id: mail.id } });
        return [mail.id];
      } catch (error) {
        throw failureOf(error, attempt);
      } finally {
        attempts.delete(message.messageId);
      }
    },
    close: () => transport.close(),
  };
}

/**
 * What we call ourselves. Strict servers refuse what is no full name, such as a container's; without
 * one, it is this machine's.
 */
function greetingOf({ from, host }: Sender): string | undefined {
  return [domainOf(from), host].find((name) => name.includes('.') && isIP(name) === 0);
}

interface Attempt {
  /** Whether the server has asked for the text. */
  isBegun: boolean;
  begin: () => Promise<void>;
}

async function* begunWhenRead(text: Readable, attempt: Attempt) {
  await attempt.begin();
  attempt.isBegun = true;
  yield* text;
}

function failureOf(error: unknown, { isBegun }: { isBegun: boolean }): unknown {
  const message = messageOf(error);
  const { responseCode } = error as { responseCode?: unknown };
  if (isBegun && responseCode === undefined) {
    return new OutcomeUnknownError(`The answer was lost: ${message}`, { cause: error });
  }
  const Refused = refusalOf(error);
  return Refused ? new Refused(message, { cause: error }) : error;
}

/**
 * Which error says that this email is refused for good, or for now; null for any other failure. Many
 * servers refuse us, our sign-in or our sender only when they are told the recipient or the text.
 * Those emails wait until that is mended.
 */
function refusalOf(error: unknown): typeof MailRefusedError | typeof EmailDeferredError | null {
  if (!(error instanceof Error)) return null;
  const { command, responseCode = 0, response = '' } = error as SmtpError;
  // An email goes to one person, so a refused text may be about the mailbox as well.
  if (command !== 'RCPT TO' && command !== 'DATA') return null;
  // With 421, the server goes away.
  const forNow = responseCode > 421 ? EmailDeferredError : null;
  if (responseCode < 500) return forNow;
  const status = statusIn(response);
  // Of a text, the same words may be about its headers.
  const words = command === 'RCPT TO' ? response : '';
  if (saysGone([status], words)) return MailboxRefusedError;
  return status && isNotTaken(status) ? MailRefusedError : forNow;
}

interface SmtpError extends Error {
  command?: string;
  responseCode?: number;
  /** As the server has written it. */
  response?: string;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
