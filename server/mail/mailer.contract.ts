import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Mail,
  type Mailer,
  MailRefusedError,
  OutcomeUnknownError,
  type ProviderId,
  type SendOptions,
} from './mailer.ts';

/** A mail as its provider got it. */
export interface ReceivedMail {
  /** What the provider tells mails apart by. */
  key: string;
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  /** Where one request turns such emails off (RFC 8058); null where its two headers are not both there. */
  turnOffUrl: string | null;
}

/** What mail programs read from the headers of an email. @param header of this name, in small letters */
export function turnOffUrlIn(header: (name: string) => string | undefined): string | null {
  const [, url = null] = /^<(.*)>$/.exec(header('list-unsubscribe') ?? '') ?? [];
  return header('list-unsubscribe-post') === 'List-Unsubscribe=One-Click' ? url : null;
}

/** A driver together with a real provider on this machine. */
export interface MailerHarness {
  mailer: Mailer;
  sender: string;
  received(): Promise<ReceivedMail[]>;
  /** The provider turns mail away for now, like one that is overloaded. */
  failForNow(): Promise<void>;
  /** The provider says no such mailbox. Left out where nobody looks at the address. */
  refuse?: () => Promise<void>;
  close(): Promise<void>;
}

export function testMail(change: Partial<Mail> = {}): Mail {
  return {
    id: '0b9f1f7e-53ad-4d0a-9f5c-6d4f8a3b2c1d',
    kind: 'capsule-waiting',
    queuedAt: new Date('2026-11-20T19:58:30.123Z'),
    to: 'ada@example.com',
    subject: 'Zoë, “eine Kapsel” 🎉 wartet',
    // A lone dot, a From line and a very long line: what mail transports trip over.
    text: `Hallo Ada\n\n.\nFrom here on\nhttps://capsule.example/?x=${'y'.repeat(1_200)}\n`,
    html: `<!doctype html><p title="a=b">Größe &amp; ${'z'.repeat(1_200)}</p>\n`,
    link: 'https://capsule.example/dashboard',
    ...change,
  };
}

/** Sends one email, under its own id as the key unless `options` say otherwise. */
export async function sendOne(
  { send }: Pick<Mailer, 'send'>,
  mail = testMail(),
  options: Partial<SendOptions> = {},
): Promise<ProviderId | undefined> {
  const [providerId] = await send([mail], { key: mail.id, begin: async () => {}, ...options });
  return providerId;
}

/** What every driver promises. */
export function describeMailer(
  name: string,
  start: () => Promise<MailerHarness>,
  { canRefuse = true } = {},
): void {
  describe(name, () => {
    let harness: MailerHarness;
    beforeEach(async () => {
      harness = await start();
    });
    afterEach(() => harness.close());

    it('waits for word that the attempt is noted, and hands over nothing without it', async () => {
      const begin = () => Promise.reject(new Error('The database is away.'));
      const failure = await failureOf(sendOne(harness.mailer, testMail(), { begin }));
      expect(failure.message).toContain('The database is away.');
      expect(failure).not.toBeInstanceOf(MailRefusedError);
      expect(failure).not.toBeInstanceOf(OutcomeUnknownError);
      expect(await harness.received()).toEqual([]);
    });

    it('hands over every character', async () => {
      const mail = testMail();
      await sendOne(harness.mailer, mail);
      const [received, ...more] = await harness.received();
      expect(more).toEqual([]);
      expect(received).toMatchObject({ to: mail.to, from: harness.sender, subject: mail.subject });
      expect(plain(received?.text)).toBe(plain(mail.text));
      expect(plain(received?.html)).toBe(plain(mail.html));
    });

    it('lets mail programs turn such emails off by one request, and only such', async () => {
      const turnOffUrl = 'https://capsule.example/notices/off?token=abc';
      await sendOne(harness.mailer, testMail({ turnOffUrl }));
      await sendOne(harness.mailer, testMail({ id: 'other' }));
      const received = await harness.received();
      expect(received.map((mail) => mail.turnOffUrl).sort()).toEqual([turnOffUrl, null].sort());
    });

    it('tells the provider that a second attempt is the same mail', async () => {
      await sendOne(harness.mailer);
      await sendOne(harness.mailer);
      await sendOne(harness.mailer, testMail({ id: 'other' }));
      const keys = new Set((await harness.received()).map(({ key }) => key));
      expect(keys.size).toBe(2);
    });

    it('rejects a mail that was not taken, so that it is tried again', async () => {
      await harness.failForNow();
      const failure = await failureOf(sendOne(harness.mailer));
      expect(failure).not.toBeInstanceOf(MailRefusedError);
      expect(await harness.received()).toEqual([]);
    });

    if (!canRefuse) return;
    it('says when trying again cannot help', async () => {
      await harness.refuse?.();
      expect(await failureOf(sendOne(harness.mailer))).toBeInstanceOf(MailRefusedError);
      expect(await harness.received()).toEqual([]);
    });
  });
}

export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  const failure = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (failure instanceof Error) return failure;
  throw new Error('It did not fail.');
}

/** Mail has its own line ends. */
function plain(text = ''): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}
