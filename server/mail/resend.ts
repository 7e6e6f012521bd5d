import { type ErrorResponse, Resend } from 'resend';
import { type Mail, MailDeferredError, type Mailer, MailRefusedError } from './mailer.ts';
import { headersOf, type Sender } from './message.ts';
import { readResendEvent } from './resend-events.ts';

const TIMEOUT_MS = 30_000;
const RETRY_AFTER_DEFAULT_MS = 1_000;
/** A used-up quota comes back with a new day or month; asking every hour is enough. */
const QUOTA_RETRY_MS = 3_600_000;

/** Sends through Resend. `baseUrl` null: Resend itself. */
export function createResendMailer(options: {
  apiKey: string;
  baseUrl: string | null;
  /** With which it signs what it tells; null: it tells nothing. */
  webhookSecret?: string | null;
  sender: Sender;
}): Mailer {
  const { apiKey, webhookSecret, sender } = options;
  // The SDK joins by plain concatenation.
  const baseUrl = options.baseUrl?.replace(/\/+$/, '');
  const resend = new Resend(apiKey, baseUrl ? { baseUrl } : {});
  return {
    ...(webhookSecret && {
      readEvent: (body, header) => readResendEvent(resend, webhookSecret, body, header),
    }),
    async send(mail) {
      const { data, error, headers } = await resend.emails.send(bodyOf(mail, sender), {
        idempotencyKey: mail.idempotencyKey,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (error) throwUnlessTaken(error, headers ?? {});
      return data?.id ?? null;
    },
    async sendAll(mails, idempotencyKey) {
      const { data, error, headers } = await resend.batch.send(
        mails.map((mail) => bodyOf(mail, sender)),
        {
          idempotencyKey,
          batchValidation: 'strict',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        },
      );
      if (error) throwUnlessTaken(error, headers ?? {});
      return mails.map((_mail, index) => data?.data[index]?.id ?? null);
    },
  };
}

function bodyOf(mail: Mail, { from }: Sender) {
  const { to, subject, text, html } = mail;
  return { from, to: [to], subject, text, html, headers: headersOf(mail) };
}

function throwUnlessTaken(error: ErrorResponse, headers: Record<string, string>): void {
  const reason = `${error.name}: ${error.message}`;
  switch (error.name) {
    // It has this already, in a slightly different text: the answer of an earlier attempt was
    // lost, and since then a name has changed, or a notice of the batch has no reader any more.
    case 'invalid_idempotent_request':
      return;
    case 'rate_limit_exceeded':
      throw new MailDeferredError(reason, retryAfter(headers));
    case 'daily_quota_exceeded':
    case 'monthly_quota_exceeded':
      throw new MailDeferredError(reason, QUOTA_RETRY_MS);
    // A 403 of the same name is about our own domain, which the operator can still verify.
    case 'validation_error':
    case 'invalid_parameter':
    case 'missing_required_field':
      if (error.statusCode === 400 || error.statusCode === 422) throw new MailRefusedError(reason);
      throw new Error(reason);
    default:
      throw new Error(reason);
  }
}

function retryAfter(headers: Record<string, string>): number {
  const seconds = Number(headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : RETRY_AFTER_DEFAULT_MS;
}
