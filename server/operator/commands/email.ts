import { Resolver } from 'node:dns/promises';
import type { Config } from '../../config.ts';
import { createLog } from '../../log.ts';
import { checkDomain } from '../../mail/check-domain.ts';
import { createMailer } from '../../mail/create-mailer.ts';
import { domainOf } from '../../mail/message.ts';
import { writeInNameOf } from '../../mail/templates/layout.ts';
import { testMail } from '../../mail/templates/test-mail.ts';
import { StartError } from '../../start-error.ts';
import { addressOf, type Commands, operatorDeps } from './command.ts';

/** The names of DKIM keys that providers use most; Resend's is the first. */
const SELECTORS = ['resend', 'default', 'mail', 'dkim', 's1', 's2', 'k1', 'selector1', 'selector2'];

/** What to look at when an email can't be handed over. */
const LOOK_AT = {
  smtp: 'Are SMTP_URL and MAIL_FROM right, and does that server answer this machine?',
  resend: 'Are RESEND_API_KEY and MAIL_FROM right, and can this machine reach Resend?',
  folder: 'May this user write to DATA_DIR?',
};

/** Tries the email provider, and looks at its domain. */
export const emailCommands: Commands = {
  'email-test': {
    takes: '<address>',
    does: "Sends a test email with the server's settings.",
    async run({ config, what }) {
      const to = addressOf(what);
      writeInNameOf(config.siteName);
      const id = operatorDeps.ids.uuid();
      const mail = { id, kind: 'test', queuedAt: operatorDeps.clock.now(), to };
      const mailer = createMailer({ config, log: createLog('silent') });
      const { provider } = config.mail;
      const test = { ...mail, ...testMail({ url: config.appUrl }) };
      const sent = mailer.send([test], { key: id, begin: async () => {} });
      await sent.finally(mailer.close).catch((cause: Error) => {
        throw new StartError(
          `The test was not sent: ${cause.message}. ${LOOK_AT[provider]} Emails that people wait for stay queued, and are tried again for thirty days.`,
          { cause },
        );
      });
      // By the variables of this shell, which need not be those of the server.
      const now = provider === 'folder' ? 'saved as a file, not sent' : 'accepted by the provider';
      return { rows: [{ to, through: provider, now }] };
    },
  },
  'email-domain': {
    takes: '[domain]',
    does: 'Checks SPF, DKIM and DMARC of a domain, by default that of MAIL_FROM. Options: --selector <name>, --return-path <domain>, --dns <server>.',
    async run({ config, what, options }) {
      const domain = what || domainOf(config.mailFrom);
      const resolver = new Resolver({ timeout: 5_000, tries: 2 });
      if (options.dns) resolver.setServers([options.dns]);
      const checks = await checkDomain(resolver, domain, {
        returnPaths: returnPathsOf(config, domain, options['return-path']),
        selectors: options.selector ?? SELECTORS,
      });
      const rows = checks.map(({ what: record, ok, says }) => ({
        record,
        state: ok ? 'good' : 'missing',
        says,
      }));
      return { rows, ok: checks.every(({ ok }) => ok) };
    },
  },
};

/** Where bounces go. Resend takes them at a domain below the sender's, by default this one. */
function returnPathsOf({ mail }: Config, domain: string, said?: string): [string, ...string[]] {
  if (said) return [said];
  return mail.provider === 'resend' ? [`send.${domain}`, domain] : [domain];
}
