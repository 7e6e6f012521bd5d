import type { Mail, Mailer } from '../../server/mail/mailer.ts';

export interface MemoryMailer extends Mailer {
  /** Everything taken so far, in order. */
  readonly sent: Mail[];
  /** Makes the next `times` mails fail with `error`. */
  failNext(times: number, error?: Error): void;
  clear(): void;
}

/** Keeps mail in memory, for tests. */
export function createMemoryMailer(): MemoryMailer {
  const sent: Mail[] = [];
  let failures: Error[] = [];
  return {
    batchMax: 1,
    sent,
    async send(mails, { begin }) {
      await begin();
      const failure = failures.shift();
      if (failure) throw failure;
      sent.push(...mails);
      return mails.map(() => null);
    },
    failNext(times, error = new Error('The provider is away.')) {
      failures = Array.from({ length: times }, () => error);
    },
    clear() {
      sent.length = 0;
      failures = [];
    },
  };
}
