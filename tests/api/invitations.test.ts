import { randomUUID } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { emails, users } from '../../server/db/schema.ts';
import { queueEmails } from '../../server/domain/emails/queue.ts';
import { announceOpenings } from '../../server/jobs/announce-openings.ts';
import { MailboxRefusedError } from '../../server/mail/mailer.ts';
import { login, register } from '../../shared/api/auth.ts';
import { type Capsule, getCapsule } from '../../shared/api/capsules.ts';
import { searchProfile } from '../../shared/api/community.ts';
import { invite, openInvitation } from '../../shared/api/invitations.ts';
import { listNotices } from '../../shared/api/notices.ts';
import { searchRecipient } from '../../shared/api/user.ts';
import {
  DAY_MS,
  INVITATION_LINK_DAYS,
  PASSWORD_WAITS_DAYS,
  UNDO_DAYS,
} from '../../shared/limits.ts';
import {
  addressesFor,
  allSent,
  askForSecond,
  confirm,
  forgetEmails,
  moveTo,
  resetBy,
  tokenTo,
  undo,
} from '../support/addresses.ts';
import { capsuleFields, seal } from '../support/capsules.ts';
import {
  answerOf,
  createClient,
  PASSWORD,
  type SignedIn,
  signUp,
  type TestClient,
} from '../support/client.ts';
import { secretIn } from '../support/links.ts';
import { GO_ON } from '../support/mail-world.ts';
import { rare } from '../support/rare.ts';
import { sharedServer, startTestServer, type TestServer } from '../support/server.ts';

const CLOCK = '2029-12-20T12:00:00Z';

/** A person who has confirmed their address, where this is asked. */
async function join({ url, mailedLink, deps }: TestServer, name: string): Promise<SignedIn> {
  if (!deps.config.emailVerification) return signUp(url, name);
  const client = await visit(url);
  const email = `${name.toLowerCase()}@example.org`;
  answerOf(register, await client.post('/auth/register', { name, email, password: PASSWORD }));
  const token = tokenOf(await mailedLink(email, '/auth/verify-email'), 'token');
  expect((await client.post('/auth/verify-email', { token })).status).toBe(200);
  return signIn(client, email);
}

async function signIn(client: TestClient, email: string, password = PASSWORD): Promise<SignedIn> {
  const { user } = answerOf(login, await client.post('/auth/login', { email, password }));
  return { ...client, user, password };
}

async function visit(url: string): Promise<TestClient> {
  const client = createClient(url);
  await client.get('/api/limits');
  return client;
}

function tokenOf(link: URL, name = 'invitation'): string {
  return secretIn(link, name);
}

const newAddress = () => `rose.${randomUUID()}@example.com`;
const asRecipient = (email: string) => ({ user: { email } });
const codeOf = ({ status, json }: { status: number; json: unknown }) =>
  status < 300 ? status : (json as { code: string }).code;

const inviting = async (person: SignedIn, email: string, name?: string) =>
  answerOf(invite, await person.post('/user/invitations', { email, ...(name && { name }) }));
const sealing = async (person: SignedIn, email: string) =>
  codeOf(await person.createCapsule(capsuleFields(asRecipient(email))));
const found = async (person: SignedIn, text: string) =>
  answerOf(searchRecipient, await person.get(`/user/search-recipient?query=${text}`));
const emailsTo = ({ mailer }: TestServer, email: string) =>
  mailer.sent.filter(({ to }) => to === email);

/** The token of the invitation that this address was sent last. */
const sentToken = async ({ mailedLink }: TestServer, email: string) =>
  tokenOf(await mailedLink(email, '/auth'));
const claim = (client: TestClient, email: string, invitation: string, password = PASSWORD) =>
  client.post('/auth/register', { name: 'Rose', email, password, invitation });
const refuse = (client: TestClient, token: string) =>
  client.post('/auth/refuse-invitation', { token });

