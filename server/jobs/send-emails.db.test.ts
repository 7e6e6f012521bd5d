import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestClock } from '../../tests/support/clock.ts';
import { GO_ON, type Person, START, sharedMailWorld } from '../../tests/support/mail-world.ts';
import { putInBin } from '../db/capsules/bin.ts';
import { beginAttempt, markEnded, markSent } from '../db/emails/outcomes.ts';
import { capsules, emails } from '../db/schema.ts';
import { restoreCapsule } from '../domain/capsules/bin.ts';
import { ATTEMPTS_MAX } from '../domain/emails/next-attempt.ts';
import { queueEmails, queueOpenedNotices, queueWaitingNotices } from '../domain/emails/queue.ts';
import type { EmailKind } from '../mail/kinds.ts';
import {
  EmailDeferredError,
  MailDeferredError,
  type Mailer,
  MailRefusedError,
} from '../mail/mailer.ts';
import { sendDueEmails } from './send-emails.ts';

const MINUTE_MS = 60_000;

const { database, world } = sharedMailWorld();
let ada: Person;
beforeEach(async () => {
  ada = await world.addPerson('Ada', { emailVerifiedAt: START });
});

const pass = () => sendDueEmails(world.deps, GO_ON);
const queueOne = () => queueEmails(database.db, world.deps, 'password-changed', [ada]);
async function queueMany(count: number) {
  for (let index = 0; index < count; index += 1) await queueOne();
}
const sentIds = () => world.deps.mailer.sent.map(({ id }) => id);

