export interface Mail {
  /** Of its sending: names it to providers and in reports. The same for all attempts. */
  id: string;
  /** What it is, such as `password-reset`; for file names and logs. */
  kind: string;
  queuedAt: Date;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where mail programs turn such emails off by one request; absent where that makes no sense. */
  turnOffUrl?: string | undefined;
  /** The one link in it, for the log of a server without a mail provider; never logged otherwise. */
  link: string;
}

/** How emails are handed to a provider. */
export interface SendOptions {
  /** The provider's idempotency key: what it has taken under this key, it takes only once. */
  key: string;
  /**
   * Waited for before the provider has anything that it could accept: until then, a crash leaves
   * nothing unknown. Nothing is sent if it rejects.
   */
  begin: () => Promise<void>;
}

/** What the provider calls an email when it tells what became of it. Null if it never tells. */
export type ProviderId = string | null;

/** What became of an email that the provider has taken. */
export interface DeliveryEvent {
  providerId: string;
  /** `Mail.id`, where the provider repeats it. */
  sendingId?: string | undefined;
  outcome: 'delivered' | 'failed' | 'bounced' | 'complained';
  /** Not even tried, because of what an earlier email to that address came to. */
  isSuppressed?: boolean;
  /** When it happened. */
  at: Date;
  /** What the other server answered, or the provider says, if it did not arrive. */
  reason?: string | undefined;
}

/** Where the reader of a bounce mailbox brings what it finds, and remembers how far it is. */
export interface BounceInbox {
  /** Takes a report. @returns whether it is about an email of ours */
  take(event: DeliveryEvent): Promise<boolean>;
  /** What `setReadTo` was given last, by any process; null at first. */
  readTo(): Promise<string | null>;
  setReadTo(place: string): Promise<void>;
}

/**
 * Hands emails to a provider. Resolves when the provider has accepted all of them, and rejects within
 * about a minute otherwise.
 * @throws MailRefusedError when trying again cannot help.
 * @throws OutcomeUnknownError when the provider may have taken it.
 * @throws EmailDeferredError when only this email has to wait.
 * @throws MailDeferredError when the provider asks for a slower pace.
 * Any other error is worth another attempt later.
 */
export interface Mailer {
  /** So many emails go by one call. */
  batchMax: number;
  /**
   * How long the provider knows the key of an email it has taken, in milliseconds: so long it takes
   * it once, however often it is sent. Absent where it knows no keys.
   */
  keyKnownMs?: number;
  /**
   * Reads what the provider tells about emails it has taken. Null for what says nothing about
   * delivery. Absent where it tells nothing. @throws if the request is not the provider's, or is old
   */
  readEvent?(body: string, header: (name: string) => string | undefined): DeliveryEvent | null;
  /** Reads what came back to a mailbox of ours. Absent where there is no such mailbox. */
  readBounces?(inbox: BounceInbox, signal: AbortSignal): Promise<void>;
  /** Sends up to `batchMax` emails: all of them, or none. */
  send(mails: Mail[], options: SendOptions): Promise<ProviderId[]>;
  /** Ends connections that wait for another email, so that a command can end. Absent if there are none. */
  close?(): void;
  /** Removes stored copies of this age. Absent if the mailer stores none. */
  removeOld?(olderThanMs: number): Promise<void>;
  /** Removes stored copies of the emails to this address. Absent if the mailer stores none. */
  removeTo?(address: string): Promise<void>;
}

/** The provider will never accept this email, for instance because there is no such mailbox. */
export class MailRefusedError extends Error {}

/** There is no such mailbox, or it takes no email for good. */
export class MailboxRefusedError extends MailRefusedError {}

/** The provider is there, and doesn't take this email for now. */
export class EmailDeferredError extends Error {}

/** The answer was lost: nobody knows whether the provider has taken the email. */
export class OutcomeUnknownError extends Error {}

/** The provider wants the email later. */
export class MailDeferredError extends Error {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

const REASON_MAX = 500;

/** What a provider says, as one line that can be stored and printed. */
export function asReason(text: string): string {
  const line = text.replace(/[\s\p{C}]+/gu, ' ').trim();
  return line.slice(0, REASON_MAX);
}
