import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { GO_ON, type Person, START, sharedMailWorld } from '../../tests/support/mail-world.ts';
import { until } from '../../tests/support/until.ts';
import { removeUser } from '../db/accounts/account-deletion.ts';
import { sendings, users } from '../db/schema.ts';
import { receiveDelivery } from '../domain/emails/delivery.ts';
import { ATTEMPTS_MAX } from '../domain/emails/next-attempt.ts';
import { queueEmails, queueWaitingNotices } from '../domain/emails/queue.ts';
import {
  type Mail,
  MailboxRefusedError,
  type Mailer,
  MailRefusedError,
  OutcomeUnknownError,
} from '../mail/mailer.ts';
import { sendDueEmails } from './send-emails.ts';
import { queueYearlyEmails } from './yearly-emails.ts';

const MINUTE_MS = 60_000;
const NEW = 'ada.new@example.com';
const SECOND = 'ada.second@example.com';

const { database, world } = sharedMailWorld();
let ada: Person;
beforeEach(async () => {
  ada = await world.addPerson('Ada');
});

const set = (change: Partial<typeof users.$inferInsert>) =>
  database.db.update(users).set(change).where(eq(users.id, ada.id));
const adaRow = async () => (await database.db.select().from(users).where(eq(users.id, ada.id)))[0];

const take = (mails: Mail[]) => world.deps.mailer.send(mails, { key: '', begin: async () => {} });

/** As Resend does, it knows keys for a day, and calls emails something. */
let mailer: Mailer & { losesNext?: boolean; keys: Set<string> };
beforeEach(() => {
  const keys = new Set<string>();
  mailer = {
    keys,
    batchMax: 1,
    keyKnownMs: 24 * 60 * MINUTE_MS,
    async send(mails, { key, begin }) {
      await begin();
      if (!keys.has(key)) await take(mails);
      keys.add(key);
      const isLost = mailer.losesNext;
      mailer.losesNext = false;
      if (isLost) throw new OutcomeUnknownError('It was lost.');
      return [`taken ${key}`];
    },
  };
});
const pass = (by: Mailer = mailer) => sendDueEmails({ ...world.deps, mailer: by }, GO_ON);
const told = () => world.deps.mailer.sent.map(({ to }) => to);

async function queueNotice(person = ada) {
  const unlockAt = new Date('2050-01-01T00:00:00Z');
  const capsule = await world.addCapsule(person, [person], { unlockAt });
  await queueWaitingNotices(database.db, world.deps, capsule, [person]);
}

describe('a notice', () => {
  it('goes to the address its person has by then [32.addresses.4]', async () => {
    await queueNotice();
    await set({ email: NEW });
    await pass();
    expect(told()).toEqual([NEW]);
    expect(await world.sendings()).toMatchObject([{ outcome: 'sent', address: NEW }]);
  });

  it('goes to the second address while emails to the main one come back [32.addresses.4]', async () => {
    await set({ secondEmail: SECOND, emailBouncedAt: START });
    await queueNotice();
    await pass();
    await set({ emailBouncedAt: null });
    await queueNotice();
    await pass();
    expect(told()).toEqual([SECOND, ada.email]);
  });

  it('goes to the main address where there is no other', async () => {
    await set({ emailBouncedAt: START });
    await queueNotice();
    await pass();
    expect(told()).toEqual([ada.email]);
  });

  it('that may have arrived stays with its address, as long as its key is known', async () => {
    await queueNotice();
    mailer.losesNext = true;
    await pass();
    await set({ email: NEW });
    world.advance(MINUTE_MS);
    await pass();
    expect(told()).toEqual([ada.email]);
    expect(await world.sendings()).toMatchObject([{ outcome: 'sent', address: ada.email }]);
  });

  it('that has not arrived follows its person at the next attempt', async () => {
    await queueNotice();
    const away: Mailer = { ...mailer, send: () => Promise.reject(new Error('Nobody is there.')) };
    await pass(away);
    await set({ email: NEW });
    world.advance(MINUTE_MS);
    await pass();
    expect(told()).toEqual([NEW]);
  });
});

