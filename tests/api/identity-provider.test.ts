import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { users } from '../../server/db/schema.ts';
import { inviteAsOperator } from '../../server/domain/accounts/operator-invitation.ts';
import { askProvider, getIdentity, linkIdentity } from '../../shared/api/identities.ts';
import { listSessions } from '../../shared/api/sessions.ts';
import { getContact } from '../../shared/api/site.ts';
import {
  addSecond,
  allSent,
  codeOf,
  confirm as confirmAddress,
  confirmMain,
  moveTo,
  newAddress,
  resetBy,
  signInAs,
  tokenTo,
  undo,
  visit,
} from '../support/addresses.ts';
import { addPasskeyTo, optionsFor } from '../support/authenticator.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, PASSWORD, type SignedIn, signUp, type TestClient } from '../support/client.ts';
import {
  type IdentityProvider,
  linkTo,
  locationOf,
  loginAt,
  type ProviderPerson,
  passBy,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import { secretIn } from '../support/links.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();
let provider: IdentityProvider;

beforeAll(async () => {
  provider = await startIdentityProvider(server.url);
});
afterAll(() => provider.close());
beforeEach(async () => {
  Object.assign(server.deps.config, {
    identityProvider: { ...provider.settings },
    passwordSignIn: true,
    registration: 'open',
  });
  await server.confirmAddresses(false);
});

const unknown = (person: Partial<ProviderPerson> = {}) =>
  provider.put({ email: newAddress(), email_verified: true, name: 'Ada Provider', ...person });

/** The word in the address of the page that a journey ends at. */
const newsOf = (path: string) =>
  path === '/auth/welcome' ? 'welcome' : new URL(path, server.url).searchParams.get('provider');

/** To the provider's sign-in page. */
async function begin(client: TestClient): Promise<string> {
  return locationOf(await client.get('/auth/oidc'));
}

/** Signs in by the provider, in a browser of its own unless told otherwise. */
async function enter(person: ProviderPerson, client?: TestClient) {
  const browser = client ?? (await visit(server.url));
  const page = await passBy(browser, await begin(browser), person);
  return { client: browser, page, news: newsOf(page) };
}

async function ask(client: TestClient, body: object = {}) {
  return answerOf(askProvider, await client.post('/auth/oidc', body)).url;
}

/** Links an account at the provider, as its owner does. */
const link = async (ada: SignedIn, person: ProviderPerson) => newsOf(await linkTo(ada, person));

const me = async (client: TestClient) => (await client.get('/user/me')).json as { id: string };

const unlink = (ada: TestClient, password: unknown) =>
  ada.request('DELETE', '/user/identity', { json: { password } });

/** Somebody who has linked. */
async function linked(name: string) {
  const ada = await signUp(server.url, name);
  const person = unknown();
  expect(await link(ada, person)).toBe('linked');
  return { ada, person };
}

describe('signing in by the provider', () => {
  it('makes an account with the verified address, and finds it again by its subject alone', async () => {
    const person = unknown();
    const { client, page } = await enter(person);
    expect(page).toBe('/auth/welcome');
    const { id } = await me(client);
    expect(await me(client)).toMatchObject({
      name: 'Ada Provider',
      email: person.email,
      hasNoPassword: true,
    });
    const sessions = answerOf(listSessions, await client.get('/user/sessions'));
    expect(sessions).toMatchObject([{ signedInBy: 'provider' }]);

    // Whatever the provider says about them later.
    provider.put({ ...person, email: newAddress(), name: 'Somebody else', email_verified: false });
    const again = await enter(person);
    expect(again.news).toBe('welcome');
    expect(await me(again.client)).toMatchObject({ id, name: 'Ada Provider', email: person.email });
    await allSent(server);
    const told = server.mailer.sent.filter(({ to }) => to === person.email);
    expect(told.map(({ kind }) => kind)).toEqual(['new-device']);
  });

  it('never signs in to an account by its address, which links it first', async () => {
    const ada = await signUp(server.url, 'Provider Existing');
    for (const email_verified of [true, false]) {
      const person = provider.put({ email: ada.user.email, email_verified });
      const { client, page } = await enter(person);
      expect(page).toBe('/auth?provider=EMAIL_TAKEN');
      expect((await client.get('/user/me')).status).toBe(401);
    }
    const person = provider.put({ email: ada.user.email, email_verified: true });
    expect(await link(ada, person)).toBe('linked');
    const { client } = await enter(person);
    expect(await me(client)).toMatchObject({ id: ada.user.id });
    expect((await signInAs(server, ada.user.email)).status).toBe(200);
  });

  it('confirms an address that the provider does not vouch for, as the form does', async () => {
    await server.confirmAddresses(true);
    for (const email_verified of [false, undefined, 'true' as never]) {
      const person = unknown({ email_verified });
      const email = String(person.email);
      const first = await enter(person);
      expect(first.news).toBe('EMAIL_NOT_VERIFIED');
      expect((await enter(person)).news).toBe('EMAIL_NOT_VERIFIED');
      expect((await first.client.get('/user/me')).status).toBe(401);
      const token = await tokenTo(server, email, '/auth/verify-email');
      expect((await first.client.post('/auth/verify-email', { token })).status).toBe(200);
      const { client, news } = await enter(person);
      expect(news).toBe('welcome');
      expect(await me(client)).toMatchObject({ email });
    }
  });

  it('needs an address', async () => {
    for (const email of [
      undefined,
      'nobody',
      `${'a'.repeat(300)}@example.org`,
      'a b@example.org',
    ]) {
      expect((await enter(unknown({ email }))).news).toBe('PROVIDER_NAMES_NOBODY');
    }
  });

  it('takes a name that the form would take, else the beginning of the address', async () => {
    for (const [name, shown] of [
      ['  Zoë  ', 'Zoë'],
      ['', 'zoe'],
      ['\u202Eevil', 'zoe'],
      ['n'.repeat(5_000), 'n'.repeat(50)],
    ]) {
      const email = `zoe@${newAddress().split('@')[0]}.example.org`;
      const { client } = await enter(unknown({ name, email }));
      const row = (await client.get('/user/me')).json as { name: string };
      expect(row.name.slice(0, 50)).toBe(shown);
    }
  });

  it('lets nobody in who is suspended', async () => {
    const { ada, person } = await linked('Provider Suspended');
    const isAda = eq(users.id, ada.user.id);
    await server.deps.db.update(users).set({ suspendedAt: new Date() }).where(isAda);
    const { client, news } = await enter(person);
    expect(news).toBe('ACCOUNT_SUSPENDED');
    expect((await client.get('/user/me')).status).toBe(401);
  });

  it('says so where the person has cancelled', async () => {
    expect((await enter({ sub: 'nobody' })).page).toBe('/auth?provider=PROVIDER_REFUSED');
  });

  it('leads who is signed in on, and is not there without a provider', async () => {
    const ada = await signUp(server.url, 'Provider Signed In');
    expect(await begin(ada)).toBe('/auth');
    server.deps.config.identityProvider = null;
    const client = await visit(server.url);
    expect(await begin(client)).toBe('/auth');
    expect(codeOf(await client.post('/auth/oidc', {}))).toBe('NOT_FOUND');
    expect(codeOf(await ada.get('/user/identity'))).toBe('NOT_FOUND');
    expect(answerOf(getContact, await client.get('/api/contact')).provider).toBeUndefined();
  });
});

describe('registration', () => {
  it.each(['invited', 'closed'] as const)('%s refuses who is not invited', async (mode) => {
    server.deps.config.registration = mode;
    for (const email_verified of [true, false]) {
      const person = unknown({ email_verified });
      expect((await enter(person)).news).toBe('REGISTRATION_CLOSED');
      const isTheirs = eq(users.email, String(person.email));
      expect(await server.deps.db.$count(users, isTheirs)).toBe(0);
    }
  });

  it('a verified address is given what waits for it, where the invited may come', async () => {
    const ada = await signUp(server.url, 'Provider Inviter');
    const person = unknown();
    const email = String(person.email);
    await ada.post('/user/invitations', { email });
    const { id } = await seal(ada, { user: { email } });
    server.deps.config.registration = 'closed';
    expect((await enter(person)).news).toBe('REGISTRATION_CLOSED');
    server.deps.config.registration = 'invited';
    expect((await enter({ ...unknown({ email, email_verified: false }) })).news).toBe(
      'REGISTRATION_CLOSED',
    );
    const { client, news } = await enter(person);
    expect(news).toBe('welcome');
    expect((await client.get(`/api/capsules/${id}`)).status).toBe(200);
  });

  it('an invitation link makes the invited account, whatever address the provider says', async () => {
    const { db } = server.deps;
    server.deps.config.registration = 'closed';
    const email = newAddress();
    const { token } = await db.transaction((tx) => inviteAsOperator(tx, server.deps, email));
    const person = unknown();
    const client = await visit(server.url);
    const page = await passBy(client, await ask(client, { invitation: token }), person);
    expect(newsOf(page)).toBe('welcome');
    expect(await me(client)).toMatchObject({ email });
    // It works once, and an account that there is stays the one that the provider's account signs in to.
    const other = await visit(server.url);
    const url = await ask(other, { invitation: token });
    expect(newsOf(await passBy(other, url, unknown()))).toBe('INVALID_INVITATION');
    const again = await visit(server.url);
    await passBy(again, await ask(again, { invitation: token }), person);
    expect(await me(again)).toMatchObject({ email });
  });

  it('an emailed invitation link serves who came with an address that nobody vouches for', async () => {
    await server.confirmAddresses(true);
    const ada = await signUpConfirmed('Provider Inviter Two');
    const person = unknown({ email_verified: false });
    const email = String(person.email);
    await ada.post('/user/invitations', { email });
    expect((await enter(person)).news).toBe('EMAIL_NOT_VERIFIED');
    await allSent(server);
    const token = secretIn(await server.mailedLink(email, '/auth'), 'invitation');
    const client = await visit(server.url);
    const page = await passBy(client, await ask(client, { invitation: token }), person);
    expect(newsOf(page)).toBe('welcome');
    expect(await me(client)).toMatchObject({ email });
  });
});

/** Somebody who has confirmed their address, as they must. */
async function signUpConfirmed(name: string): Promise<SignedIn> {
  await server.confirmAddresses(false);
  const ada = await signUp(server.url, name);
  await confirmMain(server, ada);
  await server.confirmAddresses(true);
  return ada;
}

describe('linking', () => {
  it('takes the password, and tells every address', async () => {
    const ada = await signUp(server.url, 'Provider Linker');
    await confirmMain(server, ada);
    const second = await addSecond(server, ada);
    expect(codeOf(await ada.post('/user/identity', { password: 'wrong' }))).toBe(
      'VALIDATION_FAILED',
    );
    const person = unknown();
    expect(await link(ada, person)).toBe('linked');
    expect(answerOf(getIdentity, await ada.get('/user/identity'))).toMatchObject({
      linkedAt: expect.any(String),
      hasPassword: true,
      confirmedUntil: null,
    });
    await allSent(server);
    const told = server.mailer.sent.filter(({ kind }) => kind === 'identity-linked');
    expect(told.map(({ to }) => to)).toEqual(expect.arrayContaining([ada.user.email, second]));
    expect(codeOf(await ada.post('/user/identity', { password: ada.password }))).toBe(
      'VALIDATION_FAILED',
    );
  });

  it('gives an account at the provider to one account here', async () => {
    const { ada, person } = await linked('Provider Owner');
    const tim = await signUp(server.url, 'Provider Tim');
    expect(await link(tim, person)).toBe('IDENTITY_TAKEN');
    expect(await me((await enter(person)).client)).toMatchObject({ id: ada.user.id });
  });

  it('ends in the session that began it', async () => {
    const ada = await signUp(server.url, 'Provider Session');
    const { url } = answerOf(
      linkIdentity,
      await ada.post('/user/identity', { password: ada.password }),
    );
    const back = await loginAt(url, unknown());
    // Another session of hers, with the cookie of the first one's journey.
    await ada.post('/auth/logout');
    await ada.post('/auth/login', { email: ada.user.email, password: ada.password });
    const page = locationOf(await ada.get(back.pathname + back.search));
    expect(page).toBe('/profile/sign-in?provider=PROVIDER_EXPIRED');
  });

  it('is undone by the link in the email, which ends every session', async () => {
    const { ada, person } = await linked('Provider Undone');
    const token = await tokenTo(server, ada.user.email, '/auth/undo-identity');
    const anyone = await visit(server.url);
    expect((await anyone.post('/auth/undo-identity', { token })).status).toBe(200);
    expect((await ada.get('/user/me')).status).toBe(401);
    expect(codeOf(await anyone.post('/auth/undo-identity', { token }))).toBe(
      'INVALID_ADDRESS_LINK',
    );
    const { news } = await enter(person);
    expect(news).toBe('welcome');
    const again = await linked('Provider Late');
    const late = await tokenTo(server, again.ada.user.email, '/auth/undo-identity');
    server.clock.advance({ days: 7 });
    expect(codeOf(await anyone.post('/auth/undo-identity', { token: late }))).toBe(
      'INVALID_ADDRESS_LINK',
    );
  });

  it('is taken away with the password, and by what takes an account back', async () => {
    const { ada, person } = await linked('Provider Unlinked');
    expect(codeOf(await unlink(ada, 'wrong'))).toBe('VALIDATION_FAILED');
    expect((await unlink(ada, ada.password)).status).toBe(200);
    expect(codeOf(await unlink(ada, ada.password))).toBe('NOT_FOUND');
    expect(await link(ada, person)).toBe('linked');
    await resetBy(server, ada.user.email, 'another password');
    expect((await enter(unknown({ ...person, email: ada.user.email }))).news).toBe('EMAIL_TAKEN');

    const eve = await signUp(server.url, 'Provider Eve');
    await confirmMain(server, eve);
    const linkedTo = unknown();
    expect(await link(eve, linkedTo)).toBe('linked');
    await moveTo(server, eve, newAddress());
    await undo(server, eve.user.email);
    expect(await me((await enter(linkedTo)).client)).not.toMatchObject({ id: eve.user.id });
  });

  it('of some days ago survives a new password', async () => {
    const { ada, person } = await linked('Provider Settled');
    await confirmMain(server, ada);
    server.clock.advance({ days: 7 });
    await resetBy(server, ada.user.email, 'another password');
    expect(await me((await enter(person)).client)).toMatchObject({ id: ada.user.id });
  });
});

describe('without a password', () => {
  const CONFIRMED = { type: 'confirmed' };

  /** Shows at the provider that it is them. */
  async function confirm(client: TestClient, person: ProviderPerson) {
    const page = await passBy(client, await ask(client, { page: '/profile/addresses' }), person);
    expect(page.startsWith('/profile/addresses?')).toBe(true);
    return newsOf(page);
  }

  it('the provider answers in its place, once and for five minutes', async () => {
    const person = unknown();
    const { client } = await enter(person);
    const end = () => client.request('DELETE', '/user/sessions', { json: { password: CONFIRMED } });
    expect(codeOf(await end())).toBe('VALIDATION_FAILED');
    expect(await confirm(client, person)).toBe('confirmed');
    const { confirmedUntil, hasPassword } = answerOf(
      getIdentity,
      await client.get('/user/identity'),
    );
    expect([typeof confirmedUntil, hasPassword]).toEqual(['string', false]);
    const { client: other } = await enter(person);
    const elsewhere = { json: { password: CONFIRMED } };
    expect(codeOf(await other.request('DELETE', '/user/sessions', elsewhere))).toBe(
      'VALIDATION_FAILED',
    );
    expect((await end()).status).toBe(200);
    expect(codeOf(await end())).toBe('VALIDATION_FAILED');
    expect(await confirm(client, person)).toBe('confirmed');
    server.clock.advance({ minutes: 5 });
    expect(codeOf(await end())).toBe('VALIDATION_FAILED');
    expect(await confirm(client, unknown())).toBe('PROVIDER_REFUSED');
    expect(await confirm(client, person)).toBe('confirmed');
    const deletion = { password: CONFIRMED, capsules: 'destroy' };
    expect((await client.post('/user/delete-account', deletion)).status).toBe(200);
    expect(await me((await enter(person)).client)).toMatchObject({ email: person.email });
  });

  it('only there: with one, the password is asked for', async () => {
    const { ada, person } = await linked('Provider Has Password');
    expect(await confirm(ada, person)).toBe('PROVIDER_REFUSED');
    server.deps.config.passwordSignIn = false;
    expect(await confirm(ada, person)).toBe('confirmed');
  });

  it('the last way in cannot be removed', async () => {
    const person = unknown();
    const { client } = await enter(person);
    await confirm(client, person);
    expect(codeOf(await unlink(client, CONFIRMED))).toBe('VALIDATION_FAILED');
    await confirm(client, person);
    const owner = { ...client, password: CONFIRMED } as unknown as SignedIn;
    const { authenticator, passkey } = await addPasskeyTo(owner);
    await confirm(client, person);
    expect((await unlink(client, CONFIRMED)).status).toBe(200);
    const json = { password: authenticator.get(await optionsFor(client)) };
    const removal = await client.request('DELETE', `/user/passkeys/${passkey.id}`, { json });
    expect(codeOf(removal)).toBe('VALIDATION_FAILED');
    const { client: again } = await enter(person);
    expect((await again.get('/user/me')).status).toBe(401);
  });

  it('a person can choose one by email, and goes on signing in by the provider', async () => {
    const person = unknown();
    const { client } = await enter(person);
    const email = String(person.email);
    const { answer } = await resetBy(server, email, 'chosen later');
    expect(answer.status).toBe(200);
    expect((await client.get('/user/me')).status).toBe(401);
    expect((await signInAs(server, email, 'chosen later')).status).toBe(200);
    const again = await enter(person);
    expect(again.news).toBe('welcome');
    expect(await me(again.client)).not.toHaveProperty('hasNoPassword');
  });

  it('somebody who was not shown to own the address loses it to who does', async () => {
    const stranger = unknown({ email_verified: false });
    await server.confirmAddresses(true);
    await enter(stranger);
    const email = String(stranger.email);
    const token = await tokenTo(server, email, '/auth/verify-email');
    await (await visit(server.url)).post('/auth/verify-email', { token });
    server.clock.advance({ days: 30 });
    await resetBy(server, email, 'of the owner');
    expect((await enter(stranger)).news).toBe('EMAIL_TAKEN');
    expect((await signInAs(server, email, 'of the owner')).status).toBe(200);
  });
});

describe('with passwords turned off', () => {
  it('every door of theirs says so, and passkeys and the provider stay', async () => {
    const { ada, person } = await linked('Provider Only');
    const { authenticator } = await addPasskeyTo(ada);
    await ada.post('/user/invitations', { email: 'invited.off@example.com' });
    const invited = newAddress();
    const { token } = await server.deps.db.transaction((tx) =>
      inviteAsOperator(tx, server.deps, invited),
    );
    await ada.post('/auth/forgot-password', { email: ada.user.email });
    const reset = await tokenTo(server, ada.user.email, '/auth/reset-password');

    server.deps.config.passwordSignIn = false;
    const client = await visit(server.url);
    expect(answerOf(getContact, await client.get('/api/contact'))).toMatchObject({
      provider: 'Family account',
      passwordsOff: true,
    });
    const { email } = ada.user;
    const password = PASSWORD;
    const answers = [
      await client.post('/auth/login', { email, password }),
      await client.post('/auth/login', { email, password: 'wrong' }),
      await client.post('/auth/register', { name: 'New', email: newAddress(), password }),
      await client.post('/auth/register', {
        name: 'New',
        email: invited,
        password,
        invitation: token,
      }),
      await client.post('/auth/forgot-password', { email }),
      await client.get(`/auth/validate-token?token=${reset}`),
      await client.post(`/auth/reset-password?token=${reset}`, { password }),
      await client.post('/auth/recovery-code', { code: 'any', password }),
    ];
    expect(answers.map(codeOf)).toEqual(answers.map(() => 'PASSWORDS_OFF'));
    expect(answers[0]?.json).toMatchObject({
      message:
        'Passwords are turned off here. Please continue with Family account, or use a passkey.',
    });
    const assertion = authenticator.get(await optionsFor(client));
    expect((await client.post('/auth/passkey', assertion)).status).toBe(200);
    expect((await enter(person)).news).toBe('welcome');
    const claimer = await visit(server.url);
    await passBy(claimer, await ask(claimer, { invitation: token }), unknown());
    expect(await me(claimer)).toMatchObject({ email: invited });
    // Who is signed in still confirms with theirs.
    expect((await ada.request('DELETE', '/user/sessions', { json: { password } })).status).toBe(
      200,
    );
  });

  it('nothing is emailed that leads to a new one', async () => {
    const eve = await signUp(server.url, 'Provider Off');
    await confirmMain(server, eve);
    await moveTo(server, eve, newAddress());
    server.deps.config.passwordSignIn = false;
    await undo(server, eve.user.email);
    await allSent(server);
    const told = server.mailer.sent.filter(({ to }) => to === eve.user.email);
    expect(told.map(({ kind }) => kind)).not.toContain('password-reset');
  });

  it('an undone change of the address leaves the identity that made the account', async () => {
    server.deps.config.passwordSignIn = false;
    const person = unknown({ email_verified: false });
    const { client } = await enter(person);
    await passBy(client, await ask(client, { page: '/profile/addresses' }), person);
    const email = newAddress();
    await client.post('/user/email', { email, password: { type: 'confirmed' } });
    await confirmAddress(server, email);
    expect((await undo(server, person.email ?? '')).json).toEqual({
      message:
        'You have your earlier addresses back. Every device is signed out and counts as new.',
    });
    expect((await enter(person)).news).toBe('welcome');
    expect(await me(client)).toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
