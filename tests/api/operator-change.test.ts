import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { accountChanges, operatorActions } from '../../server/db/schema.ts';
import { DAY_MS, UNDO_DAYS } from '../../shared/limits.ts';
import {
  addressesFor,
  addSecond,
  allSent,
  answerFor,
  codeOf,
  confirm,
  forgetEmails,
  newAddress,
  resetBy,
  signInAs,
  tokenTo,
  undo,
  visit,
} from '../support/addresses.ts';
import { PASSWORD, signUp } from '../support/client.ts';
import { secretIn } from '../support/links.ts';
import { runAdmin } from '../support/run-admin.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();
// The operator's command goes by the real time.
beforeEach(() => server.clock.set(new Date().toISOString()));
let people = 0;
const join = () => {
  people += 1;
  return signUp(server.url, `Lost ${people}`);
};

const operate = (...args: string[]) => runAdmin(server, args);
const begin = (from: string, to: string) =>
  operate('change-address', '--from', from, '--to', to, '--reason', 'lost both, showed a passport');

async function begun() {
  const ada = await join();
  const [main, second, to] = [ada.user.email, await addSecond(server, ada), newAddress()];
  await forgetEmails(server);
  const { ok, lines } = await begin(main, to);
  expect([ok, lines.join('\n')]).toEqual([true, expect.stringContaining(to)]);
  expect(lines.at(-1)).toMatch(/ \d\d:\d\d, if the new one is confirmed$/);
  server.deps.mailQueued();
  await allSent(server);
  return { ada, main, second, to };
}
const later = (days: number) => {
  server.clock.advance({ ms: days * DAY_MS });
  server.deps.mailQueued();
};

