import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { secretIn } from '../../tests/support/links.ts';
import { GO_ON, START, sharedMailWorld } from '../../tests/support/mail-world.ts';
import { linkSigner } from '../auth/link-signer.ts';
import { capsuleRecipients, users } from '../db/schema.ts';
import { answerStillYours } from '../domain/accounts/address-check.ts';
import { getEmailChoices, turnEmailOff } from '../domain/emails/email-choices.ts';
import { sendDueEmails } from './send-emails.ts';
import { queueYearlyEmails } from './yearly-emails.ts';

const { database, world } = sharedMailWorld();

const A_YEAR_AGO = new Date(START.getTime() - 366 * 86_400_000);

const pass = () => queueYearlyEmails(world.deps, GO_ON);

describe('"Is this still you?"', () => {
  const soon = { unlockAt: new Date('2034-01-02T00:00:00Z'), dateToUnlock: '2034-01-02' };
  const asked = async () =>
    (await world.sendings())
      .filter(({ email }) => email.kind === 'address-check')
      .map(({ email }) => email.userId);
  const later = (days: number) => world.setNow(new Date(START.getTime() + days * 86_400_000));

  it('is asked once a year of who waits for a capsule, from a year after they came', async () => {
    const ada = await world.addPerson('Ada');
    const tim = await world.addPerson('Tim');
    await world.addPerson('Eve');
    await world.addCapsule(ada, [tim], soon);
    await pass();
    later(364);
    await pass();
    expect(await asked()).toEqual([]);
    later(366);
    await Promise.all([pass(), pass()]);
    expect((await asked()).sort()).toEqual([ada.id, tim.id].sort());
    later(2 * 366);
    await pass();
    expect(await asked()).toHaveLength(4);
  });

  it('says how many capsules wait, a letter to oneself once, and none that is open or blocked', async () => {
    const ada = await world.addPerson('Ada', { addressAskedAt: A_YEAR_AGO });
    const tim = await world.addPerson('Tim');
    const far = { unlockAt: new Date('2060-01-02T00:00:00Z'), dateToUnlock: '2060-01-02' };
    await world.addCapsule(ada, [ada], soon);
    await world.addCapsule(tim, [ada], far);
    await world.addCapsule(ada, [tim], { unlockAt: START, dateToUnlock: '2030-05-04' });
    await world.addCapsule(ada, [tim], far);
    const unseen = await world.addCapsule(tim, [ada], far);
    await database.db
      .update(capsuleRecipients)
      .set({ blocked: true, hidden: true })
      .where(eq(capsuleRecipients.capsuleId, unseen.id));
    await pass();
    await sendDueEmails(world.deps, GO_ON);
    const [mail, ...others] = world.deps.mailer.sent;
    expect(others).toEqual([]);
    expect(mail?.text).toContain('3 time capsules are waiting for you.');
    expect(JSON.stringify(mail)).not.toContain('CANARY');
  });

  it('comes once after years in which the server was off, and to many', async () => {
    for (let n = 0; n < 120; n += 1) {
      const person = await world.addPerson(`P${n}`, { addressAskedAt: A_YEAR_AGO });
      await world.addCapsule(person, [person], { unlockAt: new Date('2040-01-02T00:00:00Z') });
    }
    world.setNow(new Date('2035-01-01T00:00:00Z'));
    await Promise.all([pass(), pass()]);
    await pass();
    expect(await world.sendings()).toHaveLength(120);
  });

  it('is turned off by the links of the yearly emails of before', async () => {
    const ada = await world.addPerson('Ada');
    const sign = await linkSigner(world.deps);
    const token = `keepsake.${ada.id}.${sign(`keepsake ${ada.id}`)}`;
    expect(await turnEmailOff(world.deps, token)).toBe('address-check');
    expect(await getEmailChoices(world.deps, { userId: ada.id })).toMatchObject({
      addressCheck: false,
      waiting: true,
    });
    const other = token.replace('keepsake.', 'address-check.');
    await expect(turnEmailOff(world.deps, other)).rejects.toThrow(
      expect.objectContaining({ code: 'INVALID_NOTICE_LINK' }),
    );
  });

  it('is answered by one press, for the address it was sent to, and asked again a year later', async () => {
    const bounced = { emailBouncedAt: START };
    const ada = await world.addPerson('Ada', { ...bounced, createdAt: new Date('2020-01-01') });
    await world.addCapsule(ada, [ada], soon);
    await database.db.update(users).set({ addressAskedAt: A_YEAR_AGO });
    await pass();
    await sendDueEmails(world.deps, GO_ON);
    const [question] = world.deps.mailer.sent;
    expect(question).toMatchObject({ kind: 'address-check', to: ada.email });
    const token = secretIn(new URL(question?.link ?? ''));
    later(30);
    expect(await answerStillYours(world.deps, token)).toBe(ada.email);
    const [row] = await database.db.select().from(users);
    expect(row).toMatchObject({
      emailBouncedAt: null,
      addressAskedAt: new Date(START.getTime() + 30 * 86_400_000),
    });
    // Pressed again, it says the same; after a change of the address, nothing.
    expect(await answerStillYours(world.deps, token)).toBe(ada.email);
    await database.db.update(users).set({ email: 'new@example.com' });
    for (const wrong of [token, '', 'nonsense', `${ada.id}.${'A'.repeat(43)}`]) {
      await expect(answerStillYours(world.deps, wrong)).rejects.toThrow(
        expect.objectContaining({ code: 'INVALID_ADDRESS_LINK' }),
      );
    }
  });

  it('is not asked of who has turned it off by the link in it', async () => {
    const ada = await world.addPerson('Ada', { addressAskedAt: A_YEAR_AGO });
    await world.addCapsule(ada, [ada], soon);
    await pass();
    await sendDueEmails(world.deps, GO_ON);
    const url = world.deps.mailer.sent[0]?.turnOffUrl ?? '';
    const token = secretIn(new URL(url));
    expect(await turnEmailOff(world.deps, token)).toBe('address-check');
    later(366);
    await pass();
    await sendDueEmails(world.deps, GO_ON);
    expect(world.deps.mailer.sent).toHaveLength(1);
  });

  it('is asked at the second address once, where emails to the main one come back', async () => {
    const emailBouncedAt = START;
    const second = { secondEmail: 'ada.second@example.com', addressAskedAt: A_YEAR_AGO };
    const ada = await world.addPerson('Ada', { ...second, emailBouncedAt });
    await world.addCapsule(ada, [ada], soon);
    await pass();
    await sendDueEmails(world.deps, GO_ON);
    later(60);
    await sendDueEmails(world.deps, GO_ON);
    expect(world.deps.mailer.sent.map(({ to }) => to)).toEqual([second.secondEmail]);
  });
});
