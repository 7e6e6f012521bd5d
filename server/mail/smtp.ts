import { Readable } from 'node:stream';
import nodemailer from 'nodemailer';
import {
  MailboxRefusedError,
  type Mailer,
  MailRefusedError,
  OutcomeUnknownError,
} from './mailer.ts';
import { mimeMessage, type Sender } from './message.ts';
import { isGone, statusIn } from './status.ts';

/** No step of a conversation may hang for longer; a mail has several steps. */
const STEP_TIMEOUT_MS = 20_000;

/** Sends through an SMTP server. `url` as in `smtp://user:password@mail.example.org:587`. */
export function createSmtpMailer({ url, sender }: { url: string; sender: Sender }): Mailer {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    dnsTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
  });
  /** Keys of emails whose text the server has asked for. */
  const begun = new Set<unknown>();
  transport.use('stream', ({ message, data }, done) => {
    // Read only after the server's answer to DATA: without a text it has nothing to take.
    message.processFunc((text) => Readable.from(whenRead(text, () => begun.add(data.messageId))));
    done();
  });
  return {
    async send(mail) {
      const message = mimeMessage(mail, sender);
      try {
        await transport.sendMail(message);
        // A bounce names the Message-ID.
        return mail.idempotencyKey;
      } catch (error) {
        throw failureOf(error, { isBegun: begun.has(message.messageId) });
      } finally {
        begun.delete(message.messageId);
      }
    },
  };
}

async function* whenRead(text: Readable, onRead: () => void) {
  onRead();
  yield* text;
}

function failureOf(error: unknown, { isBegun }: { isBegun: boolean }): unknown {
  const message = messageOf(error);
  const { responseCode } = error as { responseCode?: unknown };
  if (isBegun && responseCode === undefined) {
    return new OutcomeUnknownError(`The answer was lost: ${message}`, { cause: error });
  }
  if (!isRefusal(error)) return error;
  const Refused = isMailboxRefusal(error, message) ? MailboxRefusedError : MailRefusedError;
  return new Refused(message, { cause: error });
}

/** Without a status, these codes are about the mailbox. */
const MAILBOX_CODES: unknown[] = [550, 551, 553];

function isMailboxRefusal(error: unknown, message: string): boolean {
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown };
  const status = statusIn(message);
  const isAboutMailbox = status ? isGone(status) : MAILBOX_CODES.includes(responseCode);
  return command === 'RCPT TO' && isAboutMailbox;
}

/**
 * A 5xx for the recipient or the text is about this email. A 5xx for the greeting, the sign-in or
 * the sender is about our settings, so the email waits until they are fixed.
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown };
  const aboutTheMail = command === 'RCPT TO' || command === 'DATA';
  return (
    aboutTheMail && typeof responseCode === 'number' && responseCode >= 500 && responseCode !== 530
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
