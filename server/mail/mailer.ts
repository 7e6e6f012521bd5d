export interface Mail {
  /** Stable over retries: a provider that knows it sends the mail once. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The one link in it, for the log of a server without a mail provider; never logged otherwise. */
  link?: string;
}

/** Hands a mail to a provider. Resolves when the provider has taken it. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
