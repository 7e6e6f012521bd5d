import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { GO_ON, type Person, START, sharedMailWorld } from '../../tests/support/mail-world.ts';
import { until } from '../../tests/support/until.ts';
import { removeUser } from '../db/accounts/account-deletion.ts';
import { mails, users } from '../db/schema.ts';
import { receiveDelivery } from '../domain/emails/delivery.ts';
import { MAIL_ATTEMPTS_MAX } from '../domain/emails/mail-schedule.ts';
import {
  queuePasswordChangedMail,
  queuePasswordResetMail,
  queueVerificationMail,
  queueWaitingNotices,
} from '../domain/emails/notices.ts';
import {
  MailboxRefusedError,
  type Mailer,
  MailRefusedError,
  OutcomeUnknownError,
} from '../mail/mailer.ts';
import { sendDueMail } from './send-mail.ts';
import { queueYearlyMails } from './yearly-mails.ts';

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

/** As Resend does, it knows keys for a day, and calls emails something. */
let mailer: Mailer & { losesNext?: boolean; keys: Set<string> };
beforeEach(() => {
  const keys = new Set<string>();
  mailer = {
    keys,
    keyKnownMs: 24 * 60 * MINUTE_MS,
    async send(mail, begin) {
      await begin?.();
      if (!keys.has(mail.idempotencyKey)) await world.deps.mailer.send(mail);
      keys.add(mail.idempotencyKey);
      const isLost = mailer.losesNext;
      mailer.losesNext = false;
      if (isLost) throw new OutcomeUnknownError('It was lost.');
      return `taken ${mail.idempotencyKey}`;
    },
  };
});
const pass = (by: Mailer = mailer) => sendDueMail({ ...world.deps, mailer: by }, GO_ON);
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
    expect(await world.mailRows()).toMatchObject([{ state: 'sent', toAddress: NEW }]);
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
    expect(await world.mailRows()).toMatchObject([{ state: 'sent', toAddress: ada.email }]);
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
    await queuePasswordChangedMail(database.db, world.deps, { id: ada.id, email });
  }
  await pass();
  expect(told().sort()).toEqual([ada.email, SECOND].sort());
  await queuePasswordChangedMail(database.db, world.deps, ada);
  await set({ email: NEW });
  await pass();
  expect(told().at(-1)).toBe(ada.email);
});

it('what was asked for by an address goes there', async () => {
  await set({ secondEmail: SECOND, emailBouncedAt: START });
  await queueVerificationMail(database.db, world.deps, ada);
  await queuePasswordResetMail(database.db, world.deps, { email: ada.email, requestedBy: 'home' });
  await pass();
  expect(told()).toEqual([ada.email, ada.email]);
});

it('an account takes no email of another whose second address it has', async () => {
  const bob = await world.addPerson('Bob', { secondEmail: ada.email, emailBouncedAt: START });
  await queueNotice(bob);
  await pass();
  await database.db.transaction((tx) => removeUser(tx, ada));
  expect(await world.mailRows()).toMatchObject([{ userId: bob.id, toAddress: ada.email }]);
});