describe('sendDueEmails', () => {
  it('sends what is queued, once', async () => {
    await queueOne();
    await pass();
    await pass();
    expect(world.deps.mailer.sent.map(({ to }) => to)).toEqual([ada.email]);
    expect(await world.sendings()).toMatchObject([{ outcome: 'sent', attempts: 1, sentAt: START }]);
  });

  it('sends nothing of a transaction that was rolled back', async () => {
    const failed = database.db.transaction(async (tx) => {
      await queueEmails(tx, world.deps, 'password-changed', [ada]);
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    await pass();
    expect(world.deps.mailer.sent).toEqual([]);
  });

  it('leaves an email of a kind that only a newer version knows to a server of that version', async () => {
    await queueOne();
    const newer = 'of-next-year' as EmailKind;
    await database.db.update(emails).set({ kind: newer });
    await pass();
    expect(world.deps.mailer.sent).toEqual([]);
    expect(await world.sendings()).toMatchObject([{ outcome: null, attempts: 0 }]);
  });

  it('tries again a minute after a failure, not sooner', async () => {
    await queueOne();
    world.deps.mailer.failNext(1);
    await pass();
    expect(await world.sendings()).toMatchObject([
      { outcome: null, attempts: 1, reason: 'The provider is away.' },
    ]);
    world.advance(MINUTE_MS - 1);
    await pass();
    expect(world.deps.mailer.sent).toEqual([]);
    world.advance(1);
    await pass();
    expect(world.deps.mailer.sent).toHaveLength(1);
    expect(await world.sendings()).toMatchObject([{ outcome: 'sent', reason: null }]);
  });

  it('gives up after days of failures, and keeps the reason', async () => {
    await queueOne();
    world.deps.mailer.failNext(1_000, new Error('connect\nECONNREFUSED'));
    let passes = 0;
    for (let [row] = await world.sendings(); row?.nextAttemptAt; [row] = await world.sendings()) {
      world.setNow(row.nextAttemptAt);
      await pass();
      passes += 1;
    }
    expect(passes).toBe(ATTEMPTS_MAX);
    expect(await world.sendings()).toMatchObject([
      { outcome: 'failed', reason: 'connect ECONNREFUSED' },
    ]);
    expect(world.deps.clock.now().getTime() - START.getTime()).toBeGreaterThan(
      30 * 24 * 60 * MINUTE_MS,
    );
  });

  it('gives up at once on a mail that can never be delivered, and sends the others', async () => {
    await queueMany(2);
    world.deps.mailer.failNext(1, new MailRefusedError('550 no such mailbox'));
    await pass();
    expect((await world.sendings()).map(({ outcome }) => outcome).sort()).toEqual([
      'failed',
      'sent',
    ]);
    expect((await world.sendings()).map(({ reason }) => reason)).toContain('550 no such mailbox');
  });

  it('names a call the same at each attempt, and anew where each attempt has another link', async () => {
    await queueOne();
    await queueEmails(database.db, world.deps, 'password-reset', [
      { id: null, email: ada.email, requestedBy: '' },
    ]);
    const keys = new Map<string, string[]>();
    const mailer: Mailer = {
      batchMax: 1,
      async send([mail], { key }) {
        const kind = mail?.kind ?? '';
        keys.set(kind, [...(keys.get(kind) ?? []), key]);
        throw new Error('The provider is away.');
      },
    };
    for (let times = 0; times < 2; times += 1) {
      await sendDueEmails({ ...world.deps, mailer }, GO_ON);
      world.advance(MINUTE_MS);
    }
    expect(new Set(keys.get('password-changed')).size).toBe(1);
    expect(new Set(keys.get('password-reset')).size).toBe(2);
  });

  it('does not spin through the queue while the provider is away', async () => {
    await queueMany(40);
    world.deps.mailer.failNext(1_000);
    await pass();
    const tried = (await world.sendings()).filter(({ attempts }) => attempts > 0);
    expect(tried).toHaveLength(5);
    world.deps.mailer.clear();
    await pass();
    expect(world.deps.mailer.sent).toHaveLength(35);
  });

  it('waits as long as the provider asks, and does not count that as an attempt', async () => {
    await queueOne();
    world.deps.mailer.failNext(1, new MailDeferredError('quota', 60 * MINUTE_MS));
    await pass();
    expect(await world.sendings()).toMatchObject([{ outcome: null, attempts: 0 }]);
    world.advance(60 * MINUTE_MS);
    await pass();
    expect(await world.sendings()).toMatchObject([{ outcome: 'sent', attempts: 1 }]);
  });

  it('stays in the same pass when the provider asks for a moment only', async () => {
    const deps = { ...world.deps, clock: createTestClock(START) };
    await queueMany(12);
    world.deps.mailer.failNext(3, new MailDeferredError('slower, please', 30));
    await sendDueEmails(deps, GO_ON);
    expect(new Set(sentIds()).size).toBe(12);
  });

  it('keeps "it has opened" until it is true, and does not count the waiting as an attempt', async () => {
    const unlockAt = new Date(START.getTime() + MINUTE_MS);
    const capsule = await world.addCapsule(ada, [ada], { unlockAt });
    await queueOpenedNotices(database.db, world.deps, [
      { ...capsule, creator: ada, recipients: [] },
    ]);
    await pass();
    expect(world.deps.mailer.sent).toEqual([]);
    expect(await world.sendings()).toMatchObject([
      { outcome: null, attempts: 0, nextAttemptAt: unlockAt },
    ]);
    world.setNow(unlockAt);
    await pass();
    expect(world.deps.mailer.sent).toHaveLength(1);
  });

  it('drops an email that is due while its capsule is in the bin, also once that is back', async () => {
    const tim = await world.addPerson('Tim');
    const capsule = await world.addCapsule(ada, [tim]);
    const binned = { id: world.deps.ids.uuid(), capsuleId: capsule.id, ownerId: ada.id };
    await queueWaitingNotices(database.db, world.deps, capsule, [tim]);
    const mailer: Mailer = {
      batchMax: 1,
      async send(_mails, { begin }) {
        await begin();
        const now = world.deps.clock.now();
        await database.db.transaction((tx) => putInBin(tx, { ...binned, now }));
        throw new Error('The provider is away.');
      },
    };
    await sendDueEmails({ ...world.deps, mailer }, GO_ON);
    world.advance(60 * MINUTE_MS);
    await pass();
    await pass();
    expect(world.deps.mailer.sent).toEqual([]);
    await restoreCapsule(world.deps, { userId: ada.id }, capsule.id);
    await pass();
    expect(world.deps.mailer.sent).toEqual([]);
  });

  it('drops a mail to nobody', async () => {
    await queueEmails(database.db, world.deps, 'password-reset', [
      { id: null, email: 'nobody@example.com', requestedBy: 'home' },
    ]);
    await pass();
    expect(world.deps.mailer.sent).toEqual([]);
    expect(await world.sendings()).toMatchObject([{ outcome: 'dropped' }]);
  });

  it('sends what a person waits for before notices that were queued earlier', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => world.addPerson('Tim')));
    const capsule = await world.addCapsule(ada, people);
    await queueWaitingNotices(database.db, world.deps, capsule, people);
    world.advance(1_000);
    await queueEmails(database.db, world.deps, 'password-reset', [
      { id: null, email: ada.email, requestedBy: 'home' },
    ]);
    await pass();
    const place = world.deps.mailer.sent.findIndex(({ kind }) => kind === 'password-reset');
    expect(place).toBeLessThan(5);
    expect(place).toBeGreaterThanOrEqual(0);
    expect(world.deps.mailer.sent).toHaveLength(21);
  });

  it('sends what has opened before what only waits, of which one sender can cause many', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => world.addPerson('Tim')));
    const waiting = await world.addCapsule(ada, people);
    await queueWaitingNotices(database.db, world.deps, waiting, people);
    world.advance(1_000);
    const unlockAt = new Date(START.getTime() + 1_000);
    const opened = await world.addCapsule(ada, [ada], { unlockAt });
    await queueOpenedNotices(database.db, world.deps, [
      { ...opened, creator: ada, recipients: [] },
    ]);
    await pass();
    const place = world.deps.mailer.sent.findIndex(({ kind }) => kind === 'capsule-opened');
    expect(place).toBeLessThan(5);
    expect(place).toBeGreaterThanOrEqual(0);
    expect(world.deps.mailer.sent).toHaveLength(21);
  });

  it('sends what has opened past any number of urgent emails whose recipients have to wait', async () => {
    await queueMany(40);
    const unlockAt = new Date(START.getTime() - 1_000);
    const opened = await world.addCapsule(ada, [ada], { unlockAt });
    await queueOpenedNotices(database.db, world.deps, [
      { ...opened, creator: ada, recipients: [] },
    ]);
    world.deps.mailer.failNext(40, new EmailDeferredError('450 4.1.2 Domain not found'));
    await pass();
    expect(world.deps.mailer.sent.map(({ kind }) => kind)).toEqual(['capsule-opened']);
    const waiting = (await world.sendings()).filter(({ outcome }) => outcome === null);
    expect(waiting.map(({ attempts }) => attempts)).toEqual(Array(40).fill(1));
  });

  describe('to a person who has had ten notices within an hour', () => {
    const unlockAt = new Date(START.getTime() - MINUTE_MS);
    const queueOpened = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        const title = `Letter ${index}`;
        const capsule = await world.addCapsule(ada, [], { unlockAt, title });
        const opened = { ...capsule, creator: ada, recipients: [] };
        await queueOpenedNotices(database.db, world.deps, [opened]);
      }
    };
    const anHourLater = () => {
      vi.setSystemTime(Date.now() + 61 * MINUTE_MS);
      world.advance(61 * MINUTE_MS);
    };
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date'] });
      return () => void vi.useRealTimers();
    });

    it('sends the rest as one email an hour later, and others at once', async () => {
      await queueOpened(33);
      await pass();
      expect(world.deps.mailer.sent).toHaveLength(10);
      await queueEmails(database.db, world.deps, 'password-reset', [
        { id: null, email: ada.email, requestedBy: 'home' },
      ]);
      await pass();
      expect(world.deps.mailer.sent).toHaveLength(11);
      anHourLater();
      await pass();
      const [together, ...more] = world.deps.mailer.sent.slice(11);
      expect(more).toEqual([]);
      expect(together).toMatchObject({ to: ada.email, subject: '23 time capsules have opened' });
      expect(together?.text).toContain('And: 3 more');
      const rows = await world.sendings();
      expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['sent']));
    });

    it('tells of one that was in the bin by then once it is back', async () => {
      await queueOpened(12);
      await pass();
      const all = await database.db.select().from(capsules);
      const id = all.find(({ title }) => title === 'Letter 11')?.id ?? '';
      const binned = { id: world.deps.ids.uuid(), capsuleId: id, ownerId: ada.id };
      const now = world.deps.clock.now();
      await database.db.transaction((tx) => putInBin(tx, { ...binned, now }));
      anHourLater();
      await pass();
      await restoreCapsule(world.deps, { userId: ada.id }, id);
      const opened = { id, notifyRecipient: true, creator: ada, recipients: [] };
      await queueOpenedNotices(database.db, world.deps, [opened]);
      await pass();
      const told = world.deps.mailer.sent.slice(10).map(({ text }) => /Letter \d+/.exec(text)?.[0]);
      expect(told).toEqual(['Letter 10', 'Letter 11']);
    });

    it('tries all of it again after a failure', async () => {
      await queueOpened(12);
      await pass();
      anHourLater();
      world.deps.mailer.failNext(1);
      await pass();
      world.advance(MINUTE_MS);
      await pass();
      const subjects = world.deps.mailer.sent.slice(10).map(({ subject }) => subject);
      expect(subjects).toEqual(['2 time capsules have opened']);
    });

    it('does not count what a busy provider did not take', async () => {
      await queueOpened(1);
      for (let times = 0; times < 12; times += 1) {
        world.deps.mailer.failNext(1, new MailDeferredError('quota', MINUTE_MS));
        await pass();
        world.advance(MINUTE_MS);
      }
      await pass();
      expect(world.deps.mailer.sent).toHaveLength(1);
    });

    it('names none in an email that has not opened', async () => {
      await queueOpened(12);
      await pass();
      const later = new Date(START.getTime() + 120 * MINUTE_MS);
      await database.db.update(capsules).set({ unlockAt: later });
      anHourLater();
      await pass();
      expect(world.deps.mailer.sent).toHaveLength(10);
    });
  });

  it('starts no further mail once it is told to stop', async () => {
    await queueMany(12);
    const stopping = new AbortController();
    const mailer = {
      ...world.deps.mailer,
      async send(...given: Parameters<typeof world.deps.mailer.send>) {
        stopping.abort();
        return world.deps.mailer.send(...given);
      },
    };
    await sendDueEmails({ ...world.deps, mailer }, stopping.signal);
    expect(world.deps.mailer.sent).toHaveLength(5);
    expect((await world.sendings()).filter(({ attempts }) => attempts > 0)).toHaveLength(5);
  });
});

