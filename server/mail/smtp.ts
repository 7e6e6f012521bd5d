import nodemailer from 'nodemailer';
import { type Mailer, MailRefusedError } from './mailer.ts';
import { mimeMessage, type Sender } from './message.ts';

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
  return {
    async send(mail) {
      try {
        await transport.sendMail(mimeMessage(mail, sender));
        return null;
      } catch (error) {
        throw isRefusal(error) ? new MailRefusedError(messageOf(error), { cause: error }) : error;
      }
    },
  };
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