describe('where addresses are confirmed', () => {
  const server = sharedServer({ clock: CLOCK, config: { emailVerification: true } });
  let anna: SignedIn;
  let tom: SignedIn;
  let visitor: TestClient;
  beforeAll(async () => {
    [anna, tom] = [await join(server, 'Anna'), await join(server, 'Tom')];
    visitor = await visit(server.url);
  });

  it('an invited person gets one email, and finds everything that waits for them', async () => {
    const email = newAddress();
    expect(await sealing(anna, email)).toBe('RECIPIENT_NOT_REGISTERED');
    expect(await inviting(anna, email, 'Grandma')).toMatchObject({ link: null });
    await inviting(anna, email);
    const first = await seal(anna, asRecipient(email), { notifyRecipient: true });
    const second = await seal(tom, asRecipient(email), { notifyRecipient: true });
    await seal(tom, tom, { notifyRecipient: true });
    const token = await sentToken(server, email);
    // Queued after all others.
    await server.mailedLink(tom.user.email, '/dashboard');
    const sent = emailsTo(server, email);
    expect(sent.map(({ kind }) => kind)).toEqual(['invitation']);
    expect(sent[0]?.text).toContain('Hello Grandma');
    expect(sent[0]?.text).toContain('Anna');
    expect(sent[0]?.subject).toBe('Anna has a time capsule for you');

    const answer = await visitor.post('/auth/invitation', { token });
    const { dateToUnlock } = first;
    const expected = { email, name: 'Grandma', inviterName: 'Anna', dateToUnlock };
    expect(answerOf(openInvitation, answer)).toEqual(expected);
    const made = answerOf(register, await claim(visitor, email, token));
    expect(made.emailVerificationRequired).toBe(false);
    const rose = await signIn(await visit(server.url), email);
    expect(rose.user).toMatchObject({ name: 'Rose', email });
    const received = (await rose.get('/api/capsules/received')).json as { capsules: Capsule[] };
    expect(received.capsules.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await found(tom, email))[0]).toMatchObject({ name: 'Rose', isInvited: false });
    expect(codeOf(await claim(visitor, email, token))).toBe('INVALID_INVITATION');
    expect(codeOf(await refuse(visitor, token))).toBe('INVALID_INVITATION');
    const used = await visitor.post('/auth/invitation', { token });
    expect([used.status, used.json]).toEqual([
      400,
      {
        code: 'INVITATION_USED',
        message: "This address already has an account. Sign in to see what's waiting.",
      },
    ]);
  });

  rare('who invited somebody sees the name they gave, and nobody else does', async () => {
    const email = newAddress();
    const [local = ''] = email.split('@');
    await inviting(anna, email);
    await inviting(anna, email, 'Mia Becker');
    await inviting(tom, email);
    const named = async (by: SignedIn) => {
      const { id, recipients } = await seal(by, asRecipient(email));
      const read = answerOf(getCapsule, await by.get(`/api/capsules/${id}`));
      const [person] = await found(by, email);
      return [recipients?.[0]?.name, read.recipients?.[0]?.name, person?.name];
    };
    expect(await named(anna)).toEqual(['Mia Becker', 'Mia Becker', 'Mia Becker']);
    expect(await named(tom)).toEqual([local, local, local]);
    expect((await found(anna, 'mia beck')).map((person) => person.email)).toEqual([email]);
    // Whoever registers with the address without claiming it changes none of these names.
    await sentToken(server, email);
    await visitor.post('/auth/register', { name: 'Squatter', email, password: 'squatting' });
    expect(await named(anna)).toEqual(['Mia Becker', 'Mia Becker', 'Mia Becker']);
    expect(await named(tom)).toEqual([local, local, local]);
    expect(await found(tom, 'mia beck')).toEqual([]);
    // From the account on they are called as they call themselves.
    expect((await claim(visitor, email, await sentToken(server, email))).status).toBe(201);
    expect(await named(anna)).toEqual(['Rose', 'Rose', 'Rose']);
  });

  it('only those who invited an address find it, and only as an invited one', async () => {
    const email = newAddress();
    await inviting(anna, email);
    expect(await found(anna, email)).toMatchObject([
      { name: email.replace('@example.com', ''), email, isInvited: true, isYou: false },
    ]);
    expect(await found(tom, email)).toEqual([]);
    expect(await found(tom, tom.user.email)).toMatchObject([{ isInvited: false }]);
    const people = await anna.get(`/community/search-profile?query=${email}`);
    expect(answerOf(searchProfile, people)).toEqual([]);
    const [person] = await found(anna, email);
    const profile = await anna.get(`/community/public-profile?userId=${person?.id}`);
    expect(codeOf(profile)).toBe('USER_NOT_FOUND');
  });

  it('who invited an address sees that it does not accept our email', async () => {
    const email = newAddress();
    server.mailer.failNext(1, new MailboxRefusedError('550 no such mailbox'));
    await inviting(anna, email);
    const seen = async () => (await found(anna, email))[0];
    await expect.poll(seen).toMatchObject({ isInvited: true, emailBounces: true });
    expect((await found(tom, tom.user.email))[0]).not.toHaveProperty('emailBounces');
  });

  /** What a creator sees of their invitations, which are of those whom they find as invited. */
  const invitationsIn = async (person: SignedIn, id: string) => {
    const { invitations = [] } = answerOf(
      listNotices,
      await person.get(`/api/capsules/${id}/notices`),
    );
    for (const { recipientEmail } of invitations) {
      expect(await found(person, recipientEmail)).toMatchObject([{ isInvited: true }]);
    }
    return invitations;
  };

  it('a creator sees what became of their own invitation, and of nobody else’s', async () => {
    const email = newAddress();
    const name = email.replace('@example.com', '');
    await inviting(tom, email);
    const { id: toms } = await seal(tom, asRecipient(email));
    const { id: annas } = await seal(anna, tom, { recipientEmails: [tom.user.email, email] });
    const row = { recipientName: name, recipientEmail: email };
    const at = expect.stringMatching(/^2029-12-20T/);
    await expect.poll(() => invitationsIn(tom, toms)).toEqual([{ ...row, state: 'sent', at }]);
    expect(await invitationsIn(anna, annas)).toEqual([]);
    server.mailer.failNext(1, new MailboxRefusedError('550 no such mailbox'));
    await inviting(anna, email);
    const annasRows = () => invitationsIn(anna, annas);
    await expect.poll(annasRows).toEqual([{ ...row, state: 'bounced', at }]);
    expect(await invitationsIn(tom, toms)).toEqual([{ ...row, state: 'sent', at }]);
  });

  it('whoever runs the site refuses an invitation: reports that wait for them stay', async () => {
    const email = newAddress();
    const { db } = server.deps;
    const dueAt = new Date('2040-01-01');
    await queueEmails(db, server.deps, 'reports-together', [{ id: null, email, dueAt }]);
    await queueEmails(db, server.deps, 'password-reset', [{ id: null, email, dueAt }]);
    await inviting(anna, email);
    await refuse(visitor, await sentToken(server, email));
    await tom.post('/user/invitations', { email });
    const left = await db
      .select({ kind: emails.kind })
      .from(emails)
      .where(and(eq(emails.toAddress, email), isNull(emails.userId)));
    expect(left).toEqual([{ kind: 'reports-together' }]);
  });

  it('a creator sees nothing of an invitation that was refused or has made an account', async () => {
    const [refusing, joining] = [newAddress(), newAddress()];
    for (const email of [refusing, joining]) await inviting(anna, email);
    const recipients = { recipientEmails: [refusing, joining] };
    const { id } = await seal(anna, tom, recipients);
    const emails = async () => (await invitationsIn(anna, id)).map((row) => row.recipientEmail);
    expect(await emails()).toEqual([refusing, joining]);
    await refuse(visitor, await sentToken(server, refusing));
    expect(await emails()).toEqual([joining]);
    // Registered is not joined, for the address is not confirmed.
    await visitor.post('/auth/register', { name: 'R', email: joining, password: PASSWORD });
    expect(await emails()).toEqual([joining]);
    expect((await claim(visitor, joining, await sentToken(server, joining))).status).toBe(201);
    expect(await emails()).toEqual([]);
    expect(await found(anna, refusing)).toEqual([]);
  });

  it('an invited person is nobody who can sign in or confirm, and asks for a new link as for a password', async () => {
    const email = newAddress();
    await inviting(anna, email);
    await sentToken(server, email);
    const attempt = await visitor.post('/auth/login', { email, password: PASSWORD });
    expect(codeOf(attempt)).toBe('INVALID_CREDENTIALS');
    await visitor.post('/auth/forgot-password', { email });
    await visitor.post('/auth/resend-verification', { email });
    await visitor.post('/auth/forgot-password', { email: tom.user.email });
    await server.mailedLink(tom.user.email, '/auth/reset-password');
    const again = () => emailsTo(server, email).find(({ kind }) => kind === 'password-reset');
    await expect.poll(again).toBeTruthy();
    expect(emailsTo(server, email).map(({ kind }) => kind)).toEqual([
      'invitation',
      'password-reset',
    ]);
    expect(again()?.text).toContain('/auth/refuse-invitation#token=');
    const token = tokenOf(new URL(String(again()?.link)));
    expect((await claim(visitor, email, token)).status).toBe(201);
    await signIn(await visit(server.url), email);
  });

  it('the day a capsule opens, the email has a link that makes the account', async () => {
    const email = newAddress();
    await inviting(anna, email);
    await seal(anna, asRecipient(email));
    const invitation = await sentToken(server, email);
    await forgetEmails(server);
    server.clock.set('2030-01-01T00:00:00Z');
    await announceOpenings(server.deps, GO_ON);
    const token = await sentToken(server, email);
    server.clock.set(CLOCK);
    expect(token).not.toBe(invitation);
    const [mail] = emailsTo(server, email);
    expect(mail).toMatchObject({ kind: 'capsule-opened' });
    expect(mail?.text).toContain(`/auth/refuse-invitation#token=${token}`);
    const link = answerOf(openInvitation, await visitor.post('/auth/invitation', { token }));
    expect(link).toEqual({ email, name: null, inviterName: null });
    expect((await claim(visitor, email, token)).status).toBe(201);
    expect(codeOf(await claim(visitor, email, invitation))).toBe('INVALID_INVITATION');
  });

  it('who refuses is removed from every capsule, and its creator sees that', async () => {
    const email = newAddress();
    await inviting(anna, email);
    const alone = await seal(anna, asRecipient(email));
    const together = await seal(tom, tom, {
      recipientEmails: [email, tom.user.email, anna.user.email],
    });
    const token = await sentToken(server, email);
    const refused = await refuse(visitor, token);
    expect(refused.status).toBe(200);
    expect(codeOf(await refuse(visitor, token))).toBe('INVALID_INVITATION');
    expect(codeOf(await claim(visitor, email, token))).toBe('INVALID_INVITATION');
    const view = async (person: SignedIn, id: string) =>
      answerOf(getCapsule, await person.get(`/api/capsules/${id}`));
    expect(await view(anna, alone.id)).toMatchObject({ recipientEmails: [], refusals: 1 });
    const others = [tom.user.email, anna.user.email];
    expect(await view(tom, together.id)).toMatchObject({ recipientEmails: others, refusals: 1 });
    expect(await view(anna, together.id)).toMatchObject({ recipientEmails: others, refusals: 0 });
    for (const table of ['users', 'emails', 'sendings', 'invitations', 'link_tokens']) {
      const rows = await server.deps.db.execute(`select * from ${table}`);
      expect(JSON.stringify(rows)).not.toContain(email);
    }
    await forgetEmails(server);
    await inviting(anna, email);
    expect(await sealing(anna, email)).toBe('RECIPIENT_NOT_REGISTERED');
    expect(await found(anna, email)).toEqual([]);
    // They were promised that we don't write to them again, whoever asks.
    await inviting(tom, email);
    expect(await sealing(tom, email)).toBe('RECIPIENT_NOT_REGISTERED');
    await allSent(server);
    expect(emailsTo(server, email)).toEqual([]);
    // They may have changed their mind.
    const own = await visitor.post('/auth/register', { name: 'Rose', email, password: PASSWORD });
    expect(own.status).toBe(201);
  });

  it('a refusal holds for who invited somebody else at that address before', async () => {
    const email = newAddress();
    await inviting(anna, email);
    expect((await claim(visitor, email, await sentToken(server, email))).status).toBe(201);
    // Long ago they have moved to another address, and this one is somebody else's.
    const { db } = server.deps;
    await db.update(users).set({ email: newAddress() }).where(eq(users.email, email));
    await forgetEmails(server);
    await inviting(tom, email);
    expect((await refuse(visitor, await sentToken(server, email))).status).toBe(200);
    await forgetEmails(server);
    await inviting(anna, email);
    expect(await sealing(anna, email)).toBe('RECIPIENT_NOT_REGISTERED');
    await allSent(server);
    expect(emailsTo(server, email)).toEqual([]);
  });

  rare('an address is invited by three people', async () => {
    const email = newAddress();
    const people: SignedIn[] = [];
    for (const name of ['Ina', 'Ivo', 'Ida', 'Igor']) people.push(await join(server, name));
    for (const person of people) await inviting(person, email);
    await expect.poll(() => emailsTo(server, email).length).toBe(3);
    // The fourth may address capsules to who is invited.
    expect(await sealing(people[3] as SignedIn, email)).toBe(201);
    // Deleting an account gives nothing back.
    const deletion = { password: PASSWORD, capsules: 'destroy' };
    expect((await people[0]?.post('/user/delete-account', deletion))?.status).toBe(200);
    await forgetEmails(server);
    await inviting(await join(server, 'Ina'), email);
    await inviting(people[3] as SignedIn, email);
    await allSent(server);
    expect(emailsTo(server, email)).toEqual([]);
  });

  it('the answer is the same for every address', async () => {
    const [fresh, invited, refusing] = [newAddress(), newAddress(), newAddress()];
    const unconfirmed = newAddress();
    await inviting(tom, invited);
    await inviting(anna, refusing);
    await refuse(visitor, await sentToken(server, refusing));
    await visitor.post('/auth/register', { name: 'X', email: unconfirmed, password: PASSWORD });
    const answers: string[] = [];
    for (const email of [fresh, invited, refusing, unconfirmed, tom.user.email]) {
      const { status, text } = await anna.post('/user/invitations', { email });
      answers.push(`${status} ${text}`);
    }
    expect(new Set(answers).size).toBe(1);
  });

  it('oneself, and what is no address, are refused with a clear sentence', async () => {
    const own = await anna.post('/user/invitations', { email: anna.user.email.toUpperCase() });
    expect(own.json).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { email: "You don't need an invitation. You can choose yourself as a recipient." },
    });
    for (const email of ['', 'rose', 'a@b', 'a@b.c,d@e.f', 'a\r\nBcc:x@y.z', ['a@b.c'], null, 7]) {
      expect(codeOf(await anna.post('/user/invitations', { email }))).toBe('VALIDATION_FAILED');
    }
    expect(await inviting(anna, ' Case.Rose@Example.ORG ')).toBeTruthy();
    expect(await sealing(anna, 'case.rose@example.org')).toBe(201);
  });

  it('garbled and expired links do nothing', async () => {
    const email = newAddress();
    await inviting(anna, email);
    const token = await sentToken(server, email);
    for (const wrong of ['', 'x', `${token}x`, token.slice(1), 'x'.repeat(201)]) {
      expect((await visitor.post('/auth/invitation', { token: wrong })).status).toBe(400);
      expect((await refuse(visitor, wrong)).status).toBe(400);
    }
    expect(codeOf(await claim(visitor, email, 'x'))).toBe('INVALID_INVITATION');
    const elsewhere = await claim(visitor, newAddress(), token);
    expect(elsewhere.json).toMatchObject({ errors: { email: expect.stringContaining('another') } });
    const expired = Date.parse(CLOCK) + INVITATION_LINK_DAYS * DAY_MS + 60_000;
    server.clock.set(new Date(expired).toISOString());
    const late = codeOf(await claim(visitor, email, token));
    server.clock.set(CLOCK);
    expect(late).toBe('INVALID_INVITATION');
    expect((await claim(visitor, email, token)).status).toBe(201);
  });

  it('registering and confirming makes the account too, with the password chosen then', async () => {
    const email = newAddress();
    await inviting(anna, email);
    const invited = await sentToken(server, email);
    const { id } = await seal(anna, asRecipient(email));
    const person = { name: 'Rose', email, password: PASSWORD };
    const made = answerOf(register, await visitor.post('/auth/register', person));
    expect(made.emailVerificationRequired).toBe(true);
    expect(codeOf(await visitor.post('/auth/register', person))).toBe('EMAIL_TAKEN');
    expect(codeOf(await visitor.post('/auth/login', person))).toBe('EMAIL_NOT_VERIFIED');
    // Until then they are as invited as before.
    expect(await sealing(tom, email)).toBe(201);
    await expect.poll(() => emailsTo(server, email).at(-1)?.kind).toBe('verify-email');
    const token = await sentToken(server, email);
    expect(token).not.toBe(invited);
    const link = answerOf(openInvitation, await visitor.post('/auth/invitation', { token }));
    expect(link).toEqual({ email, name: null, inviterName: null });
    expect((await claim(visitor, email, token)).status).toBe(201);
    const rose = await signIn(await visit(server.url), email);
    expect((await rose.get(`/api/capsules/${id}`)).status).toBe(200);
    expect(codeOf(await claim(visitor, email, invited, 'stolen later'))).toBe('INVALID_INVITATION');
  });

  it('a stranger’s password for an invited address is never good', async () => {
    const [before, after] = [newAddress(), newAddress()];
    const strangers = [before, after].map((email) => ({
      name: 'Squatter',
      email,
      password: 'squatting',
    }));
    await inviting(anna, before);
    for (const stranger of strangers) await visitor.post('/auth/register', stranger);
    // Registered first and invited later: the link of the first email confirms no more.
    const old = tokenOf(await server.mailedLink(after, '/auth/verify-email'), 'token');
    await inviting(anna, after);
    const pressed = await visitor.post('/auth/verify-email', { token: old });
    expect(codeOf(pressed)).toBe('INVALID_VERIFICATION_TOKEN');
    for (const { email, ...stranger } of strangers) {
      await seal(anna, asRecipient(email));
      await forgetEmails(server);
      await visitor.post('/auth/resend-verification', { email });
      const link = await server.mailedLink(email, '/auth');
      expect(emailsTo(server, email)).toMatchObject([{ kind: 'verify-email' }]);
      expect(emailsTo(server, email)[0]?.text).not.toContain('/auth/verify-email');
      const attempt = await visitor.post('/auth/login', { email, ...stranger });
      expect(codeOf(attempt)).toBe('EMAIL_NOT_VERIFIED');
      expect((await claim(visitor, email, tokenOf(link))).status).toBe(201);
      const again = await visitor.post('/auth/login', { email, ...stranger });
      expect(codeOf(again)).toBe('INVALID_CREDENTIALS');
      await signIn(await visit(server.url), email);
    }
    // The address is confirmed by now, so that the old link tells no lie and changes nothing.
    expect((await visitor.post('/auth/verify-email', { token: old })).status).toBe(200);
  });

  it('whoever registers an invited address renames nobody until they claim it', async () => {
    const [before, after] = [newAddress(), newAddress()];
    const localPart = (email: string) => email.replace('@example.com', '');
    await inviting(anna, before);
    for (const email of [before, after]) {
      const stranger = { name: 'Tom the Great', email, password: 'squatting' };
      await visitor.post('/auth/register', stranger);
    }
    await inviting(anna, after);
    for (const email of [before, after]) {
      const { id } = await seal(anna, asRecipient(email));
      expect(await found(anna, email)).toMatchObject([{ name: localPart(email) }]);
      const capsule = answerOf(getCapsule, await anna.get(`/api/capsules/${id}`));
      expect(JSON.stringify(capsule)).not.toContain('the Great');
      const notices = await anna.get(`/api/capsules/${id}/notices`);
      expect(notices.text).toContain(localPart(email));
      expect(notices.text).not.toContain('the Great');
      await forgetEmails(server);
      await visitor.post('/auth/resend-verification', { email });
      const token = await sentToken(server, email);
      expect(JSON.stringify(emailsTo(server, email))).not.toContain('the Great');
      const link = await visitor.post('/auth/invitation', { token });
      expect(answerOf(openInvitation, link).name).toBeNull();
      expect((await claim(visitor, email, token)).status).toBe(201);
      expect(await found(anna, email)).toMatchObject([{ name: 'Rose' }]);
    }
  });

  it('who asks for a new password with an invited address that somebody registered chooses it by the link that confirms', async () => {
    const email = newAddress();
    await inviting(anna, email);
    await visitor.post('/auth/register', { name: 'Squatter', email, password: 'squatting' });
    await expect.poll(() => emailsTo(server, email).length).toBe(2);
    await forgetEmails(server);
    await visitor.post('/auth/forgot-password', { email });
    const token = await sentToken(server, email);
    expect(emailsTo(server, email)).toMatchObject([
      { subject: 'Please confirm your email address' },
    ]);
    expect(emailsTo(server, email)[0]?.text).not.toContain('/auth/reset-password');
    expect((await claim(visitor, email, token)).status).toBe(201);
    await signIn(await visit(server.url), email);
    expect(codeOf(await claim(visitor, email, token, 'stolen later'))).toBe('INVALID_INVITATION');
  });

  it('an account that nobody confirmed can be invited, and the link replaces its password', async () => {
    const email = newAddress();
    const squatter = { name: 'Squatter', email, password: 'squatting' };
    await visitor.post('/auth/register', squatter);
    expect(await sealing(anna, email)).toBe('RECIPIENT_NOT_REGISTERED');
    await inviting(anna, email);
    expect(await sealing(anna, email)).toBe(201);
    expect(await found(anna, email)).toMatchObject([{ isInvited: true }]);
    const token = await sentToken(server, email);
    expect((await claim(visitor, email, token)).status).toBe(201);
    expect(codeOf(await visitor.post('/auth/login', squatter))).toBe('INVALID_CREDENTIALS');
    const rose = await signIn(await visit(server.url), email);
    expect(rose.user.name).toBe('Rose');
  });

  it('an account that nobody confirmed is not deleted by a refusal, but is in no capsule any more', async () => {
    const email = newAddress();
    await visitor.post('/auth/register', { name: 'Squatter', email, password: PASSWORD });
    await inviting(anna, email);
    const { id } = await seal(anna, asRecipient(email));
    expect((await refuse(visitor, await sentToken(server, email))).status).toBe(200);
    const capsule = answerOf(getCapsule, await anna.get(`/api/capsules/${id}`));
    expect(capsule).toMatchObject({ recipientEmails: [], refusals: 1 });
    expect(await sealing(anna, email)).toBe('RECIPIENT_NOT_REGISTERED');
    const signIn = await visitor.post('/auth/login', { email, password: PASSWORD });
    expect(codeOf(signIn)).toBe('EMAIL_NOT_VERIFIED');
  });

  it('refusals at the same time lock the capsules in one order', async () => {
    const email = newAddress();
    await inviting(anna, email);
    const first = await seal(anna, asRecipient(email));
    const second = await seal(anna, asRecipient(email));
    const token = await sentToken(server, email);
    const { db } = server.deps;
    // Whichever way PostgreSQL would find them, the second one comes first.
    await db.execute(sql`update capsules set title = 'moved' where id = ${first.id}`);
    await db.execute(
      sql`update capsule_recipients set created_at = created_at + interval '1 hour' where capsule_id = ${first.id}`,
    );
    const lock = (id: string) => sql`select 1 from capsules where id = ${id} for update nowait`;
    let refusing: Promise<{ status: number }> | undefined;
    await db.transaction(async (tx) => {
      await tx.execute(lock(first.id));
      refusing = refuse(visitor, token);
      const waits = sql`select 1 from pg_locks where not granted`;
      await expect.poll(() => db.execute(waits)).not.toEqual([]);
      await db.transaction((other) => other.execute(lock(second.id)));
    });
    expect((await refusing)?.status).toBe(200);
  });

  it('of many at once, three invite, one claims, and one claims or refuses', async () => {
    const people = [anna, tom];
    for (const name of ['Una', 'Ute', 'Udo', 'Uli']) people.push(await join(server, name));
    const [email, other] = [newAddress(), newAddress()];
    await Promise.all(people.flatMap((one) => [inviting(one, email), inviting(one, email)]));
    await expect.poll(() => emailsTo(server, email).length).toBe(3);
    const token = await sentToken(server, email);
    const claims = await Promise.all(people.map(() => claim(visitor, email, token)));
    expect(claims.filter(({ status }) => status === 201)).toHaveLength(1);
    await inviting(anna, other);
    const last = await sentToken(server, other);
    const both = await Promise.all([claim(visitor, other, last), refuse(visitor, last)]);
    const statuses = both.map(({ status }) => status);
    expect([
      [201, 400],
      [400, 200],
    ]).toContainEqual(statuses);
  });

  it('an email is not sent when its inviter has deleted the account, or the account is made', async () => {
    const [email, made] = [newAddress(), newAddress()];
    const leaver = await join(server, 'Leaver');
    // Both invitations, and the email about the deleted account between them.
    server.mailer.failNext(3);
    await inviting(leaver, email);
    const deletion = { password: PASSWORD, capsules: 'destroy' };
    expect((await leaver.post('/user/delete-account', deletion)).status).toBe(200);
    await inviting(anna, made);
    await visitor.post('/auth/register', { name: 'Rose', email: made, password: PASSWORD });
    expect((await claim(visitor, made, await sentToken(server, made))).status).toBe(201);
    server.clock.set('2029-12-20T13:00:00Z');
    server.deps.mailQueued();
    const states = () =>
      server.deps.db.execute(
        `select outcome from emails join sendings on email_id = emails.id
          where kind = 'invitation' and to_address in ('${email}', '${made}')`,
      );
    await expect.poll(states).toEqual([{ outcome: 'dropped' }, { outcome: 'dropped' }]);
    server.clock.set(CLOCK);
  });

  it('an address that its owner has left can be invited again, with one more email', async () => {
    const [email, elsewhere] = [newAddress(), newAddress()];
    await inviting(anna, email);
    await claim(visitor, email, await sentToken(server, email));
    const rose = await signIn(await visit(server.url), email);
    await moveTo(server, rose, elsewhere);
    // For a week the address can still be taken back.
    await inviting(anna, email);
    expect(await sealing(anna, email)).toBe('RECIPIENT_NOT_REGISTERED');
    server.clock.advance({ ms: UNDO_DAYS * DAY_MS + 60_000 });
    await forgetEmails(server);
    await inviting(anna, email);
    const { id } = await seal(anna, asRecipient(email));
    await inviting(anna, email);
    const token = await sentToken(server, email);
    expect(emailsTo(server, email)).toMatchObject([{ kind: 'invitation' }]);
    expect(await invitationsIn(anna, id)).toMatchObject([{ recipientEmail: email, state: 'sent' }]);
    expect((await rose.get(`/api/capsules/${id}`)).status).toBe(404);
    expect((await claim(visitor, email, token)).status).toBe(201);
    const next = await signIn(await visit(server.url), email);
    expect((await next.get(`/api/capsules/${id}`)).status).toBe(200);
    expect(next.user.id).not.toBe(rose.user.id);
    server.clock.set(CLOCK);
  });

  it('an address that came to an account and left it by an undo can be invited again', async () => {
    const email = newAddress();
    const rose = await join(server, `Rose${randomUUID()}`);
    await inviting(anna, email);
    await moveTo(server, rose, email);
    expect((await undo(server, rose.user.email)).status).toBe(200);
    // The link of the first invitation is worth nothing any more.
    await forgetEmails(server);
    await inviting(anna, email);
    expect(await sealing(anna, email)).toBe(201);
    expect((await claim(visitor, email, await sentToken(server, email))).status).toBe(201);
  });
});