describe('several processes', () => {
  it('send each mail once between them', async () => {
    await queueMany(120);
    await Promise.all([pass(), pass(), pass(), pass()]);
    expect(sentIds()).toHaveLength(120);
    expect(new Set(sentIds()).size).toBe(120);
  });

  it('take over a mail whose process died after it had taken it, when its lease ends', async () => {
    await queueOne();
    const { nextAttemptAt: leaseEnd } = await world.claimOne();
    await pass();
    expect(world.deps.mailer.sent).toEqual([]);
    world.setNow(leaseEnd ?? START);
    await pass();
    await pass();
    expect(world.deps.mailer.sent).toHaveLength(1);
    expect(await world.sendings()).toMatchObject([{ outcome: 'sent', attempts: 2 }]);
  });

  it('do not overwrite what a later attempt found out', async () => {
    await queueOne();
    const slow = await world.claimOne();
    const tooLate = { outcome: 'failed', reason: 'too late to say', at: START } as const;
    world.setNow(slow.nextAttemptAt ?? START);
    const later = await world.claimOne();
    await markEnded(database.db, [slow], tooLate);
    expect(await world.sendings()).toMatchObject([{ outcome: null, reason: null }]);
    const begun = { ...later, address: ada.email };
    await beginAttempt(database.db, [begun], world.deps.clock.now());
    await markSent(database.db, [later], world.deps.clock.now());
    await markEnded(database.db, [later], tooLate);
    expect(await world.sendings()).toMatchObject([{ outcome: 'sent', reason: null }]);
  });

  it('give up on a mail that takes every process down', async () => {
    await queueOne();
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      world.setNow((await world.claimOne()).nextAttemptAt ?? START);
    }
    await pass();
    expect(world.deps.mailer.sent).toEqual([]);
    expect(await world.sendings()).toMatchObject([{ outcome: 'failed' }]);
  });
});
