import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { operatorActions, users } from '../../server/db/schema.ts';
import { openInvitation } from '../../shared/api/invitations.ts';
import { getContact, getSiteLimits } from '../../shared/api/site.ts';
import { codeOf, forgetEmails, newAddress, signInAs, visit } from '../support/addresses.ts';
import { capsuleFields } from '../support/capsules.ts';
import { answerOf, PASSWORD, type SignedIn, signUp, type TestClient } from '../support/client.ts';
import { secretIn } from '../support/links.ts';
import { runAdmin } from '../support/run-admin.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

const CONTACT = { email: 'family@capsules.example', links: [] };
const CLOSED = 'REGISTRATION_CLOSED';

/** Somebody who registered before the operator closed the door. */
async function joinBefore({ url, deps }: TestServer, name: string): Promise<SignedIn> {
  const { registration } = deps.config;
  deps.config.registration = 'open';
  try {
    return await signUp(url, name);
  } finally {
    deps.config.registration = registration;
  }
}

const registering = (client: TestClient, email: string, invitation?: string) =>
  client.post('/auth/register', { name: 'New', email, password: PASSWORD, invitation });

/** The token of the link that an operator is shown. */
async function inviteAsOperator(server: TestServer, email: string): Promise<string> {
  const { ok, lines } = await runAdmin(server, ['invite', email, '--yes', '--json']);
  expect([ok, lines]).toEqual([true, lines]);
  const [{ link }] = JSON.parse(lines.join(''));
  return secretIn(new URL(link), 'invitation');
}

const rowsOf = ({ deps }: TestServer, email: string) =>
  deps.db.select().from(users).where(eq(users.email, email));

