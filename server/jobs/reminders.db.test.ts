import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { GO_ON, type Person, START, sharedMailWorld } from '../../tests/support/mail-world.ts';
import { makeAllDue } from '../db/emails/emails.ts';
import { capsuleRecipients, capsules, invitations, users } from '../db/schema.ts';
import { announceOpenings } from './announce-openings.ts';
import { sendDueEmails } from './send-emails.ts';

const UNLOCK_AT = new Date('2030-05-05T00:00:00Z');
const A_MONTH_LATER = new Date('2030-06-04T00:00:00Z');
const A_SECOND_LESS = new Date(A_MONTH_LATER.getTime() - 1_000);

const { database, world } = sharedMailWorld();
let ada: Person;
let tim: Person;
beforeEach(async () => {
  ada = await world.addPerson('Ada');
  tim = await world.addPerson('Tim');
});

/** Opens all capsules, and sends until this moment. */
async function open({ until }: { until: Date }) {
  world.setNow(UNLOCK_AT);
  await announceOpenings(world.deps, GO_ON);
  await sendDueEmails(world.deps, GO_ON);
  await sendAt(until);
}

async function sendAt(now: Date) {
  world.setNow(now);
  await sendDueEmails(world.deps, GO_ON);
}

const reminders = () => world.deps.mailer.sent.filter(({ kind }) => kind === 'capsule-reminder');

const look = (change: Partial<typeof capsuleRecipients.$inferInsert>) =>
  database.db.update(capsuleRecipients).set(change).where(eq(capsuleRecipients.userId, tim.id));

describe('a recipient who has not looked a month after the opening', () => {
  it('is reminded then, once', async () => {
    const { id } = await world.addCapsule(ada, [tim]);
    await open({ until: A_SECOND_LESS });
    expect(reminders()).toEqual([]);
    await sendAt(A_MONTH_LATER);
    await sendAt(new Date('2032-01-01T00:00:00Z'));
    const [reminder, ...others] = reminders();
    expect(others).toEqual([]);
    expect(reminder).toMatchObject({ to: tim.email, subject: 'A time capsule is open and unread' });
    expect(reminder?.link).toBe(`https://capsule.example/dashboard?tab=received&capsule=${id}`);
    expect(reminder?.turnOffUrl).toContain('capsule-reminder');
    expect(JSON.stringify(reminder)).not.toContain('CANARY');
  });

  it('is reminded at the second address, as the main one may be read by nobody', async () => {
    const second = 'tim.second@example.com';
    await database.db.update(users).set({ secondEmail: second }).where(eq(users.id, tim.id));
    await world.addCapsule(ada, [tim]);
    await open({ until: A_MONTH_LATER });
    expect(reminders().map(({ to }) => to)).toEqual([second]);
    await database.db.update(users).set({ secondEmail: null }).where(eq(users.id, tim.id));
  });

  it('is reminded of several capsules by one email', async () => {
    for (const title of ['One', 'Two', 'Three']) await world.addCapsule(ada, [tim], { title });
    await open({ until: A_MONTH_LATER });
    const [reminder, ...others] = reminders();
    expect(others).toEqual([]);
    expect(reminder?.subject).toBe('3 time capsules are open and unread');
  });

  it('is reminded only of what they have not seen', async () => {
    const seen = await world.addCapsule(ada, [tim], { title: 'Seen' });
    await world.addCapsule(ada, [tim], { title: 'Not seen' });
    await open({ until: A_SECOND_LESS });
    const isSeen = and(
      eq(capsuleRecipients.userId, tim.id),
      eq(capsuleRecipients.capsuleId, seen.id),
    );
    await database.db.update(capsuleRecipients).set({ seenAt: UNLOCK_AT }).where(isSeen);
    await sendAt(A_MONTH_LATER);
    expect(reminders()).toHaveLength(1);
    expect(reminders()[0]?.text).toContain('Not seen');
    expect(reminders()[0]?.text).not.toContain('Title: Seen');
  });

  it('has a month from when the opening was announced, also where the clock was wrong', async () => {
    await world.addCapsule(ada, [tim]);
    await open({ until: UNLOCK_AT });
    await makeAllDue(database.db, UNLOCK_AT);
    await sendAt(UNLOCK_AT);
    await sendAt(A_SECOND_LESS);
    expect(reminders()).toEqual([]);
    await sendAt(A_MONTH_LATER);
    expect(reminders()).toHaveLength(1);
  });

  it('is not reminded of an opening that a wrong clock announced', async () => {
    await world.addCapsule(ada, [tim]);
    await open({ until: UNLOCK_AT });
    world.setNow(START);
    await announceOpenings(world.deps, GO_ON);
    expect(await world.sendings()).toEqual([]);
  });
});

describe('nobody is reminded', () => {
  it.each<[who: string, change: () => Promise<unknown>]>([
    ['who has looked', () => look({ seenAt: UNLOCK_AT })],
    ['who has put it away', () => look({ hidden: true })],
    ['who has turned reminders off', () => turnOff('capsule-reminder')],
    ['who wants no emails about openings', () => turnOff('capsule-opened')],
    ['who has no account any more', () => database.db.delete(users).where(eq(users.id, tim.id))],
    ['of a deleted capsule', () => database.db.delete(capsules)],
  ])('%s', async (_who, change) => {
    await world.addCapsule(ada, [tim]);
    await open({ until: A_SECOND_LESS });
    await change();
    await sendAt(A_MONTH_LATER);
    expect(reminders()).toEqual([]);
  });

  it('of a capsule about which its creator wanted no emails', async () => {
    await world.addCapsule(ada, [tim], { notifyRecipient: false });
    await open({ until: A_MONTH_LATER });
    expect(reminders()).toEqual([]);
  });

  it('who never made an account', async () => {
    const rose = await world.addPerson('Rose', { passwordHash: null });
    const invitation = { id: randomUUID(), inviterId: ada.id, userId: rose.id, createdAt: START };
    await database.db.insert(invitations).values({ ...invitation, addressHash: rose.email });
    await world.addCapsule(ada, [rose]);
    await open({ until: A_MONTH_LATER });
    expect(reminders()).toEqual([]);
  });
});

function turnOff(kind: string) {
  return database.db
    .update(users)
    .set({ unwantedEmails: [kind] })
    .where(eq(users.id, tim.id));
}