it('a warning stays with the address it is for: every address has its own', async () => {
  await set({ secondEmail: SECOND, emailBouncedAt: START });
  for (const email of [ada.email, SECOND]) {
    await queueEmails(database.db, world.deps, 'password-changed', [{ id: ada.id, email }]);
  }
  await pass();
  expect(told().sort()).toEqual([ada.email, SECOND].sort());
  await queueEmails(database.db, world.deps, 'password-changed', [ada]);
  await set({ email: NEW });
  await pass();
  expect(told().at(-1)).toBe(ada.email);
});

it('what was asked for by an address goes there', async () => {
  await set({ secondEmail: SECOND, emailBouncedAt: START });
  await queueEmails(database.db, world.deps, 'verify-email', [ada]);
  await queueEmails(database.db, world.deps, 'password-reset', [
    { id: null, email: ada.email, requestedBy: 'home' },
  ]);
  await pass();
  expect(told()).toEqual([ada.email, ada.email]);
});

it('an account takes no email of another whose second address it has', async () => {
  const bob = await world.addPerson('Bob', { secondEmail: ada.email, emailBouncedAt: START });
  await queueNotice(bob);
  await pass();
  await database.db.transaction((tx) => removeUser(tx, ada));
  expect(await world.sendings()).toMatchObject([{ email: { userId: bob.id }, address: ada.email }]);
});

