import PostalMime, { type Attachment } from 'postal-mime';
import type { DeliveryEvent } from './mailer.ts';
import { hasReason, isAboutMailbox, isGone, statusIn } from './status.ts';

/** What a report says, and of which email, by the left side of its Message-ID. */
export type BounceReport = Pick<DeliveryEvent, 'providerId' | 'delivery' | 'reason'>;

/**
 * Reads what a mail server writes about an email that it could not deliver (RFC 3464). Null for any
 * other message, for a delay, and for what names no email. Only the returned headers say which
 * email it is: nobody else knows its Message-ID.
 */
export async function readBounceReport(bytes: Uint8Array): Promise<BounceReport | null> {
  // What came back is a part to look into, and no text of the report.
  const options = { forceRfc822Attachments: true };
  const { text, attachments } = await PostalMime.parse(bytes, options);
  const told = textOf(attachments, STATUS_PART);
  const returned = textOf(attachments, RETURNED_PART);
  const recipients = told ? recipientsIn(told) : [];
  const delivery = deliveryOf(recipients, text ?? '');
  const providerId = returned && messageKey(returned);
  if (!delivery || !providerId) return null;
  const [first] = recipients;
  return { providerId, delivery, reason: first?.get('diagnostic-code') ?? first?.get('status') };
}

/** The type of the part in which a report says what became of an email. */
export const STATUS_PART = /^message\/(global-)?delivery-status$/i;
const RETURNED_PART = /^(message\/(rfc822|global|global-headers)|text\/rfc822-headers)$/i;

function textOf(attachments: Attachment[], type: RegExp): string | null {
  const content = attachments.find(({ mimeType }) => type.test(mimeType))?.content;
  if (content === undefined) return null;
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}

type Fields = Map<string, string>;

/** What is told of each recipient. */
function recipientsIn(told: string): Fields[] {
  const [, ...recipients] = told.split(/\r?\n[ \t]*\r?\n/).filter((block) => block.trim());
  return recipients.map(fieldsOf);
}

/** Null unless it was given up for everybody it went to. An email of ours goes to one person. */
function deliveryOf(recipients: Fields[], text: string): BounceReport['delivery'] | null {
  if (recipients.length === 0) return null;
  if (!recipients.every((one) => /^failed\b/i.test(one.get('action') ?? ''))) return null;
  return recipients.every((one) => isMailboxGone(one, text)) ? 'bounced' : 'failed';
}

/**
 * The answer of the other server says more: Exim and OpenSMTPD write 5.0.0 for every failure, and
 * OpenSMTPD has the answer in its text only.
 */
function isMailboxGone(fields: Fields, text: string): boolean {
  const own = /\d\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? '';
  if (hasReason(own)) return isGone(own);
  const answer = fields.get('diagnostic-code') ?? text;
  const status = statusIn(answer);
  return status ? isGone(status) : isAboutMailbox(answer);
}

function fieldsOf(block: string): Fields {
  const lines = block.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  return new Map(
    lines.flatMap((line) => {
      const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
      return name && value ? [[name.toLowerCase(), value] as const] : [];
    }),
  );
}

function messageKey(returned: string): string | null {
  const [headers = ''] = returned.split(/\r?\n\r?\n/, 1);
  const unfolded = headers.replaceAll(/\r?\n[ \t]+/g, ' ');
  return /^message-id:\s*<([^<>@\s]{1,200})@[^<>@\s]+>/im.exec(unfolded)?.[1] ?? null;
}