describe('an email that comes back', () => {
  const refusing = (error: Error, by = [ada.email]): Mailer => ({
    send: (mail, begin) =>
      by.includes(mail.to) ? Promise.reject(error) : mailer.send(mail, begin),
  });
  const gone = new MailboxRefusedError('550 5.1.1 no such mailbox');

  it('goes once more, to the second address, under another key', async () => {
    await set({ secondEmail: SECOND });
    await queueNotice();
    await pass(refusing(gone));
    expect(told()).toEqual([SECOND]);
    const [row] = await world.mailRows();
    expect(row).toMatchObject({ state: 'sent', toAddress: SECOND, toSecond: true });
    expect([...mailer.keys]).toEqual([`${row?.id}-second`]);
    expect(await adaRow()).toMatchObject({ emailBouncedAt: START });
  });

  it('is given up and noted with its person in one step, or not at all', async () => {
    await set({ secondEmail: SECOND });
    await queueNotice();
    // The process dies before it has noted the bounce.
    await database.sql`alter table users add constraint dies check (email_bounced_at is null)`;
    await expect(pass(refusing(gone))).rejects.toThrow();
    await database.sql`alter table users drop constraint dies`;
    expect(await world.mailRows()).toMatchObject([{ state: 'queued', delivery: null }]);
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
    expect(await world.mailRows()).toMatchObject([
      { state: 'failed', delivery: 'bounced', toAddress: SECOND, repeats: 0 },
    ]);
  });

  it('is only noted where there is no second address', async () => {
    await queueNotice();
    await pass(refusing(gone));
    expect(await world.mailRows()).toMatchObject([{ state: 'failed', delivery: 'bounced' }]);
    expect(await adaRow()).toMatchObject({ emailBouncedAt: START });
  });

  it('says nothing about an address the person has left', async () => {
    await set({ secondEmail: SECOND });
    await queuePasswordChangedMail(database.db, world.deps, ada);
    await set({ email: NEW });
    await pass(refusing(gone));
    expect(await adaRow()).toMatchObject({ emailBouncedAt: null });
    expect(await world.mailRows()).toMatchObject([{ state: 'failed', toSecond: false }]);
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
    const [known, unknown, earlier] = await world.mailRows();
    await database.db.update(mails).set({ attempts: MAIL_ATTEMPTS_MAX - 1 });
    const isEarlier = eq(mails.id, earlier?.id ?? '');
    await database.db.update(mails).set({ unknownSince: START }).where(isEarlier);
    const by: Mailer = {
      async send(mail, begin) {
        if (mail.to === SECOND) return mailer.send(mail, begin);
        await begin?.();
        if (mail.id === unknown?.id) throw new OutcomeUnknownError('It was lost.');
        throw new Error('550 Access denied');
      },
    };
    await pass(by);
    await pass(by);
    expect(told()).toEqual([SECOND]);
    const rows = new Map((await world.mailRows()).map((row) => [row.id, row]));
    expect(rows.get(known?.id ?? '')).toMatchObject({ state: 'sent', toSecond: true });
    for (const row of [unknown, earlier]) {
      expect(rows.get(row?.id ?? '')).toMatchObject({ state: 'failed', toSecond: false });
    }
  });

  it('leaves the question about the address alone, of which the second one gets its own', async () => {
    await set({ secondEmail: SECOND, addressCheckDueAt: START });
    await world.addCapsule(ada, [ada], { unlockAt: new Date('2032-01-01T00:00:00Z') });
    await queueYearlyMails(world.deps, GO_ON);
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
      receiveDelivery(world.deps, { providerId, delivery: 'delivered', at });
    await arrived(new Date(START.getTime() - 1));
    expect(await adaRow()).toMatchObject({ emailBouncedAt: START });
    await arrived(new Date(START.getTime() + 1));
    expect(await adaRow()).toMatchObject({ emailBouncedAt: null });
  });
});

describe('an email of which nobody knows whether it has arrived', () => {
  const silent: Mailer = {
    async send(mail, begin) {
      await world.deps.mailer.send(mail, begin);
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
    const [row] = await world.mailRows();
    expect(row).toMatchObject({ state: 'failed', delivery: null, resent: true });
    expect(row?.unknownSince).not.toBeNull();
  });

  it('is sent once more if the process died during the attempt', async () => {
    await queueNotice();
    let begun = false;
    const dying: Mailer = {
      async send(_mail, begin) {
        await begin?.();
        begun = true;
        return new Promise(() => {});
      },
    };
    for (const resent of [false, true]) {
      void pass(dying);
      await until(() => (begun ? true : null));
      begun = false;
      expect(await world.mailRows()).toMatchObject([{ state: 'queued', resent }]);
      world.advance(10 * MINUTE_MS);
    }
    await pass(dying);
    expect(await world.mailRows()).toMatchObject([{ state: 'failed', attempts: 3, resent: true }]);
  });

  it('is not one whose process died before the provider could have it', async () => {
    await queueNotice();
    let connects = 0;
    const dying: Mailer = {
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
    expect(await world.mailRows()).toMatchObject([{ state: 'sent', resent: false }]);
    expect(told()).toEqual([ada.email]);
  });

  it('has its one repeat still before it if the provider was only away', async () => {
    await queueNotice();
    const away: Mailer = { send: () => Promise.reject(new Error('Nobody is there.')) };
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
    expect(await world.mailRows()).toMatchObject([{ state: 'sent', unknownSince: null }]);
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
    expect(await world.mailRows()).toMatchObject([{ state: 'failed', resent: true }]);
  });

  it('has a link: it is sent once more, though its key is new each time', async () => {
    const lossy: Mailer = { ...silent, keyKnownMs: 24 * 60 * MINUTE_MS };
    await queueVerificationMail(database.db, world.deps, ada);
    for (let times = 0; times < 5; times += 1) {
      await pass(lossy);
      world.advance(60 * MINUTE_MS);
    }
    expect(told()).toHaveLength(2);
    expect(await world.mailRows()).toMatchObject([{ state: 'failed', resent: true }]);
  });
});
