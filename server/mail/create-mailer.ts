import type { Deps } from '../deps.ts';
import { createBounceReader } from './bounce-mailbox.ts';
import type { Mailer } from './mailer.ts';
import { createOutboxFolder, outboxPath } from './outbox-folder.ts';
import { createResendMailer } from './resend.ts';
import { createSmtpMailer } from './smtp.ts';

/** The mailer the configuration asks for; without a provider, the folder `outbox` in the data directory. */
export function createMailer({ config, log }: Pick<Deps, 'config' | 'log'>): Mailer {
  const sender = { from: config.mailFrom, host: new URL(config.appUrl).hostname };
  const folder = createOutboxFolder({ folder: outboxPath(config.dataDir), sender, log });
  // The folder may hold emails from before there was a provider. They are still to be removed.
  const { removeOld, removeTo } = folder;
  switch (config.mail.provider) {
    case 'resend': {
      const resend = createResendMailer({ ...config.mail, sender });
      return { ...resend, removeOld, removeTo };
    }
    case 'smtp': {
      const { url, bounceMailbox } = config.mail;
      const readBounces = bounceMailbox && createBounceReader({ url: bounceMailbox });
      return {
        ...createSmtpMailer({ url, sender }),
        ...(readBounces && { readBounces }),
        removeOld,
        removeTo,
      };
    }
    case 'folder':
      return folder;
  }
}