describe('where only invited people can register', () => {
  const server = sharedServer({ config: { registration: 'invited', contact: CONTACT } });
  let anna: SignedIn;
  let visitor: TestClient;
  beforeAll(async () => {
    anna = await joinBefore(server, 'Anna');
    visitor = await visit(server.url);
  });

  it('the form is refused, with whom to ask', async () => {
    const email = newAddress();
    const answer = await registering(visitor, email);
    expect(answer.status).toBe(403);
    expect(answer.json).toEqual({
      code: CLOSED,
      message: 'This site is by invitation. To get one, write to family@capsules.example.',
    });
    expect(await rowsOf(server, email)).toEqual([]);
    expect(answerOf(getContact, await visitor.get('/api/contact'))).toMatchObject({
      registration: 'invited',
    });
  });

  it('an invitation link makes the account, and no other way does', async () => {
    const email = newAddress();
    const { link } = (await anna.post('/user/invitations', { email })).json as { link: string };
    expect(codeOf(await registering(visitor, email))).toBe(CLOSED);
    expect(codeOf(await registering(visitor, email, 'guessed'))).toBe('INVALID_INVITATION');
    const token = secretIn(new URL(link), 'invitation');
    expect(codeOf(await registering(visitor, email, token))).toBe(201);
    expect(codeOf(await signInAs(server, email, PASSWORD))).toBe(200);
  });

  it('who registered before signs in and gets a new password as ever', async () => {
    await visitor.post('/auth/forgot-password', { email: anna.user.email });
    const link = await server.mailedLink(anna.user.email, '/auth/reset-password');
    const answer = await visitor.post(`/auth/reset-password${link.search}`, { password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(codeOf(await signInAs(server, anna.user.email, PASSWORD))).toBe(200);
  });
});

describe('where addresses are confirmed and only invited people can register', () => {
  const server = sharedServer({
    config: { registration: 'invited', emailVerification: true, contact: CONTACT },
  });

  it('an invited address cannot just register', async () => {
    const anna = await joinBeforeAndConfirm(server, 'Anna');
    const email = newAddress();
    await anna.post('/user/invitations', { email });
    const visitor = await visit(server.url);
    expect(codeOf(await registering(visitor, email))).toBe(CLOSED);
    const token = secretIn(await server.mailedLink(email, '/auth'), 'invitation');
    expect(codeOf(await registering(visitor, email, token))).toBe(201);
    expect(codeOf(await signInAs(server, email, PASSWORD))).toBe(200);
  });

  it('an operator’s link makes an account that still has to be confirmed', async () => {
    const email = newAddress();
    const visitor = await visit(server.url);
    const token = await inviteAsOperator(server, email);
    expect(codeOf(await registering(visitor, email, token))).toBe(201);
    expect(codeOf(await signInAs(server, email, PASSWORD))).toBe('EMAIL_NOT_VERIFIED');
    const link = await server.mailedLink(email, '/auth/verify-email');
    await visitor.post('/auth/verify-email', { token: secretIn(link, 'token') });
    expect(codeOf(await signInAs(server, email, PASSWORD))).toBe(200);
  });

  it('an operator is shown no link behind which others’ letters wait', async () => {
    const anna = await joinBeforeAndConfirm(server, 'Ben');
    const email = newAddress();
    await anna.post('/user/invitations', { email });
    await forgetEmails(server);
    const { lines } = await runAdmin(server, ['invite', email, '--yes']);
    expect(lines.join('\n')).toContain('We email them their link');
    expect(lines.join('\n')).not.toContain('http');
    server.deps.mailQueued();
    const token = secretIn(await server.mailedLink(email, '/auth'), 'invitation');
    // They have asked for nothing, and may not know whose letter waits.
    const text = server.mailer.sent.findLast(({ to }) => to === email)?.text;
    expect(text).toContain('Whoever runs this site has let you in.');
    expect(text).not.toMatch(/asked|new password|reset/);
    expect(codeOf(await registering(await visit(server.url), email, token))).toBe(201);
  });

  it('an operator lets in who has registered by a link to confirm the address', async () => {
    const email = newAddress();
    server.deps.config.registration = 'open';
    await registering(await visit(server.url), email);
    server.deps.config.registration = 'invited';
    await forgetEmails(server);
    expect(await runAdmin(server, ['invite', email, '--yes'])).toMatchObject({ ok: true });
    server.deps.mailQueued();
    await server.mailedLink(email, '/auth/verify-email');
    expect(server.mailer.sent.findLast(({ to }) => to === email)?.text).not.toContain('password');
  });
});

describe('where registration is closed', () => {
  const server = sharedServer({ config: { registration: 'closed', contact: CONTACT } });
  let anna: SignedIn;
  let visitor: TestClient;
  beforeAll(async () => {
    anna = await joinBefore(server, 'Anna');
    visitor = await visit(server.url);
  });

  /** Invited before the door was closed. @returns the address and the token of the link */
  async function invitedBefore() {
    const email = newAddress();
    server.deps.config.registration = 'open';
    const { link } = (await anna.post('/user/invitations', { email })).json as { link: string };
    server.deps.config.registration = 'closed';
    return { email, token: secretIn(new URL(link), 'invitation') };
  }

  it('every door is closed', async () => {
    const { email, token } = await invitedBefore();
    expect(codeOf(await registering(visitor, newAddress()))).toBe(CLOSED);
    expect(codeOf(await registering(visitor, email))).toBe(CLOSED);
    expect(codeOf(await registering(visitor, email, token))).toBe(CLOSED);
    // A link that an invited person asks for at the sign-in.
    await forgetEmails(server);
    await visitor.post('/auth/forgot-password', { email });
    const asked = secretIn(await server.mailedLink(email, '/auth'), 'invitation');
    expect(codeOf(await registering(visitor, email, asked))).toBe(CLOSED);
    const text = server.mailer.sent.findLast(({ to }) => to === email)?.text;
    expect(text).toContain(
      'To get an account, write to family@capsules.example. Whatever was sealed for you waits.',
    );
    expect(text).not.toMatch(/Choose a name|Create your account/);
    // What an app that knows nothing of it has queued.
    const queued = await anna.post('/user/invitations', { email: newAddress() });
    expect([queued.status, codeOf(queued)]).toEqual([403, CLOSED]);
    expect(queued.json).toMatchObject({ message: expect.stringContaining(CONTACT.email) });
    // Nor is a new link offered.
    const limits = answerOf(getSiteLimits, await anna.get('/api/limits'));
    expect(limits).toMatchObject({ handsOverInvitations: false });
    const [row] = await rowsOf(server, email);
    expect(row?.passwordHash).toBeNull();
  });

  it('a link says that it is closed, and still refuses', async () => {
    const { email, token } = await invitedBefore();
    const found = answerOf(openInvitation, await visitor.post('/auth/invitation', { token }));
    expect(found).toMatchObject({ email, isClosed: true });
    expect((await visitor.post('/auth/refuse-invitation', { token })).status).toBe(200);
    expect(await rowsOf(server, email)).toEqual([]);
  });

  it('whom was invited before still gets letters', async () => {
    const { email } = await invitedBefore();
    expect(codeOf(await anna.createCapsule(capsuleFields({ user: { email } })))).toBe(201);
  });

  it('an operator’s link makes an account, and a newer one replaces it', async () => {
    const email = newAddress();
    const first = await inviteAsOperator(server, email);
    const token = await inviteAsOperator(server, email);
    expect(codeOf(await registering(visitor, email, first))).toBe('INVALID_INVITATION');
    const found = answerOf(openInvitation, await visitor.post('/auth/invitation', { token }));
    expect(found).toEqual({ email, name: null, inviterName: null, isByOperator: true });
    expect(codeOf(await registering(visitor, newAddress(), token))).toBe('VALIDATION_FAILED');
    expect(codeOf(await registering(visitor, email, token))).toBe(201);
    expect(codeOf(await signInAs(server, email, PASSWORD))).toBe(200);
    const [person] = await rowsOf(server, email);
    const trace = await server.deps.db
      .select({ command: operatorActions.command })
      .from(operatorActions)
      .where(eq(operatorActions.userId, String(person?.id)));
    expect(trace).toEqual([{ command: 'invite' }, { command: 'invite' }]);
  });

  it('an operator lets in whom others have invited before', async () => {
    const { email, token } = await invitedBefore();
    const namesThem = async (state: string) =>
      (await runAdmin(server, ['people', state])).lines.some((line) => line.includes(email));
    expect([await namesThem('invited'), await namesThem('let in')]).toEqual([true, false]);
    await runAdmin(server, ['invite', email, '--yes']);
    expect([await namesThem('invited'), await namesThem('let in')]).toEqual([false, true]);
    expect(codeOf(await registering(visitor, email, token))).toBe(201);
  });

  it('an operator invites nobody who has an account, and nobody by mistake', async () => {
    const taken = await runAdmin(server, ['invite', anna.user.email, '--yes']);
    expect(taken).toMatchObject({ ok: false, lines: [expect.stringContaining('has an account')] });
    const email = newAddress();
    const asked: string[] = [];
    const answering = (answer: string | null) =>
      runAdmin(server, ['invite', email], async (question) => {
        asked.push(question);
        return answer;
      });
    const no = await answering('no');
    expect(no).toMatchObject({ ok: false, lines: ['Nothing was done.'] });
    const aborting = () => Promise.reject(new Error('Aborted with Ctrl+C'));
    expect(await runAdmin(server, ['invite', email], aborting)).toEqual(no);
    expect(await answering(null)).toMatchObject({
      lines: [expect.stringContaining('add --yes')],
    });
    expect(asked[0]).toContain(email);
    expect(await rowsOf(server, email)).toEqual([]);
    const done = await answering('yes');
    expect(done).toMatchObject({ ok: true, lines: [expect.stringContaining('works for a year')] });
    // The server of this test is at 127.0.0.1, which the operator's readers can't reach.
    expect(done.lines[0]).toContain('APP_URL');
  });
});

async function joinBeforeAndConfirm(server: TestServer, name: string): Promise<SignedIn> {
  const { config } = server.deps;
  config.registration = 'open';
  const email = `${name.toLowerCase()}@example.org`;
  const client = await visit(server.url);
  await client.post('/auth/register', { name, email, password: PASSWORD });
  config.registration = 'invited';
  const token = secretIn(await server.mailedLink(email, '/auth/verify-email'), 'token');
  await client.post('/auth/verify-email', { token });
  const { json } = await client.post('/auth/login', { email, password: PASSWORD });
  return { ...client, user: (json as { user: SignedIn['user'] }).user, password: PASSWORD };
}
