import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import type { Mail } from './mailer.ts';

/** What every mail of this server has in common. */
export interface Sender {
  /** As in a From header: `Time Capsule <no-reply@example.org>`. */
  from: string;
  /** Right-hand side of every Message-ID. */
  host: string;
}

/** The domain of a sender, as the domain name system knows it. */
export function domainOf(from: string): string {
  return domainToASCII(from.replace(/^.*@/, '').replace(/>.*$/, '').trim());
}

/** Tells other machines not to answer: no holiday replies to a notice. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated' } as const;

/**
 * Names an email to us alone. A report that an email came back counts only with it: mail servers return
 * the headers of an email, while an answer to it or a forwarded text shows its Message-ID at most.
 */
export const KEY_HEADER = 'X-Time-Capsule-Key';

/** Also where mail programs turn such emails off by themselves (RFC 8058). */
export function headersOf({ turnOffUrl }: Mail): Record<string, string> {
  if (turnOffUrl === undefined) return AUTOMATIC;
  return {
    ...AUTOMATIC,
    'List-Unsubscribe': `<${turnOffUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** A mail as nodemailer takes it. The address is given as such, so that it is never read as a list. */
export function mimeMessage(mail: Mail, sender: Sender): SendMailOptions {
  return {
    from: sender.from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${publicId(mail)}@${sender.host}>`,
    headers: { ...headersOf(mail), [KEY_HEADER]: mail.id },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The same for each attempt. The key can't be found from it. */
function publicId({ id }: Mail): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}

const composer = nodemailer.createTransport({
  streamTransport: true,
  buffer: true,
  newline: 'windows',
});

/** The whole mail as the bytes of an `.eml` file. */
export async function mimeBytes(mail: Mail, sender: Sender): Promise<Buffer> {
  const { message } = await composer.sendMail(mimeMessage(mail, sender));
  if (!Buffer.isBuffer(message)) throw new Error('The composer gave a stream.');
  return message;
}
