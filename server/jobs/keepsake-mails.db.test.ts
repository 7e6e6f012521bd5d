import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { createMailWorld, GO_ON, type MailWorld, START } from '../../tests/support/mail-world.ts';
import { mails, users } from '../db/schema.ts';
import { getNoticeChoices, setNoticeChoices, turnNoticeOff } from '../domain/notice-choices.ts';
import { queueKeepsakeMails } from './keepsake-mails.ts';
import { sendDueMail } from './send-mail.ts';

let database: TestDatabase;
let world: MailWorld;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.delete(mails);
  await database.db.delete(users);
  world = createMailWorld(database.db);
});

const pass = () => queueKeepsakeMails(world.deps, GO_ON);
const inADay = new Date(START.getTime() + 86_400_000);

describe('the yearly email', () => {
  it('is queued on its day and each year after it, once, and only for who asked for it', async () => {
    await world.addPerson('Tim');
    const ada = await world.addPerson('Ada', { keepsakeDueAt: inADay });
    await pass();
    expect(await world.mailRows()).toEqual([]);
    world.setNow(inADay);
    await Promise.all([pass(), pass()]);
    await pass();
    expect(await world.mailRows()).toMatchObject([
      { kind: 'keepsake', toAddress: ada.email, userId: ada.id },
    ]);
    world.setNow(new Date('2031-05-05T09:59:59Z'));
    await pass();
    expect(await world.mailRows()).toHaveLength(1);
    world.setNow(new Date('2031-05-05T10:00:00Z'));
    await pass();
    expect(await world.mailRows()).toHaveLength(2);
  });

  it('comes once after years in which the server was off, and to many', async () => {
    for (let n = 0; n < 120; n += 1) await world.addPerson(`P${n}`, { keepsakeDueAt: START });
    world.setNow(new Date('2035-01-01T00:00:00Z'));
    await pass();
    await pass();
    expect(await world.mailRows()).toHaveLength(120);
  });

  it('leads to the export, and is not sent to who has turned it off meanwhile', async () => {
    const ada = await world.addPerson('Ada', { keepsakeDueAt: START });
    const tim = await world.addPerson('Tim', { keepsakeDueAt: START });
    await pass();
    await database.db.update(users).set({ keepsakeDueAt: null }).where(eq(users.id, tim.id));
    await sendDueMail(world.deps, GO_ON);
    const [mail, ...others] = world.deps.mailer.sent;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'keepsake', link: 'https://capsule.example/profile' });
    expect(mail?.text).toContain('Hello Ada,');
    const token = new URL(mail?.turnOffUrl ?? '').searchParams.get('token') ?? '';
    expect(await turnNoticeOff(world.deps, token)).toBe('keepsake');
    expect(await getNoticeChoices(world.deps, { userId: ada.id })).toMatchObject({
      waiting: true,
      keepsake: false,
    });
  });

  it('is due a year after it was asked for, however often it is asked for again', async () => {
    const ada = await world.addPerson('Ada');
    const choose = (keepsake: boolean) =>
      setNoticeChoices(world.deps, { userId: ada.id }, { waiting: true, opened: true, keepsake });
    const due = async () =>
      (await database.db.query.users.findFirst({ where: eq(users.id, ada.id) }))?.keepsakeDueAt;
    await choose(true);
    world.setNow(inADay);
    await choose(true);
    expect(await due()).toEqual(new Date('2031-05-04T10:00:00Z'));
    await choose(false);
    expect(await due()).toBeNull();
  });
});
