import { randomUUID } from 'node:crypto';
import { eq, isNotNull } from 'drizzle-orm';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { capsules, operatorActions, users } from '../../server/db/schema.ts';
import { deleteAccounts } from '../../server/jobs/delete-accounts.ts';
import { sendDueEmails } from '../../server/jobs/send-emails.ts';
import { getCapsule } from '../../shared/api/capsules.ts';
import { DAY_MS } from '../../shared/limits.ts';
import {
  addSecond,
  allSent,
  codeOf,
  confirmMain,
  forgetEmails,
  signInAs,
} from '../support/addresses.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { failChangesOf } from '../support/failing-changes.ts';
import { GO_ON } from '../support/mail-world.ts';
import { runAdmin } from '../support/run-admin.ts';
import { sharedServer, startTestServer } from '../support/server.ts';

const contact = { email: 'family@capsules.example', links: [], imprintUrl: null, termsUrl: null };
const server = sharedServer({ config: { contact } });
// The operator's command goes by the real time.
beforeEach(() => server.clock.set(new Date().toISOString()));

const join = () => signUp(server.url, `Person ${randomUUID()}`.slice(0, 40));
const operate = (...args: string[]) => runAdmin(server, args);
const order = (person: SignedIn, capsules: '--deliver' | '--destroy') =>
  operate('delete-account', person.user.id, capsules, '--reason', 'sells the site', '--yes');
async function later(days: number): Promise<void> {
  server.clock.advance({ ms: days * DAY_MS });
  await deleteAccounts(server.deps, GO_ON);
}
async function emailsOf(kind: string) {
  server.deps.mailQueued();
  await allSent(server);
  return server.mailer.sent.filter((mail) => mail.kind === kind);
}
const exists = async ({ user }: SignedIn) =>
  (await server.deps.db.$count(users, eq(users.id, user.id))) > 0;
const UNLOCKS = '2099-01-01';