describe('an email that comes back', () => {
  const refusing = (error: Error, by = [ada.email]): Mailer => ({
    batchMax: 1,
    send: (mails, call) =>
      mails.some(({ to }) => by.includes(to)) ? Promise.reject(error) : mailer.send(mails, call),
  });
  const gone = new MailboxRefusedError('550 5.1.1 no such mailbox');

  it('goes once more, to the second address, under another key', async () => {
    await set({ secondEmail: SECOND });
    await queueNotice();
    await pass(refusing(gone));
    expect(told()).toEqual([SECOND]);
    const [first, second] = await world.sendings();
    expect(first).toMatchObject({ outcome: 'bounced', address: null, sentAt: null });
    expect(second).toMatchObject({ outcome: 'sent', address: SECOND, cause: 'second-address' });
    expect([...mailer.keys]).toEqual([second?.id]);
    expect(await adaRow()).toMatchObject({ emailBouncedAt: START });
  });

  it('is given up and noted with its person in one step, or not at all', async () => {
    await set({ secondEmail: SECOND });
    await queueNotice();
    // The process dies before it has noted the bounce.
    await database.sql`alter table users add constraint dies check (email_bounced_at is null)`;
    await expect(pass(refusing(gone))).rejects.toThrow();
    await database.sql`alter table users drop constraint dies`;
    expect(await world.sendings()).toMatchObject([{ outcome: null }]);
    world.advance(10 * MINUTE_MS);
    await pass(refusing(gone));
    expect(told()).toEqual([SECOND]);
  });

  it('stays where it is when it comes back from both', async () => {
    await set({ secondEmail: SECOND });
    await queueNotice();
    for (let times = 0; times < 4; times += 1) {
      await pass(refusing(gone, [ada.email, SECOND]));
      world.advance(60 * MINUTE_MS);
    }
    expect(await world.sendings()).toMatchObject([
      { outcome: 'bounced', slot: 'main' },
      { outcome: 'bounced', slot: 'second' },
    ]);
  });

  it('is only noted where there is no second address', async () => {
    await queueNotice();
    await pass(refusing(gone));
    expect(await world.sendings()).toMatchObject([{ outcome: 'bounced' }]);
    expect(await adaRow()).toMatchObject({ emailBouncedAt: START });
  });

  it('says nothing about an address the person has left', async () => {
    await set({ secondEmail: SECOND });
    await queueEmails(database.db, world.deps, 'password-changed', [ada]);
    await set({ email: NEW });
    await pass(refusing(gone));
    expect(await adaRow()).toMatchObject({ emailBouncedAt: null });
    expect(await world.sendings()).toMatchObject([{ outcome: 'bounced' }]);
  });

  it('for a full mailbox says nothing about the address, and goes on all the same', async () => {
    await set({ secondEmail: SECOND });
    await queueNotice();
    await pass(refusing(new MailRefusedError('552 5.2.2 mailbox full')));
    expect(told()).toEqual([SECOND]);
    expect(await adaRow()).toMatchObject({ emailBouncedAt: null });
  });

  it('goes on after thirty days without a clear answer, but not where it may have arrived', async () => {
    await set({ secondEmail: SECOND });
    for (let count = 0; count < 3; count += 1) await queueNotice();
    const [known, unknown, earlier] = await world.sendings();
    await database.db.update(sendings).set({ attempts: ATTEMPTS_MAX - 1 });
    const isEarlier = eq(sendings.id, earlier?.id ?? '');
    await database.db.update(sendings).set({ begunAt: START, address: ada.email }).where(isEarlier);
    const by: Mailer = {
      ...mailer,
      async send(mails, call) {
        const [mail] = mails;
        if (mail?.to === SECOND) return mailer.send(mails, call);
        await call.begin();
        if (mail?.id === unknown?.id) throw new OutcomeUnknownError('It was lost.');
        throw new Error('550 Access denied');
      },
    };
    await pass(by);
    await pass(by);
    expect(told()).toEqual([SECOND]);
    const outcomesOf = async (sending: typeof known) =>
      (await world.sendings())
        .filter(({ emailId }) => emailId === sending?.emailId)
        .map(({ slot, outcome }) => `${slot} ${outcome}`);
    expect(await outcomesOf(known)).toEqual(['main failed', 'second sent']);
    expect(await outcomesOf(unknown)).toEqual(['main unknown']);
    expect(await outcomesOf(earlier)).toEqual(['main unknown']);
  });

  it('asks the second address at once whether the main one still works, and not a second time', async () => {
    await set({
      secondEmail: SECOND,
      addressAskedAt: new Date(START.getTime() - 366 * 86_400_000),
    });
    await world.addCapsule(ada, [ada], { unlockAt: new Date('2032-01-01T00:00:00Z') });
    await queueYearlyEmails(world.deps, GO_ON);
    await pass(refusing(new MailRefusedError('552 5.2.2 mailbox full')));
    world.advance(31 * 24 * 60 * MINUTE_MS);
    await pass();
    expect(told()).toEqual([SECOND]);
  });

  it('is forgotten when a later one arrives', async () => {
    await queueNotice();
    await pass(refusing(gone));
    await queueNotice();
    await pass();
    const providerId = `taken ${[...mailer.keys].at(-1)}`;
    const arrived = (at: Date) =>
      receiveDelivery(world.deps, { providerId, outcome: 'delivered', at });
    await arrived(new Date(START.getTime() - 1));
    expect(await adaRow()).toMatchObject({ emailBouncedAt: START });
    await arrived(new Date(START.getTime() + 1));
    expect(await adaRow()).toMatchObject({ emailBouncedAt: null });
  });
});

