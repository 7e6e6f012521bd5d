import { join } from 'node:path';
import type { Deps } from '../deps.ts';
import type { Mailer } from './mailer.ts';
import { createOutboxFolder } from './outbox-folder.ts';
import { createResendMailer } from './resend.ts';
import { createSmtpMailer } from './smtp.ts';

/** The mailer the configuration asks for; without a provider, the folder `outbox` in the data directory. */
export function createMailer({ config, log }: Pick<Deps, 'config' | 'log'>): Mailer {
  const sender = { from: config.mailFrom, host: new URL(config.appUrl).hostname };
  switch (config.mail.provider) {
    case 'resend':
      return createResendMailer({
        apiKey: config.mail.apiKey,
        baseUrl: config.mail.baseUrl,
        sender,
      });
    case 'smtp':
      return createSmtpMailer({ url: config.mail.url, sender });
    case 'folder':
      return createOutboxFolder({ folder: join(config.dataDir, 'outbox'), sender, log });
  }
}