describe('where addresses are not confirmed', () => {
  const server = sharedServer({ clock: CLOCK, config: { emailVerification: false } });
  let anna: SignedIn;
  let visitor: TestClient;
  beforeAll(async () => {
    anna = await join(server, 'Anna');
    visitor = await visit(server.url);
  });
  const linkOf = async (email: string) =>
    tokenOf(new URL(String((await inviting(anna, email)).link)));

  it('only an invitation link makes the account, and the inviter is shown one', async () => {
    const email = newAddress();
    const token = await linkOf(email);
    const { id } = await seal(anna, asRecipient(email), { notifyRecipient: true });
    expect(
      codeOf(await visitor.post('/auth/register', { name: 'Thief', email, password: PASSWORD })),
    ).toBe('EMAIL_TAKEN');
    const made = answerOf(register, await claim(visitor, email, token));
    expect(made.emailVerificationRequired).toBe(false);
    const rose = await signIn(await visit(server.url), email);
    expect((await rose.get(`/api/capsules/${id}`)).status).toBe(200);
  });

  it('the emailed link works beside the one that was shown, and a new one replaces only that', async () => {
    const email = newAddress();
    const shown = await linkOf(email);
    const again = await linkOf(email);
    const emailed = await sentToken(server, email);
    expect(codeOf(await visitor.post('/auth/invitation', { token: shown }))).toBe(
      'INVALID_INVITATION',
    );
    expect((await visitor.post('/auth/invitation', { token: again })).status).toBe(200);
    expect((await claim(visitor, email, emailed)).status).toBe(201);
    expect(codeOf(await claim(visitor, email, again, 'mine now'))).toBe('INVALID_INVITATION');
  });

  it('from the claim on, by the shown link too, the inviter sees the name that was chosen', async () => {
    const email = newAddress();
    const { link } = await inviting(anna, email, 'Granny');
    await sentToken(server, email);
    const { id } = await seal(anna, asRecipient(email));
    const named = async () =>
      answerOf(getCapsule, await anna.get(`/api/capsules/${id}`)).recipients?.[0]?.name;
    expect(await named()).toBe('Granny');
    await claim(visitor, email, tokenOf(new URL(String(link))));
    expect(await named()).toBe('Rose');
  });

  it('who invites an address after others is shown no link to what waits for it', async () => {
    const email = newAddress();
    const shown = await linkOf(email);
    const mallory = await join(server, 'Mallory');
    const { link, message } = await inviting(mallory, email);
    expect(link).toBeNull();
    expect(message).toContain('Only they get the link, by email');
    expect((await visitor.post('/auth/invitation', { token: shown })).status).toBe(200);
  });

  it('an address with an account gets no email, and nobody is shown a link for it', async () => {
    const tom = await join(server, 'Tom');
    expect((await inviting(anna, tom.user.email)).link).toBeNull();
    await allSent(server);
    expect(emailsTo(server, tom.user.email)).toEqual([]);
  });

  it('a link that was shown takes over no account, even where addresses are confirmed later', async () => {
    const email = newAddress();
    const token = await linkOf(email);
    await server.confirmAddresses(true);
    try {
      await visitor.post('/auth/register', { name: 'Rose', email, password: PASSWORD });
      expect(codeOf(await claim(visitor, email, token, 'mine now'))).toBe('INVALID_INVITATION');
      const other = newAddress();
      await server.confirmAddresses(false);
      const shown = await linkOf(other);
      await server.confirmAddresses(true);
      const made = answerOf(register, await claim(visitor, other, shown));
      expect(made.emailVerificationRequired).toBe(true);
    } finally {
      await server.confirmAddresses(false);
    }
  });

  it('whoever invites an address again that its owner has left is shown a link', async () => {
    const email = newAddress();
    expect((await claim(visitor, email, await linkOf(email))).status).toBe(201);
    const rose = await signIn(await visit(server.url), email);
    await moveTo(server, rose, newAddress());
    server.clock.advance({ ms: UNDO_DAYS * DAY_MS + 60_000 });
    const mallory = await join(server, `Mallory${randomUUID()}`);
    const shown = tokenOf(new URL(String((await inviting(mallory, email)).link)));
    await seal(mallory, asRecipient(email));
    // What waits there is of those who have invited it since.
    expect((await inviting(anna, email)).link).toBeNull();
    expect((await claim(visitor, email, shown)).status).toBe(201);
    server.clock.set(CLOCK);
  });

  it('the emailed link takes off what a stranger gave the account before addresses were confirmed', async () => {
    const [email, stranger] = [newAddress(), newAddress()];
    await visitor.post('/auth/register', { name: 'Eve', email, password: 'squatting' });
    const eve = await signIn(await visit(server.url), email, 'squatting');
    await askForSecond(eve, stranger, 'squatting');
    await confirm(server, stranger);
    server.clock.advance({ ms: UNDO_DAYS * DAY_MS + 60_000 });
    const inviter = await join(server, `Tom${randomUUID()}`);
    await moveTo(server, inviter, inviter.user.email);
    await server.confirmAddresses(true);
    try {
      expect((await resetBy(server, stranger, 'waiting')).countsFrom).toBeDefined();
      await visitor.post('/auth/forgot-password', { email: stranger });
      const reset = await tokenTo(server, stranger, '/auth/reset-password');
      await inviting(inviter, email);
      expect((await claim(visitor, email, await sentToken(server, email))).status).toBe(201);
      const path = `/auth/reset-password?token=${reset}`;
      const late = await visitor.post(path, { password: 'stolen later' });
      expect(codeOf(late)).toBe('INVALID_RESET_TOKEN');
      await allSent(server);
      // It would tell the stranger of the claim, and the name that was chosen.
      for (const address of [stranger, email]) {
        expect(emailsTo(server, address).map(({ kind }) => kind)).not.toContain('password-changed');
      }
      server.clock.advance({ ms: PASSWORD_WAITS_DAYS * DAY_MS + 60_000 });
      await server.activateChanges();
      for (const password of ['waiting', 'squatting']) {
        const attempt = await visitor.post('/auth/login', { email, password });
        expect(codeOf(attempt)).toBe('INVALID_CREDENTIALS');
      }
      const rose = await signIn(await visit(server.url), email);
      const own = { email, isConfirmed: true, secondEmail: null, pending: [] };
      expect(await addressesFor(rose)).toMatchObject(own);
    } finally {
      await server.confirmAddresses(false);
      server.clock.set(CLOCK);
    }
  });
});

rare('a person invites 20 addresses a day, and may repeat any of them', async () => {
  const { url, close } = await startTestServer({ config: { rateLimits: true } });
  const anna = await signUp(url, 'Anna');
  const addresses = Array.from({ length: 20 }, newAddress);
  // One of them has an account: whether it does must not show in the count.
  addresses[3] = (await signUp(url, 'Tom')).user.email;
  for (const email of addresses) await inviting(anna, email);
  const refused = await anna.post('/user/invitations', { email: newAddress() });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
  expect(refused.json).toMatchObject({ message: expect.stringContaining('20 people') });
  await inviting(anna, addresses[0] as string);
  await close();
});
