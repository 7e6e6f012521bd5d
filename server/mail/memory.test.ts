import { createMemoryMailer } from '../../tests/support/memory-mailer.ts';
import { describeMailer } from './mailer.contract.ts';
import { MailRefusedError } from './mailer.ts';

describeMailer('memory', async () => {
  const mailer = createMemoryMailer();
  return {
    mailer,
    sender: 'nobody',
    received: async () =>
      mailer.sent.map(({ turnOffUrl = null, ...mail }) => ({
        ...mail,
        turnOffUrl,
        key: mail.id,
        from: 'nobody',
      })),
    failForNow: async () => mailer.failNext(1),
    refuse: async () => mailer.failNext(1, new MailRefusedError('No such mailbox.')),
    close: async () => mailer.clear(),
  };
});