describe('an email of which nobody knows whether it has arrived', () => {
  const silent: Mailer = {
    batchMax: 1,
    async send(mails, call) {
      await world.deps.mailer.send(mails, call);
      throw new OutcomeUnknownError('It was lost.');
    },
  };
  const later = () => world.advance(12 * 60 * MINUTE_MS);

  it('is sent once more to a provider that knows no keys, and then no more', async () => {
    await queueNotice();
    for (let times = 0; times < 5; times += 1) {
      await pass(silent);
      later();
    }
    expect(told()).toHaveLength(2);
    expect(await world.sendings()).toMatchObject([{ isSecondTry: true, outcome: 'unknown' }]);
  });

  it('is sent once more if the process died during the attempt', async () => {
    await queueNotice();
    let begun = false;
    const dying: Mailer = {
      batchMax: 1,
      async send(_mails, { begin }) {
        await begin();
        begun = true;
        return new Promise(() => {});
      },
    };
    for (const isSecondTry of [false, true]) {
      void pass(dying);
      await until(() => (begun ? true : null));
      begun = false;
      expect(await world.sendings()).toMatchObject([{ isSecondTry, outcome: null }]);
      world.advance(10 * MINUTE_MS);
    }
    await pass(dying);
    expect(await world.sendings()).toMatchObject([{ outcome: 'unknown' }]);
  });

  it('is not one whose process died before the provider could have it', async () => {
    await queueNotice();
    let connects = 0;
    const dying: Mailer = {
      batchMax: 1,
      send() {
        connects += 1;
        return new Promise(() => {});
      },
    };
    for (let deaths = 1; deaths <= 4; deaths += 1) {
      void pass(dying);
      await until(() => (connects === deaths ? true : null));
      world.advance(10 * MINUTE_MS);
    }
    await pass(mailer);
    expect(await world.sendings()).toMatchObject([{ outcome: 'sent', cause: 'first' }]);
    expect(told()).toEqual([ada.email]);
  });

  it('has its one repeat still before it if the provider was only away', async () => {
    await queueNotice();
    const away: Mailer = { batchMax: 1, send: () => Promise.reject(new Error('Nobody is there.')) };
    for (let times = 0; times < 20; times += 1) {
      await pass(away);
      later();
    }
    await pass(silent);
    for (let times = 0; times < 20; times += 1) {
      later();
      await pass(away);
    }
    later();
    await pass(mailer);
    expect(await world.sendings()).toMatchObject([{ isSecondTry: true, outcome: 'sent' }]);
    expect(told()).toHaveLength(2);
  });

  it('is tried under its key as long as that is known, and once more after that', async () => {
    await queueNotice();
    const lossy: Mailer = { ...silent, keyKnownMs: 24 * 60 * MINUTE_MS };
    const attempts: number[] = [];
    for (let hours = 0; hours < 30 * 24; hours += 6) {
      const before = told().length;
      await pass(lossy);
      if (told().length > before) attempts.push(hours);
      world.advance(6 * 60 * MINUTE_MS);
    }
    // Two days: the first under a key that is known, the second after the one repeat.
    expect(attempts.at(0)).toBe(0);
    expect(Math.max(...attempts)).toBeLessThan(48);
    expect(Math.max(...attempts)).toBeGreaterThanOrEqual(36);
    expect(await world.sendings()).toMatchObject([{ isSecondTry: true, outcome: 'unknown' }]);
  });

  it.each([
    ['stays under the key that the provider knows', 'sent'],
    ['ends where no key is known', 'unknown'],
  ])('is a second try of before 1.0.0: it %s', async (_, outcome) => {
    await queueNotice();
    const by = outcome === 'sent' ? mailer : silent;
    mailer.losesNext = true;
    await pass(by);
    await database.db.update(sendings).set({ cause: 'unanswered', isSecondTry: true });
    later();
    await pass(by);
    expect(told()).toHaveLength(1);
    expect(await world.sendings()).toMatchObject([{ outcome }]);
  });

  it('has a link: it is sent once more, though its key is new each time', async () => {
    const lossy: Mailer = { ...silent, keyKnownMs: 24 * 60 * MINUTE_MS };
    await queueEmails(database.db, world.deps, 'verify-email', [ada]);
    for (let times = 0; times < 5; times += 1) {
      await pass(lossy);
      world.advance(60 * MINUTE_MS);
    }
    expect(told()).toHaveLength(2);
    expect(await world.sendings()).toMatchObject([{ isSecondTry: true, outcome: 'unknown' }]);
  });
});
