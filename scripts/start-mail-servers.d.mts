export interface MailServers {
  smtpUrl: string;
  /** The mailbox to which `capsules@box.test` leads. */
  mailboxUrl: string;
  close(): Promise<void>;
}

export function startMailServers(options: { nextPort: number }): Promise<MailServers>;
