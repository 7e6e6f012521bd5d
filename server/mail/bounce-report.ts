import PostalMime, { type Attachment } from 'postal-mime';
import type { DeliveryEvent } from './mailer.ts';
import { KEY_HEADER } from './message.ts';
import { saysGone, statusIn } from './status.ts';

/** What a report says, and of which email, by its idempotency key. */
export type BounceReport = Pick<DeliveryEvent, 'providerId' | 'outcome' | 'reason'>;

/**
 * So much of a report is read, and so many lines of it. The email that came back is its last part, of
 * which the headers are enough. Anybody can send us something that looks like a report.
 */
export const REPORT_HEAD_BYTES = 65_536;
const REPORT_LINES = 1_500;

const KEY = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}[\\w-]{0,20})';
/** Emails of earlier versions have their key as Message-ID. Gmail repeats that beside the status. */
const KEY_FIELDS = `${KEY_HEADER}|original-envelope-id|(?:x-original-)?message-id`;
const KEY_FIELD = new RegExp(`^(?:${KEY_FIELDS}):\\s*<?${KEY}\\b`, 'im');

/**
 * Reads what a mail server writes about an email that it could not deliver (RFC 3464). Null for any
 * other message, for a delay, and for what names no email by its key, which only its headers and the
 * envelope have.
 */
export async function readBounceReport(bytes: Uint8Array): Promise<BounceReport | null> {
  const head = headOf(bytes);
  if (!KEY_FIELD.test(head)) return null;
  // What came back is a part to look into, and no text of the report.
  const options = { forceRfc822Attachments: true };
  const email = Buffer.from(onlyContentFields(head), 'latin1');
  const { text, attachments } = await PostalMime.parse(email, options);
  const told = textOf(attachments, STATUS_PART);
  if (told === null) return null;
  const recipients = recipientsIn(told);
  const [returned = ''] = (textOf(attachments, RETURNED_PART) ?? '').split(/\r?\n\r?\n/, 1);
  // Some servers return nothing of an email, but name it where they say what became of it.
  const providerId = KEY_FIELD.exec(returned)?.[1] ?? KEY_FIELD.exec(told)?.[1];
  const outcome = providerId && outcomeOf(recipients, text ?? '');
  if (!outcome || !providerId) return null;
  const [first] = recipients;
  return { providerId, outcome, reason: first?.get('diagnostic-code') ?? first?.get('status') };
}

function headOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, REPORT_HEAD_BYTES)).toString('latin1');
  let end = -1;
  for (let lines = 0; lines < REPORT_LINES; lines += 1) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return text;
  }
  return text.slice(0, end + 1);
}

/**
 * Leaves only those fields of the report's own header that say how its body is written. Nobody reads
 * the others, and addresses are most of the work.
 */
function onlyContentFields(head: string): string {
  const end = head.search(/\r?\n\r?\n/);
  const header = end < 0 ? head : head.slice(0, end);
  const fields = header.split(/\r?\n(?![ \t])/).filter((field) => /^(content-|mime-)/i.test(field));
  return fields.join('\n') + head.slice(header.length);
}

/** The type of the part in which a report says what became of an email. */
const STATUS_PART = /^message\/(global-)?delivery-status$/i;
const RETURNED_PART = /^(message\/(rfc822|global|global-headers)|text\/rfc822-headers)$/i;

function textOf(attachments: Attachment[], type: RegExp): string | null {
  const content = attachments.find(({ mimeType }) => type.test(mimeType))?.content;
  if (content === undefined) return null;
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}

type Fields = Map<string, string>;

/** Of these, each recipient has one. */
const OF_A_RECIPIENT = ['action', 'final-recipient'];

/**
 * What is told of each recipient. The empty lines that should be in between may be missing, or be
 * anywhere. What is told of the email itself is with its first recipient.
 */
function recipientsIn(report: string): Fields[] {
  const recipients: Fields[] = [new Map()];
  for (const line of report.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name = '', told = ''] = /^([\w-]+):(.*)$/s.exec(line) ?? [];
    const field = name.toLowerCase();
    const value = told.trim();
    if (!value) continue;
    if (OF_A_RECIPIENT.includes(field) && recipients.at(-1)?.has(field)) recipients.push(new Map());
    recipients.at(-1)?.set(field, value);
  }
  return recipients;
}

/** Null unless it was given up for everybody it went to. An email of ours goes to one person. */
function outcomeOf(recipients: Fields[], text: string): BounceReport['outcome'] | null {
  if (!recipients.every((one) => /^failed\b/i.test(one.get('action') ?? ''))) return null;
  return recipients.every((one) => isMailboxGone(one, text)) ? 'bounced' : 'failed';
}

/**
 * The answer of the other server says more: Exim and OpenSMTPD write 5.0.0 for every failure, and
 * OpenSMTPD has the answer in its text only.
 */
function isMailboxGone(fields: Fields, text: string): boolean {
  const own = /\d\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? null;
  const answer = fields.get('diagnostic-code') ?? text;
  return saysGone([own, statusIn(answer)], answer);
}
