import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { GO_ON, type Person, START, sharedMailWorld } from '../../tests/support/mail-world.ts';
import { endDraftWaits, writeDraft } from '../db/drafts/drafts.ts';
import { drafts } from '../db/schema.ts';
import { sendDueEmails } from './send-emails.ts';
import { queueYearlyEmails } from './yearly-emails.ts';

const { database, world } = sharedMailWorld();
const pass = () => queueYearlyEmails(world.deps, GO_ON);
const CANARY = 'canary-of-a-draft';

function begin(person: Person, at: string): Promise<number> {
  const writing = { writtenOn: '', writtenAt: new Date(at) };
  return writeDraft(database.db, { userId: person.id, id: randomUUID() }, `"${CANARY}"`, writing);
}

const asked = async () =>
  (await world.sendings()).filter(({ email }) => email.kind === 'draft-untouched');

it('asks once about all drafts that nobody has touched for two years, and deletes none', async () => {
  const [ada, tim] = [await world.addPerson('Ada'), await world.addPerson('Tim')];
  await begin(ada, '2030-05-04T10:00:00Z');
  await begin(ada, '2030-06-05T10:00:00Z');
  await begin(tim, '2031-05-04T10:00:00Z');
  world.setNow(new Date('2032-05-02T10:00:00Z'));
  await pass();
  expect(await asked()).toEqual([]);
  world.setNow(new Date('2032-05-04T10:00:00Z'));
  await Promise.all([pass(), pass()]);
  world.setNow(new Date('2032-07-01T10:00:00Z'));
  await pass();
  expect(await asked()).toMatchObject([{ email: { userId: ada.id } }]);
  await sendDueEmails(world.deps, GO_ON);
  const mail = world.deps.mailer.sent.find(({ kind }) => kind === 'draft-untouched');
  expect(mail).toMatchObject({ to: ada.email, link: 'https://capsule.example/dashboard' });
  expect(mail?.text).toMatch(/began 2 capsules[\s\S]*5 June 2030/);
  expect(`${mail?.subject}${mail?.html}`).not.toContain(CANARY);
  expect(await database.db.select().from(drafts)).toHaveLength(3);
  world.setNow(new Date('2034-06-01T10:00:00Z'));
  await pass();
  expect(await asked()).toHaveLength(3);
});

it('asks nothing about what was touched or is gone by then', async () => {
  const [ada, tim] = [await world.addPerson('Ada'), await world.addPerson('Tim')];
  await begin(ada, '2030-05-04T10:00:00Z');
  await begin(tim, '2030-05-04T10:00:00Z');
  world.setNow(new Date('2032-05-04T10:00:00Z'));
  await pass();
  await database.db.delete(drafts).where(eq(drafts.userId, ada.id));
  await database.db
    .update(drafts)
    .set({ writtenAt: new Date('2032-05-04T11:00:00Z') })
    .where(eq(drafts.userId, tim.id));
  await sendDueEmails(world.deps, GO_ON);
  expect(world.deps.mailer.sent.map(({ kind }) => kind)).not.toContain('draft-untouched');
});

it('asks in two years at the latest, after a clock that was ahead', async () => {
  const ada = await world.addPerson('Ada');
  await begin(ada, '2050-01-01T00:00:00Z');
  await endDraftWaits(database.db, START);
  const [draft] = await database.db.select().from(drafts).where(eq(drafts.userId, ada.id));
  expect(draft?.askDueAt).toEqual(new Date(START.getTime() + 730 * 86_400_000));
});
