import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { readQueues } from '../../server/db/emails/queues.ts';
import { capsules, operatorActions } from '../../server/db/schema.ts';
import { getCapsule } from '../../shared/api/capsules.ts';
import { allSent, codeOf, resetBy, signInAs, visit } from '../support/addresses.ts';
import { capsuleFields, seal } from '../support/capsules.ts';
import { answerOf, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { pdf } from '../support/fixtures.ts';
import { runAdmin } from '../support/run-admin.ts';
import { sharedServer } from '../support/server.ts';

const contact = { email: 'family@capsules.example', links: [], imprintUrl: null, termsUrl: null };
const server = sharedServer({ clock: '2029-12-20T12:00:00Z', config: { contact } });
const CLOSED = {
  code: 'ACCOUNT_SUSPENDED',
  message: 'This account is suspended. Write to family@capsules.example if you have questions.',
};

const operate = (...args: string[]) => runAdmin(server, args);
const suspend = async (person: string) =>
  expect(await operate('suspend', person, '--reason', 'sends threats', '--yes')).toMatchObject({
    ok: true,
  });
const resume = async (person: string) =>
  expect(await operate('resume', person, '--reason', 'apologised', '--yes')).toMatchObject({
    ok: true,
  });
const join = () => signUp(server.url, `Person ${randomUUID()}`.slice(0, 40));
const signsIn = ({ user, password }: SignedIn) => signInAs(server, user.email, password);
const opened = (email: string) =>
  server.mailer.sent.filter(({ kind, to }) => kind === 'capsule-opened' && to === email);

describe('a suspended person', () => {
  let mallory: SignedIn;
  beforeEach(async () => {
    server.clock.set('2029-12-20T12:00:00Z');
    mallory = await join();
  });

  it('is signed out everywhere, and told why only after the right password', async () => {
    const elsewhere = await signsIn(mallory);
    expect(elsewhere.status).toBe(200);
    await suspend(mallory.user.email);
    expect(codeOf(await mallory.get('/user/me'))).toBe('UNAUTHENTICATED');
    expect(codeOf(await mallory.createCapsule(capsuleFields(mallory)))).toBe('UNAUTHENTICATED');
    const answer = await signsIn(mallory);
    expect([answer.status, answer.json]).toEqual([403, CLOSED]);
    expect(answer.headers.getSetCookie().join()).not.toMatch(/session=[^;]/);
    const guessed = await signInAs(server, mallory.user.email, 'a guess');
    expect([guessed.status, codeOf(guessed)]).toEqual([401, 'INVALID_CREDENTIALS']);
    await resume(mallory.user.email);
    expect((await signsIn(mallory)).status).toBe(200);
  });

  it('gets in by no link, and by no other password', async () => {
    await suspend(mallory.user.email);
    const { email } = mallory.user;
    await resetBy(server, email, 'another one');
    expect(codeOf(await signInAs(server, email, 'another one'))).toBe('ACCOUNT_SUSPENDED');
    // With a hash that was checked before the suspension, as a sign-in under way has it.
    const passwordHash = await server.deps.passwords.hash('x');
    const userId = mallory.user.id;
    const create = () => server.deps.sessions.create({ userId, passwordHash });
    expect(await create()).toBeNull();
    expect(codeOf(await (await visit(server.url)).get('/user/me'))).toBe('UNAUTHENTICATED');
  });

  it('cannot come back by an invitation of the same address', async () => {
    const ben = await join();
    await suspend(mallory.user.email);
    const { link } = (await ben.post('/user/invitations', { email: mallory.user.email })).json as {
      link: string | null;
    };
    expect(link).toBeNull();
    const again = { name: 'M', email: mallory.user.email, password: PASSWORD };
    expect(codeOf(await (await visit(server.url)).post('/auth/register', again))).toBe(
      'EMAIL_TAKEN',
    );
    expect(await operate('invite', mallory.user.email, '--yes')).toMatchObject({ ok: false });
  });

  it('has nothing announced until they are resumed; what has opened can be read', async () => {
    const ben = await join();
    const capsule = await seal(mallory, ben, { dateToUnlock: '2030-01-01' });
    await suspend(mallory.user.email);
    server.clock.set('2030-01-02T00:00:00Z');
    await server.announce();
    await allSent(server);
    expect(opened(ben.user.email)).toEqual([]);
    expect(await readQueues(server.deps.db, server.clock.now())).toMatchObject({
      unlockedAt: null,
    });
    expect(answerOf(getCapsule, await ben.get(`/api/capsules/${capsule.id}`))).toMatchObject({
      locked: false,
    });
    // Others' capsules are announced as ever.
    const other = await seal(ben, ben, { dateToUnlock: '2030-01-03' });
    server.clock.set('2030-01-04T00:00:00Z');
    await server.announce();
    await allSent(server);
    expect(opened(ben.user.email).map(({ text }) => text)).toEqual([
      expect.stringContaining(other.title),
    ]);
    await resume(mallory.user.email);
    await server.announce();
    await allSent(server);
    expect(opened(ben.user.email)).toHaveLength(2);
    expect(opened(mallory.user.email)).toHaveLength(1);
  });

  it('has no email sent that was queued before, until they are resumed', async () => {
    const ben = await join();
    const waiting = () =>
      server.mailer.sent.filter(
        ({ kind, to }) => kind === 'capsule-waiting' && to === ben.user.email,
      );
    server.mailer.failNext(1);
    await seal(mallory, ben, { dateToUnlock: '2040-01-01', notifyRecipient: true });
    await allSent(server);
    await suspend(mallory.user.email);
    const hour = { ms: 3_600_000 };
    for (let tries = 0; tries < 3; tries += 1) {
      server.clock.advance(hour);
      server.deps.mailQueued();
      await allSent(server);
    }
    expect(waiting()).toEqual([]);
    await resume(mallory.user.email);
    // The last look may still be under way, and waits an hour from then.
    server.clock.advance({ ms: 2 * hour.ms });
    server.deps.mailQueued();
    await expect.poll(waiting).toHaveLength(1);
  });

  it('seals nothing by a request that was under way', async () => {
    const { files, db } = server.deps;
    const { write } = files;
    const { user } = mallory;
    files.write = async (...args) => {
      const written = await write.apply(files, args);
      await suspend(user.id);
      return written;
    };
    const answer = await mallory.createCapsule(capsuleFields(mallory), [pdf()]);
    files.write = write;
    expect(codeOf(answer)).toBe('UNAUTHENTICATED');
    expect(await db.$count(capsules, eq(capsules.creatorId, user.id))).toBe(0);
  });
});

describe('the commands', () => {
  it('ask with name and address, do nothing without a yes, and leave a trace', async () => {
    const eve = await join();
    const asked: string[] = [];
    const run = (answer: string | null) =>
      runAdmin(server, ['suspend', eve.user.id, '--reason', 'a mistake'], async (question) => {
        asked.push(question);
        return answer;
      });
    expect(await run('y')).toMatchObject({ ok: false, lines: ['Nothing was done.'] });
    expect(asked[0]).toContain(`${eve.user.name} <${eve.user.email}>`);
    expect((await eve.get('/user/me')).status).toBe(200);
    expect(await run('yes')).toMatchObject({ ok: true });
    expect((await run('yes')).lines).toEqual([`${eve.user.email} is suspended already.`]);
    const people = JSON.parse((await operate('people', eve.user.email, '--json')).lines.join(''));
    expect(people).toMatchObject([{ state: 'suspended' }]);
    await resume(eve.user.id);
    expect(await operate('resume', eve.user.id, '--reason', 'x', '--yes')).toMatchObject({
      ok: false,
    });
    const trace = await server.deps.db
      .select({ command: operatorActions.command, reason: operatorActions.reason })
      .from(operatorActions)
      .where(eq(operatorActions.userId, eve.user.id));
    expect(trace).toEqual([
      { command: 'suspend', reason: 'a mistake' },
      { command: 'resume', reason: 'apologised' },
    ]);
  });

  it('refuse who is nobody, and say how to find people', async () => {
    const how = 'A part of a name or an address finds people: npm run admin -- people <text>';
    for (const nobody of [randomUUID(), 'nobody@example.org']) {
      const { ok, lines } = await operate('suspend', nobody, '--reason', 'x', '--yes');
      expect([ok, lines]).toEqual([false, [`Nobody has an account with ${nobody}. ${how}`]]);
    }
    expect(await operate('suspend', 'Eve', '--reason', 'x', '--yes')).toMatchObject({
      lines: [
        `This is no address and no id: "Eve". ${how}`,
        'Usage: npm run admin -- suspend <person> --reason <text>',
      ],
    });
  });
});
