export interface Mail {
  /** The row it is made from; the same over all attempts. */
  id: string;
  /** What it is, such as `password-reset`; for file names and logs. */
  kind: string;
  queuedAt: Date;
  /**
   * What a provider may know it by. Stable over attempts where the text is, so that a mail
   * whose answer was lost is not sent twice; new with each attempt where the text carries a
   * new token, or a mailbox would keep the first copy with its dead link.
   */
  idempotencyKey: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The one link in it, for the log of a server without a mail provider; never logged otherwise. */
  link: string;
}

/**
 * Hands a mail to a provider. Resolves when the provider has taken it and rejects, within a
 * minute or so, when it has not.
 * @throws MailRefusedError when trying again cannot help.
 * @throws MailDeferredError when the provider asks for a slower pace.
 * Any other error is worth another attempt later.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  /** Removes what it keeps itself of mails that are so old; absent where it keeps nothing. */
  removeOld?(olderThanMs: number): Promise<void>;
}

/** This mail will never be taken: no such mailbox, an address that cannot be. */
export class MailRefusedError extends Error {}

/** Nothing is wrong with the mail; the provider wants to be asked again later. */
export class MailDeferredError extends Error {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}
