import { type ErrorResponse, Resend } from 'resend';
import { HOUR_MS } from '../../shared/limits.ts';
import {
  type Mail,
  MailDeferredError,
  type Mailer,
  MailRefusedError,
  OutcomeUnknownError,
} from './mailer.ts';
import { headersOf, type Sender } from './message.ts';
import { ID_TAG, readResendEvent } from './resend-events.ts';

/** What it takes by one call. */
const BATCH_MAX = 100;
const TIMEOUT_MS = 30_000;
const RETRY_AFTER_DEFAULT_MS = 1_000;
/** It knows keys for a day; an hour less, for clocks that differ and calls that last. */
const KEY_KNOWN_MS = 23 * HOUR_MS;
/** Bad gateway, gateway timeout. */
const GATEWAY_STATUSES = [502, 504];
/** A used-up quota comes back with a new day or month; asking every hour is enough. */
const QUOTA_RETRY_MS = HOUR_MS;

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
  const resend = new ResendClient(apiKey, baseUrl ? { baseUrl } : {});
  return {
    keyKnownMs: KEY_KNOWN_MS,
    ...(webhookSecret && {
      readEvent: (body, header) => readResendEvent(resend, webhookSecret, body, header),
    }),
    batchMax: BATCH_MAX,
    async send(mails, { key, begin }) {
      await begin();
      const { data, error, headers } = await resend.batch.send(
        mails.map((mail) => bodyOf(mail, sender)),
        {
          idempotencyKey: key,
          batchValidation: 'strict',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        },
      );
      if (error) throwUnlessTaken(error, headers ?? {});
      return mails.map(({ id }, index) => data?.data[index]?.id ?? id);
    },
  };
}

type Answer<T> = ({ data: T; error: null } | { data: null; error: ErrorResponse }) & {
  headers: Record<string, string>;
};

/** The SDK says of no failed call whether it was ever connected. This says it by its error. */
class ResendClient extends Resend {
  override async fetchRequest<T>(path: string, options: RequestInit = {}): Promise<Answer<T>> {
    try {
      const response = await fetch(`${this.baseUrl}${path}`, options);
      const headers = Object.fromEntries(response.headers.entries());
      const text = await response.text();
      if (response.ok) return { data: JSON.parse(text), error: null, headers };
      return { data: null, error: errorOf(response, text), headers };
    } catch (error) {
      if (isUnconnected(error)) throw error;
      throw new OutcomeUnknownError(`The answer of Resend was lost: ${error}`, { cause: error });
    }
  }
}

function errorOf({ status }: Response, text: string): ErrorResponse {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy on the way answers otherwise.
    return { name: 'application_error', message: text.slice(0, 200), statusCode: status };
  }
}

/** No connection came about, so that nothing was sent. Of a host with several addresses, each is tried. */
function isUnconnected(error: unknown): boolean {
  const { cause } = error as Error;
  return (cause instanceof AggregateError ? cause.errors : [cause]).every(isOfConnecting);
}

function isOfConnecting(cause: unknown): boolean {
  const { code = '', syscall } = (cause ?? {}) as NodeJS.ErrnoException;
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  return /^(ECONNREFUSED|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(
    code,
  );
}

function bodyOf(mail: Mail, { from }: Sender) {
  const { id, to, subject, text, html } = mail;
  // Its events repeat the tag, also for an email whose answer, with its id, was lost.
  const tags = [{ name: ID_TAG, value: id }];
  return { from, to: [to], subject, text, html, headers: headersOf(mail), tags };
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
      // A gateway that waited in vain does not know whether the call was taken. Whoever says that
      // they failed has not taken it, or a failure of days would end in silence.
      if (GATEWAY_STATUSES.includes(Number(error.statusCode)))
        throw new OutcomeUnknownError(reason);
      throw new Error(reason);
  }
}

function retryAfter(headers: Record<string, string>): number {
  const seconds = Number(headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : RETRY_AFTER_DEFAULT_MS;
}
