import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressChanges, operatorActions } from '../../server/db/schema.ts';
import { admin } from '../../server/operator/admin.ts';
import { DAY_MS, UNDO_DAYS } from '../../shared/limits.ts';
import {
  addressesFor,
  addSecond,
  allSent,
  codeOf,
  confirm,
  confirmMain,
  moveTo,
  newAddress,
  resetBy,
  signInAs,
  tokenTo,
  undo,
  visit,
} from '../support/addresses.ts';
import { PASSWORD, signUp } from '../support/client.ts';
import { secretIn } from '../support/links.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();
// The operator's command goes by the real time.
beforeEach(() => server.clock.set(new Date().toISOString()));
let people = 0;
const join = () => {
  people += 1;
  return signUp(server.url, `Lost ${people}`);
};

const operate = (...args: string[]) =>
  admin({ DATA_DIR: '/nowhere', APP_URL: server.url }, args, (_config, _log, work) =>
    work(server.deps.db, { url: '' } as never),
  );
const begin = (from: string, to: string) =>
  operate('change-address', '--from', from, '--to', to, '--reason', 'lost both, showed a passport');

async function begun() {
  const ada = await join();
  const [main, second, to] = [ada.user.email, await addSecond(server, ada), newAddress()];
  await allSent(server);
  server.mailer.clear();
  const { ok, lines } = await begin(main, to);
  expect([ok, lines.join('\n')]).toEqual([true, expect.stringContaining(to)]);
  server.deps.mailQueued();
  await allSent(server);
  return { ada, main, second, to };
}
const later = (days: number) => {
  server.clock.advance({ ms: days * DAY_MS });
  server.deps.mailQueued();
};

describe('a change of the main address by an operator', () => {
  it('is told to every address of before, and sends its link after seven days without an objection', async () => {
    const { ada, main, second, to } = await begun();
    expect(server.mailer.sent.map((mail) => mail.to).sort()).toEqual([main, second].sort());
    for (const { text } of server.mailer.sent) expect(text).not.toContain(to);
    expect(await addressesFor(ada)).toMatchObject({ email: main, pending: [{ email: to }] });
    later(UNDO_DAYS - 1);
    await allSent(server);
    expect(server.mailer.sent).toHaveLength(2);
    later(1);
    expect(await confirm(server, to)).toMatchObject({ which: 'main', email: to });
    // Who had the address of before can undo it for seven more days.
    expect(codeOf(await undo(server, main))).toBe(200);
  });

  it('opens nothing: whoever has the new address waits for those of before once more', async () => {
    const { main, to } = await begun();
    later(UNDO_DAYS);
    await confirm(server, to);
    expect((await resetBy(server, to, 'a new one')).countsFrom).toBeDefined();
    expect(codeOf(await signInAs(server, to, 'a new one'))).toBe('INVALID_CREDENTIALS');
    expect(codeOf(await signInAs(server, main))).toBe('INVALID_CREDENTIALS');
  });

  it('is over once a new password has taken effect, with which nobody has signed in yet', async () => {
    const { main, second, to } = await begun();
    await resetBy(server, second, 'a new one');
    later(UNDO_DAYS);
    const token = await tokenTo(server, to, '/auth/confirm-email');
    await server.activatePasswords();
    const pressed = await (await visit(server.url)).post('/auth/confirm-email', { token });
    expect(codeOf(pressed)).toBe('INVALID_ADDRESS_LINK');
    expect(codeOf(await signInAs(server, main))).toBe('INVALID_CREDENTIALS');
    expect(codeOf(await signInAs(server, main, 'a new one'))).toBe(200);
  });

  it('is stopped by any address of before, whose owner stays signed in', async () => {
    const { ada, main, second, to } = await begun();
    expect(codeOf(await undo(server, second))).toBe(200);
    expect(codeOf(await undo(server, main))).toBe('INVALID_ADDRESS_LINK');
    expect(await addressesFor(ada)).toMatchObject({ email: main, pending: [] });
    expect(codeOf(await signInAs(server, main))).toBe(200);
    later(UNDO_DAYS);
    await allSent(server);
    expect(server.mailer.sent.filter((mail) => mail.to === to)).toEqual([]);
  });

  it('is stopped by its owner who can sign in, and by the operator', async () => {
    const first = await begun();
    await first.ada.delete('/user/addresses/main/pending');
    const second = await begun();
    const withdrawn = await operate('withdraw-change', second.main, '--reason', 'it was a mistake');
    expect(withdrawn.ok).toBe(true);
    for (const { ada } of [first, second]) {
      expect(
        await server.deps.db.$count(addressChanges, eq(addressChanges.userId, ada.user.id)),
      ).toBe(1);
    }
    later(UNDO_DAYS);
    await allSent(server);
    const told = server.mailer.sent.map(({ to }) => to);
    for (const { to } of [first, second]) expect(told).not.toContain(to);
  });

  it('waits the seven days by its own row, even if the email is due before', async () => {
    const { to } = await begun();
    await server.deps.db.execute(`update mails set next_attempt_at = '2020-01-01'
      where kind = 'confirm-address' and state = 'queued'`);
    server.deps.mailQueued();
    await allSent(server);
    expect(server.mailer.sent.filter((mail) => mail.to === to)).toEqual([]);
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

it('an operator ends the say of an address of which a change was undone', async () => {
  const ada = await join();
  await confirmMain(server, ada);
  const [before, thiefs] = [ada.user.email, newAddress()];
  await moveTo(server, ada, thiefs);
  server.clock.advance({ ms: 3_600_000 });
  await undo(server, before);
  const { countsFrom } = await resetBy(server, before, 'a new one');
  expect(countsFrom).toBeDefined();
  const token = await tokenTo(server, thiefs, '/auth/new-password');
  await (await visit(server.url)).post('/auth/new-password', { token, isMine: false });
  const decided = await operate('withdraw-change', before, '--reason', 'a thief objects');
  expect(decided.ok).toBe(true);
  expect((await resetBy(server, before, PASSWORD)).countsFrom).toBeUndefined();
  expect(codeOf(await signInAs(server, before))).toBe(200);
});
