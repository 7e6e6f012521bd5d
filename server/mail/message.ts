import nodemailer, { type SendMailOptions } from 'nodemailer';
import type { Mail } from './mailer.ts';

/** What every mail of this server has in common. */
export interface Sender {
  /** As in a From header: `Time Capsule <no-reply@example.org>`. */
  from: string;
  /** Right-hand side of every Message-ID. */
  host: string;
}

/** Tells other machines not to answer: no holiday replies to a notice. */
export const AUTOMATIC = { 'Auto-Submitted': 'auto-generated' } as const;

/** A mail as nodemailer takes it. The address is given as such, so that it is never read as a list. */
export function mimeMessage(mail: Mail, sender: Sender): SendMailOptions {
  return {
    from: sender.from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.idempotencyKey}@${sender.host}>`,
    headers: AUTOMATIC,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
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
