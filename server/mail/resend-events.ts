import type { Resend } from 'resend';
import { z } from 'zod/mini';
import type { DeliveryEvent } from './mailer.ts';

/** The name of the tag with which each email goes: its value is `Mail.id`. */
export const ID_TAG = 'mail';

const optional = <Schema extends z.core.SomeType>(schema: Schema) =>
  // What we can do without is no reason to refuse the rest.
  z.catch(z.optional(schema), undefined);
const text = optional(z.string());
/** As they make ids, and we our tag. Any other text names no email of ours, and may not be one to store. */
const plainId = z.string().check(z.regex(/^[\w-]{1,256}$/));
const eventSchema = z.object({
  type: z.string(),
  created_at: z.iso.datetime({ offset: true }),
  data: z.object({
    email_id: plainId,
    tags: optional(z.object({ [ID_TAG]: plainId })),
    bounce: z.optional(z.object({ type: z.optional(z.string()), message: text })),
    failed: optional(z.object({ reason: text })),
    suppressed: optional(z.object({ message: text })),
  }),
});

/**
 * Checks the signature of a request of Resend and reads its event. Null for an event that says nothing
 * about delivery. @throws if the signature is wrong, or older than five minutes
 */
export function readResendEvent(
  resend: Resend,
  webhookSecret: string,
  payload: string,
  header: (name: string) => string | undefined,
): DeliveryEvent | null {
  const verified = resend.webhooks.verify({
    payload,
    headers: {
      id: header('svix-id') ?? '',
      timestamp: header('svix-timestamp') ?? '',
      signature: header('svix-signature') ?? '',
    },
    webhookSecret,
  });
  const parsed = eventSchema.safeParse(verified);
  if (!parsed.success) return null;
  const { type, created_at, data } = parsed.data;
  const outcome = outcomeOf(type, data.bounce?.type);
  if (!outcome) return null;
  const { email_id: providerId, tags, bounce, failed, suppressed } = data;
  const reason = bounce?.message ?? failed?.reason ?? suppressed?.message;
  const isSuppressed = type === 'email.suppressed';
  const at = new Date(created_at);
  return { providerId, sendingId: tags?.[ID_TAG], outcome, isSuppressed, at, reason };
}

function outcomeOf(type: string, bounce?: string): DeliveryEvent['outcome'] | null {
  switch (type) {
    case 'email.delivered':
      return 'delivered';
    case 'email.complained':
      return 'complained';
    case 'email.bounced':
      // A full mailbox, a server that is away for long or "Undetermined" says nothing about the address.
      return bounce === undefined || bounce === 'Permanent' ? 'bounced' : 'failed';
    // They do not even try an address that has bounced or complained before.
    case 'email.suppressed':
      return 'bounced';
    case 'email.failed':
      return 'failed';
    default:
      return null;
  }
}