describe('an account that an operator deletes', () => {
  it('is announced to all of its addresses, and is there for a week', async () => {
    const eve = await join();
    await confirmMain(server, eve);
    const second = await addSecond(server, eve);
    await forgetEmails(server);
    expect(await order(eve, '--deliver')).toMatchObject({ ok: true });
    const sent = await emailsOf('deletion-announced');
    expect(sent.map(({ to }) => to).sort()).toEqual([eve.user.email, second].sort());
    expect(sent[0]?.text).toContain('will still be delivered');
    expect(sent[0]?.text).toContain('family@capsules.example');
    await later(6.9);
    expect((await eve.get('/user/export')).status).toBe(200);
    await later(0.2);
    expect(await exists(eve)).toBe(false);
    expect(codeOf(await eve.get('/user/me'))).toBe('UNAUTHENTICATED');
    expect(codeOf(await signInAs(server, eve.user.email, PASSWORD))).toBe('INVALID_CREDENTIALS');
    const last = await emailsOf('account-deleted');
    expect(last.map(({ to }) => to)).toEqual([eve.user.email]);
    expect(last[0]?.text).toContain('please write to family@capsules.example.');
  });

  it('stops no other one if it fails', async () => {
    const [eve, tim] = [await join(), await join()];
    for (const person of [eve, tim]) await order(person, '--deliver');
    const mend = await failChangesOf(server.deps.db, eve.user.id);
    const logged = vi.spyOn(server.deps.log, 'error').mockImplementation(() => {});
    await later(7.1).finally(mend);
    expect([await exists(eve), await exists(tim)]).toEqual([true, false]);
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
    await later(0);
    expect(await exists(eve)).toBe(false);
  });

  it.each([
    ['--deliver', 200],
    ['--destroy', 'CAPSULE_NOT_FOUND'],
  ] as const)('%s decides about what is sealed for others', async (choice, found) => {
    const [eve, ben] = [await join(), await join()];
    const own = await seal(eve, eve, { dateToUnlock: UNLOCKS });
    const { id } = await seal(eve, ben, { dateToUnlock: UNLOCKS });
    await order(eve, choice);
    const read = () => ben.get(`/api/capsules/${id}`);
    expect(answerOf(getCapsule, await read())).toMatchObject({ senderName: eve.user.name });
    await later(7);
    const answer = await read();
    expect(codeOf(answer)).toBe(found);
    // Nothing opens early by it.
    if (found === 200) {
      expect(answer.json).toMatchObject({ locked: true, senderName: eve.user.name });
    }
    const { db } = server.deps;
    expect(await db.$count(capsules, eq(capsules.id, own.id))).toBe(0);
  });

  it('stays where the operator says so before, and is told nothing that is over', async () => {
    // Its own pass over the emails could fall between the two commands.
    const idle = await startTestServer({ config: { contact, jobs: false } });
    onTestFinished(idle.close);
    const eve = await signUp(idle.url, 'Eve');
    const keep = () =>
      runAdmin(idle, ['keep-account', eve.user.id, '--reason', 'a mistake', '--yes']);
    const destroy = ['--destroy', '--reason', 'sells the site', '--yes'];
    await runAdmin(idle, ['delete-account', eve.user.id, ...destroy]);
    expect(await keep()).toMatchObject({ ok: true });
    await sendDueEmails(idle.deps, GO_ON);
    expect(idle.mailer.sent).toEqual([]);
    idle.clock.advance({ ms: 8 * DAY_MS });
    await deleteAccounts(idle.deps, GO_ON);
    expect(await idle.deps.db.$count(users, eq(users.id, eve.user.id))).toBe(1);
    expect(await keep()).toMatchObject({ ok: false });
  });

  it('is there for a week by the clock of the server, where the machine of the operator is behind', async () => {
    const ahead = new Date(Date.now() + 30 * DAY_MS);
    const idle = await startTestServer({ clock: ahead.toISOString(), config: { jobs: false } });
    onTestFinished(idle.close);
    const eve = await signUp(idle.url, 'Eve');
    const destroy = ['--destroy', '--reason', 'sells the site', '--yes'];
    await runAdmin(idle, ['delete-account', eve.user.id, ...destroy]);
    for (const [days, left] of [
      [6.9, 1],
      [0.2, 0],
    ] as const) {
      idle.clock.advance({ ms: days * DAY_MS });
      await deleteAccounts(idle.deps, GO_ON);
      expect(await idle.deps.db.$count(users, eq(users.id, eve.user.id))).toBe(left);
    }
  });

  it('says to a suspended person that they cannot sign in', async () => {
    const eve = await join();
    await forgetEmails(server);
    await operate('suspend', eve.user.email, '--reason', 'threats', '--yes');
    await order(eve, '--destroy');
    const [mail] = await emailsOf('deletion-announced');
    expect(mail?.text).toContain("You can't sign in until then");
    expect(mail?.text).toContain('will be deleted with it');
    await later(7);
    expect(await exists(eve)).toBe(false);
  });

  it('is deleted once by several servers, and not at all by a row that was withdrawn', async () => {
    const [eve, mia] = [await join(), await join()];
    await order(eve, '--deliver');
    await order(mia, '--deliver');
    await forgetEmails(server);
    server.clock.advance({ ms: 7 * DAY_MS });
    await Promise.all(Array.from({ length: 4 }, () => deleteAccounts(server.deps, GO_ON)));
    expect([await exists(eve), await exists(mia)]).toEqual([false, false]);
    expect(await emailsOf('account-deleted')).toHaveLength(2);
  });

  it('takes a word about the capsules, a reason and a yes, and leaves a trace', async () => {
    const eve = await join();
    const { email } = eve.user;
    for (const said of [[], ['--deliver', '--destroy']]) {
      const { ok, lines } = await operate(
        'delete-account',
        email,
        ...said,
        '--reason',
        'x',
        '--yes',
      );
      expect([ok, lines[0]]).toEqual([false, expect.stringContaining('--deliver, or --destroy')]);
    }
    expect(await operate('delete-account', email, '--deliver', '--yes')).toMatchObject({
      ok: false,
    });
    const { lines } = await operate('delete-account', email, '--deliver', '--reason', 'x');
    expect(lines[0]).toContain(
      `${eve.user.name} <${email}>: Their account would be deleted in 7 days`,
    );
    expect(await server.deps.db.$count(users, isNotNull(users.deletionDueAt))).toBe(0);
    await order(eve, '--deliver');
    expect((await order(eve, '--destroy')).lines[0]).toContain('is ordered already');
    const [listed] = JSON.parse((await operate('people', email, '--json')).lines.join(''));
    expect(listed.deletedOn).toMatch(/^20/);
    const trace = await server.deps.db
      .select({ command: operatorActions.command, reason: operatorActions.reason })
      .from(operatorActions)
      .where(eq(operatorActions.userId, eve.user.id));
    expect(trace).toEqual([{ command: 'delete-account --deliver', reason: 'sells the site' }]);
  });
});