describe('a change of the main address by an operator', () => {
  it('is told to every address of before, and takes effect after seven days without an objection', async () => {
    const { ada, main, second, to } = await begun();
    const told = server.mailer.sent.filter(({ kind }) => kind === 'address-changed');
    expect(told.map((mail) => mail.to).sort()).toEqual([main, second].sort());
    for (const { text } of told) expect(text).not.toContain(to);
    expect(await addressesFor(ada)).toMatchObject({ email: main, pending: [{ email: to }] });
    const { takesEffectAt, ...answer } = await confirm(server, to);
    expect(answer).toMatchObject({ which: 'main', email: to, canUndo: false });
    later(UNDO_DAYS - 1);
    await server.activateChanges();
    expect(server.clock.now() < new Date(String(takesEffectAt))).toBe(true);
    expect(await addressesFor(ada)).toMatchObject({ email: main, pending: [{ email: to }] });
    later(1);
    await Promise.all([server.activateChanges(), server.activateChanges()]);
    expect(await addressesFor(ada)).toMatchObject({ email: to, secondEmail: second, pending: [] });
    // Who had the address of before can undo it for seven more days.
    expect(codeOf(await undo(server, main))).toBe(200);
  });

  it('to the second one takes effect, whoever has the main one as theirs', async () => {
    const [ada, tim] = [await join(), await join()];
    const second = await addSecond(server, ada);
    await addSecond(server, tim, ada.user.email);
    expect((await begin(ada.user.email, second)).ok).toBe(true);
    server.deps.mailQueued();
    await confirm(server, second);
    later(UNDO_DAYS);
    await server.activateChanges();
    expect(await addressesFor(ada)).toMatchObject({ email: second, secondEmail: null });
  });

  it('never takes effect without a press at the new address', async () => {
    const { ada, main, to } = await begun();
    const token = await tokenTo(server, to, '/auth/confirm-email');
    later(UNDO_DAYS);
    await server.activateChanges();
    expect(await addressesFor(ada)).toMatchObject({ email: main, pending: [] });
    const pressed = await (await visit(server.url)).post('/auth/confirm-email', { token });
    expect(codeOf(pressed)).toBe('INVALID_ADDRESS_LINK');
  });

  it('keeps the new address for the account once it is confirmed', async () => {
    const { ada, to } = await begun();
    await confirm(server, to);
    const visitor = await visit(server.url);
    const registered = await visitor.post('/auth/register', {
      ...{ name: 'Stranger', email: to, password: PASSWORD },
    });
    expect(codeOf(registered)).toBe('EMAIL_TAKEN');
    const tim = await join();
    await tim.post('/user/invitations', { email: to });
    later(UNDO_DAYS);
    await server.activateChanges();
    expect(await addressesFor(ada)).toMatchObject({ email: to });
  });

  it('gives way to who has registered with the new address before that was confirmed', async () => {
    const { ada, main, to } = await begun();
    const token = await tokenTo(server, to, '/auth/confirm-email');
    const visitor = await visit(server.url);
    await visitor.post('/auth/register', { name: 'Stranger', email: to, password: PASSWORD });
    const pressed = await visitor.post('/auth/confirm-email', { token });
    expect(codeOf(pressed)).toBe('EMAIL_TAKEN');
    // In the same moment, neither had seen the other.
    const { db, clock } = server.deps;
    const ofAda = eq(accountChanges.userId, ada.user.id);
    await db
      .update(accountChanges)
      .set({ confirmedAt: clock.now() })
      .where(and(ofAda, eq(accountChanges.slot, 'main')));
    later(UNDO_DAYS);
    await server.activateChanges();
    expect(await addressesFor(ada)).toMatchObject({ email: main, pending: [] });
  });

  it('opens nothing: whoever has the new address waits for those of before once more', async () => {
    const { main, to } = await begun();
    await confirm(server, to);
    later(UNDO_DAYS);
    await server.activateChanges();
    expect((await resetBy(server, to, 'a new one')).countsFrom).toBeDefined();
    expect(codeOf(await signInAs(server, to, 'a new one'))).toBe('INVALID_CREDENTIALS');
    expect(codeOf(await signInAs(server, main))).toBe('INVALID_CREDENTIALS');
  });

  it('is over once a new password has taken effect, with which nobody has signed in yet', async () => {
    const { main, second, to } = await begun();
    await confirm(server, to);
    await resetBy(server, second, 'a new one');
    await answerFor(server, main, true);
    later(UNDO_DAYS);
    await server.activateChanges();
    expect(codeOf(await signInAs(server, to, 'a new one'))).toBe('INVALID_CREDENTIALS');
    expect(codeOf(await signInAs(server, main))).toBe('INVALID_CREDENTIALS');
    expect(codeOf(await signInAs(server, main, 'a new one'))).toBe(200);
  });

  it('is stopped by any address of before, whose owner stays signed in', async () => {
    const { ada, main, second, to } = await begun();
    await confirm(server, to);
    expect(codeOf(await undo(server, second))).toBe(200);
    expect(codeOf(await undo(server, main))).toBe('INVALID_ADDRESS_LINK');
    expect(await addressesFor(ada)).toMatchObject({ email: main, pending: [] });
    expect(codeOf(await signInAs(server, main))).toBe(200);
    later(UNDO_DAYS);
    await server.activateChanges();
    expect(await addressesFor(ada)).toMatchObject({ email: main });
  });

  it('is stopped by its owner who can sign in, and by the operator', async () => {
    const first = await begun();
    await confirm(server, first.to);
    await first.ada.delete('/user/addresses/main/pending');
    const second = await begun();
    await confirm(server, second.to);
    const withdrawn = await operate('withdraw-change', second.main, '--reason', 'it was a mistake');
    expect(withdrawn.ok).toBe(true);
    later(UNDO_DAYS);
    await server.activateChanges();
    for (const { ada, main } of [first, second]) {
      expect(await addressesFor(ada)).toMatchObject({ email: main, pending: [] });
    }
  });

  it('needs a reason, and leaves it in the trace, without an address', async () => {
    const ada = await join();
    const { ok, lines } = await operate(
      'change-address',
      '--from',
      ada.user.email,
      '--to',
      newAddress(),
    );
    expect([ok, lines[0]]).toEqual([false, expect.stringContaining('Please give a reason')]);
    expect((await operate('change-address', '--to', newAddress(), '--reason', 'x')).ok).toBe(false);
    await begin(ada.user.email, newAddress());
    const ofAda = eq(operatorActions.userId, ada.user.id);
    const rows = await server.deps.db.select().from(operatorActions).where(ofAda);
    expect(rows).toMatchObject([{ command: 'change-address' }]);
    expect(JSON.stringify(rows)).not.toContain('@');
  });

  it('is refused for an address of somebody else, and for nobody', async () => {
    const [ada, tim] = [await join(), await join()];
    expect((await begin(ada.user.email, tim.user.email)).lines[0]).toContain('already exists');
    expect((await begin(newAddress(), newAddress())).lines[0]).toContain('Nobody has an account');
    expect((await begin(ada.user.email, ada.user.email)).lines[0]).toContain('already');
  });

  it('is refused for an address that was invited, until that invitation is refused', async () => {
    const [ada, tim] = [await join(), await join()];
    const to = newAddress();
    await tim.post('/user/invitations', { email: to });
    const { ok, lines } = await begin(ada.user.email, to);
    expect([ok, lines[0]]).toEqual([
      false,
      expect.stringContaining("Once the account's owner is signed in, they can change to this one"),
    ]);
    expect(await addressesFor(ada)).toMatchObject({ pending: [] });
    const link = await server.mailedLink(to, '/auth');
    const token = secretIn(link, 'invitation');
    const refused = await (await visit(server.url)).post('/auth/refuse-invitation', { token });
    expect(refused.status).toBe(200);
    expect((await begin(ada.user.email, to)).ok).toBe(true);
  });
});
