import { sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { GO_ON, type Person, sharedMailWorld } from '../../tests/support/mail-world.ts';
import { getConfig } from '../config.ts';
import { insertBlock } from '../db/doors/blocks.ts';
import { queueWaitingNotices } from '../domain/emails/queue.ts';
import { listNotices } from '../domain/emails/sent-notices.ts';
import { EmailDeferredError, type Mailer } from '../mail/mailer.ts';
import { sendDueEmails } from './send-emails.ts';

const MINUTE_MS = 60_000;

const { database, world } = sharedMailWorld();
let mallory: Person;
let grace: Person;
let fred: Person;
beforeEach(async () => {
  mallory = await world.addPerson('Mallory');
  grace = await world.addPerson('Grace');
  fred = await world.addPerson('Fred');
  const pair = { userId: grace.id, blockedId: mallory.id };
  await insertBlock(database.db, pair, world.deps.clock.now());
});

/** Takes a while for each email, or is away. */
function slowMailer(state = { isAway: false }): { mailer: Mailer; state: { isAway: boolean } } {
  const send: Mailer['send'] = async (mails, { begin }) => {
    if (state.isAway) throw new Error('Connection refused');
    await begin();
    world.advance(350);
    return mails.map(({ id }) => id);
  };
  return { mailer: { batchMax: 1, send }, state };
}

/** Of a server whose provider tells what becomes of emails. */
const config = getConfig({
  APP_URL: 'https://capsule.example',
  RESEND_API_KEY: 're_key',
  RESEND_WEBHOOK_SECRET: `whsec_${'a'.repeat(32)}`,
});

async function sealFor(people: Person[]) {
  const capsule = await world.addCapsule(mallory, people);
  await queueWaitingNotices(database.db, world.deps, capsule, people);
  return capsule;
}

/** As the creator sees them: of who has blocked them, then of the others. */
async function seen({ id }: { id: string }, deps: Partial<typeof world.deps> = {}) {
  const { notices } = await listNotices({ ...world.deps, ...deps }, { userId: mallory.id }, id);
  const by = (person: Person) =>
    notices
      .filter(({ recipientEmail }) => recipientEmail === person.email)
      .map(({ state, at, sentAt }) => ({ state, at, sentAt }));
  return { blocker: by(grace), friend: by(fred) };
}

it('has its outcome with the others of its round, and no finer time than a minute', async () => {
  const { mailer } = slowMailer();
  // Just before a minute ends.
  world.advance(MINUTE_MS - 100);
  const capsule = await sealFor([grace, fred]);
  await sendDueEmails({ ...world.deps, mailer }, GO_ON);
  const { blocker, friend } = await seen(capsule);
  expect(blocker).toEqual(friend);
  expect(blocker).toMatchObject([{ state: 'sent', sentAt: expect.stringMatching(/:00\.000Z$/) }]);
});

it('waits where the provider defers everybody, as the others do', async () => {
  const capsule = await sealFor([grace, fred]);
  world.deps.mailer.failNext(1, new EmailDeferredError('452 4.3.1 Out of room'));
  await sendDueEmails(world.deps, GO_ON);
  const { blocker, friend } = await seen(capsule);
  expect(blocker).toEqual(friend);
  expect(blocker).toMatchObject([{ state: 'queued' }]);
});

it('waits while the provider is away, alone too, and goes with the others afterwards', async () => {
  const { mailer, state } = slowMailer();
  state.isAway = true;
  const both = await sealFor([grace, fred]);
  await sendDueEmails({ ...world.deps, mailer }, GO_ON);
  const alone = await sealFor([grace]);
  await sendDueEmails({ ...world.deps, mailer }, GO_ON);
  const queued = [{ state: 'queued', at: null, sentAt: null }];
  expect(await seen(both)).toEqual({ blocker: queued, friend: queued });
  expect((await seen(alone)).blocker).toEqual(queued);
  state.isAway = false;
  world.advance(MINUTE_MS);
  await sendDueEmails({ ...world.deps, mailer }, GO_ON);
  const { blocker, friend } = await seen(both);
  expect(blocker).toMatchObject([{ state: 'sent' }]);
  expect(blocker).toEqual(friend);
  expect((await seen(alone)).blocker).toMatchObject([{ state: 'sent' }]);
});

it('goes alone where the provider answers', async () => {
  const { mailer } = slowMailer();
  const alone = await sealFor([grace]);
  await sendDueEmails({ ...world.deps, mailer }, GO_ON);
  expect((await seen(alone)).blocker).toMatchObject([{ state: 'sent' }]);
});

it('is delivered when the others are', async () => {
  const { mailer } = slowMailer();
  const capsule = await sealFor([grace, fred]);
  await sendDueEmails({ ...world.deps, mailer }, GO_ON);
  expect(await seen(capsule, { config })).toMatchObject({
    blocker: [{ state: 'sent' }],
    friend: [{ state: 'sent' }],
  });
  world.advance(3_000);
  const at = world.deps.clock.now().toISOString();
  await database.db.execute(
    sql`update sendings set outcome = 'delivered', outcome_at = ${at} where outcome = 'sent'`,
  );
  const { blocker, friend } = await seen(capsule, { config });
  expect(blocker).toMatchObject([{ state: 'delivered' }]);
  expect(blocker).toEqual(friend);
});

it('is not delivered before its time where there is nobody else', async () => {
  const { mailer } = slowMailer();
  const capsule = await sealFor([grace]);
  await sendDueEmails({ ...world.deps, mailer }, GO_ON);
  expect((await seen(capsule, { config })).blocker).toMatchObject([{ state: 'sent' }]);
  world.advance(MINUTE_MS);
  expect((await seen(capsule, { config })).blocker).toMatchObject([{ state: 'delivered' }]);
});
