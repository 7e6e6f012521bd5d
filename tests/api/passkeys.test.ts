import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashToken } from '../../server/auth/token-hash.ts';
import { passkeys, users } from '../../server/db/schema.ts';
import { addIdentity } from '../../server/domain/doors/identities.ts';
import * as doors from '../../server/domain/doors/passkeys.ts';
import {
  addPasskey,
  listPasskeys,
  newPasskeyOptions,
  signInByPasskey,
} from '../../shared/api/passkeys.ts';
import { listSessions } from '../../shared/api/sessions.ts';
import { PASSKEYS_MAX } from '../../shared/limits.ts';
import {
  addSecond,
  allSent,
  codeOf,
  confirmMain,
  moveTo,
  newAddress,
  resetBy,
  signInAs,
  tokenTo,
  undo,
  visit,
} from '../support/addresses.ts';
import {
  addPasskeyTo,
  createAuthenticator,
  optionsFor,
  type Tricks,
} from '../support/authenticator.ts';
import { answerOf, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer({
  clock: '2029-06-01T12:00:00Z',
  config: { siteName: 'Family letters' },
});
const DAY_MS = 86_400_000;
type Authenticator = ReturnType<typeof createAuthenticator>;

async function makeOptions(ada: SignedIn, password: unknown = ada.password) {
  return answerOf(newPasskeyOptions, await ada.post('/user/passkeys/options', { password }));
}

async function add(ada: SignedIn, authenticator: Authenticator, tricks?: Tricks) {
  const options = await makeOptions(ada);
  return ada.post('/user/passkeys', authenticator.create(options, tricks));
}

/** Somebody with two addresses and a passkey. */
async function withPasskey(name: string) {
  const ada = await signUp(server.url, name);
  await confirmMain(server, ada);
  const second = await addSecond(server, ada);
  return { ada, main: ada.user.email, second, ...(await addPasskeyTo(ada)) };
}

/** Signs in, in a new browser. */
async function enter(authenticator: Authenticator, tricks?: Tricks) {
  const client = await visit(server.url);
  const answer = await client.post(
    '/auth/passkey',
    authenticator.get(await optionsFor(client), tricks),
  );
  return { client, answer, code: codeOf(answer) };
}

describe('a passkey', () => {
  it('signs in without naming the account, and the session says so', async () => {
    const { ada, authenticator } = await withPasskey('Passkey Ada');
    const { client, answer } = await enter(authenticator);
    expect(answerOf(signInByPasskey, answer).user.id).toBe(ada.user.id);
    expect((await client.get('/user/me')).json).toMatchObject({ id: ada.user.id });
    const sessions = answerOf(listSessions, await client.get('/user/sessions'));
    expect(sessions.find(({ isThis }) => isThis)).toMatchObject({ signedInBy: 'passkey' });
    const [listed] = answerOf(listPasskeys, await ada.get('/user/passkeys'));
    expect(listed).toMatchObject({ lastUsedOn: '2029-06-01', isBackedUp: false });
  });

  it.each<[string, Tricks]>([
    ['made for another site', { origin: 'https://evil.example' }],
    ['made for another port', { origin: 'http://127.0.0.1:1' }],
    ['for another host', { rpId: 'evil.example' }],
    ['to a challenge of its own', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['signed by another key', { isForged: true }],
    ['without a finger, a face or a PIN', { isUnverified: true }],
    ["with somebody else's account in it", { userHandle: 'c29tZWJvZHkgZWxzZQ' }],
    ['that was made to add a passkey', { type: 'webauthn.create' }],
  ])('does not sign in by an answer %s', async (what, tricks) => {
    const { authenticator } = await withPasskey(`Passkey ${what}`.slice(0, 40));
    const { client, code } = await enter(authenticator, tricks);
    expect(code).toBe('INVALID_PASSKEY');
    expect((await client.get('/user/me')).status).toBe(401);
    expect((await enter(authenticator)).code).toBe(200);
  });

  it('answers once, in one browser, within five minutes', async () => {
    const { authenticator } = await withPasskey('Passkey Once');
    const client = await visit(server.url);
    const thief = await visit(server.url);
    const assertion = authenticator.get(await optionsFor(client));
    expect(codeOf(await thief.post('/auth/passkey', assertion))).toBe('INVALID_PASSKEY');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.post('/auth/passkey', assertion)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await client.post('/auth/logout');
    expect(codeOf(await client.post('/auth/passkey', assertion))).toBe('INVALID_PASSKEY');
    const late = await visit(server.url);
    const slow = authenticator.get(await optionsFor(late));
    server.clock.advance({ minutes: 5 });
    expect(codeOf(await late.post('/auth/passkey', slow))).toBe('INVALID_PASSKEY');
  });

  it('still signs in when its counter goes back, or never rises', async () => {
    const { authenticator } = await withPasskey('Passkey Counter');
    for (const counter of [5, 3, 0, 0]) {
      expect((await enter(authenticator, { counter })).code).toBe(200);
    }
  });

  it('lets nobody in who is suspended, and says so to nobody else', async () => {
    const { ada, authenticator } = await withPasskey('Passkey Suspended');
    const isAda = eq(users.id, ada.user.id);
    await server.deps.db.update(users).set({ suspendedAt: new Date() }).where(isAda);
    const { answer, code } = await enter(authenticator);
    expect([answer.status, code]).toEqual([403, 'ACCOUNT_SUSPENDED']);
    expect((await enter(authenticator, { isForged: true })).code).toBe('INVALID_PASSKEY');
  });

  it('of nobody signs nobody in, nor sends to a password they may not have', async () => {
    const { authenticator } = await withPasskey('Passkey Forged');
    const unknown = await enter(createAuthenticator(server.url));
    for (const { answer, code } of [unknown, await enter(authenticator, { isForged: true })]) {
      expect(code).toBe('INVALID_PASSKEY');
      expect(answer.text).not.toContain('password');
    }
  });

  it('is added without a look at its certificates, which may name any address to fetch', async () => {
    const ada = await signUp(server.url, 'Passkey Attested');
    const authenticator = createAuthenticator(server.url);
    expect(codeOf(await add(ada, authenticator, { attests: 'android-key' }))).toBe(201);
    expect((await enter(authenticator)).code).toBe(200);
  });

  it('is shown to nobody else, and its key to nobody', async () => {
    const { ada, passkey } = await withPasskey('Passkey Shown');
    const tim = await signUp(server.url, 'Passkey Tim');
    expect((await tim.get('/user/passkeys')).json).toEqual([]);
    const body = { json: { password: PASSWORD } };
    const answer = await tim.request('DELETE', `/user/passkeys/${passkey.id}`, body);
    expect(codeOf(answer)).toBe('NOT_FOUND');
    const { text } = await ada.get('/user/passkeys');
    const rows = await server.deps.db.select().from(passkeys);
    expect(rows.filter((row) => text.includes(row.publicKey))).toEqual([]);
  });
});

describe('adding a passkey', () => {
  it('takes the password or another passkey, and the same one is added once', async () => {
    const { ada, authenticator } = await withPasskey('Passkey Adder');
    const wrong = await ada.post('/user/passkeys/options', { password: 'not it' });
    expect(codeOf(wrong)).toBe('VALIDATION_FAILED');
    // A challenge that is free for everybody adds none.
    const free = { ...(await makeOptions(ada)), challenge: (await optionsFor(ada)).challenge };
    const other = createAuthenticator(server.url);
    expect(codeOf(await ada.post('/user/passkeys', other.create(free)))).toBe('INVALID_PASSKEY');
    const proof = authenticator.get(await optionsFor(ada));
    const options = await makeOptions(ada, proof);
    expect(options.excludeCredentials).toHaveLength(1);
    expect((await ada.post('/user/passkeys', other.create(options))).status).toBe(201);
    expect(codeOf(await ada.post('/user/passkeys', other.create(options)))).not.toBe(201);
    expect(codeOf(await add(ada, other))).toBe('VALIDATION_FAILED');
    expect((await ada.get('/user/passkeys')).json).toHaveLength(2);
  });

  it.each<[string, Tricks]>([
    ['another site', { origin: 'https://evil.example' }],
    ['another host', { rpId: 'evil.example' }],
    ['a challenge of its own', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['nobody who was there', { isUnverified: true }],
  ])('refuses one of %s', async (what, tricks) => {
    const ada = await signUp(server.url, `Passkey Add ${what}`.slice(0, 40));
    expect(codeOf(await add(ada, createAuthenticator(server.url), tricks))).toBe('INVALID_PASSKEY');
  });

  it('names the site, as the device shows it', async () => {
    const ada = await signUp(server.url, 'Passkey Site');
    expect((await makeOptions(ada)).rp).toEqual({ name: 'Family letters', id: '127.0.0.1' });
  });

  it('serves no other session', async () => {
    const ada = await signUp(server.url, 'Passkey Session');
    const tim = await signUp(server.url, 'Passkey Other');
    const made = createAuthenticator(server.url).create(await makeOptions(ada));
    expect(codeOf(await tim.post('/user/passkeys', made))).toBe('INVALID_PASSKEY');
    expect((await ada.post('/user/passkeys', made)).status).toBe(201);
  });

  it('is bounded', async () => {
    const ada = await signUp(server.url, 'Passkey Many');
    for (let index = 0; index < PASSKEYS_MAX; index += 1) {
      expect((await add(ada, createAuthenticator(server.url))).status).toBe(201);
    }
    const more = await ada.post('/user/passkeys/options', { password: PASSWORD });
    expect(codeOf(more)).toBe('VALIDATION_FAILED');
  });

  it('is not added once a new password has ended the session, however slowly it was sent', async () => {
    const ada = await signUp(server.url, 'Passkey Slow');
    await confirmMain(server, ada);
    const authenticator = createAuthenticator(server.url);
    const credential = authenticator.create(await makeOptions(ada));
    // As the calls know them, which have looked at the session before.
    const sessionId = hashToken(String(await ada.cookie('session')));
    const actor = { userId: ada.user.id, sessionId };
    await resetBy(server, ada.user.email, 'a new one');
    const adding = doors.addPasskey(server.deps, actor, { credential, device: 'A phone' });
    await expect(adding).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await enter(authenticator)).code).toBe('INVALID_PASSKEY');
    // Nor is an identity linked, whose provider has answered meanwhile.
    const identity = { issuer: 'https://id.example/', subject: 'a thief' };
    const linking = addIdentity(server.deps, actor, identity);
    await expect(linking).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('is told at every address, and undone by its link for seven days', async () => {
    const { ada, main, second, authenticator } = await withPasskey('Passkey Told');
    await allSent(server);
    for (const address of [main, second]) {
      const mail = server.mailer.sent.find(
        ({ to, kind }) => to === address && kind === 'passkey-added',
      );
      expect(mail?.subject).toBe('A passkey was added to your account');
    }
    const token = await tokenTo(server, second, '/auth/undo-passkey');
    const reader = await visit(server.url);
    expect(codeOf(await reader.post('/auth/undo-passkey', { token: `${token}x` }))).toBe(
      'INVALID_ADDRESS_LINK',
    );
    const thief = await enter(authenticator);
    expect(codeOf(await reader.post('/auth/undo-passkey', { token }))).toBe(200);
    expect((await thief.client.get('/user/me')).status).toBe(401);
    expect((await ada.get('/user/me')).status).toBe(401);
    expect((await enter(authenticator)).code).toBe('INVALID_PASSKEY');
    expect(codeOf(await reader.post('/auth/undo-passkey', { token }))).toBe('INVALID_ADDRESS_LINK');
    // Later, the link is worth nothing.
    const late = await withPasskey('Passkey Late');
    const dead = await tokenTo(server, late.main, '/auth/undo-passkey');
    server.clock.advance({ ms: 7 * DAY_MS });
    expect(codeOf(await reader.post('/auth/undo-passkey', { token: dead }))).toBe(
      'INVALID_ADDRESS_LINK',
    );
    expect((await enter(late.authenticator)).code).toBe(200);
  });
});

describe('in place of the password', () => {
  let person: Awaited<ReturnType<typeof withPasskey>>;
  beforeAll(async () => {
    person = await withPasskey('Passkey Instead');
  });

  it('a passkey confirms what takes more than a session, once', async () => {
    const { ada, authenticator, passkey } = person;
    const proof = authenticator.get(await optionsFor(ada));
    const end = (password: unknown) =>
      ada.request('DELETE', '/user/sessions', { json: { password } });
    expect((await end(proof)).status).toBe(200);
    expect(codeOf(await end(proof))).toBe('VALIDATION_FAILED');
    const ways = [
      (password: unknown) => ada.post('/user/email', { email: newAddress(), password }),
      (password: unknown) => ada.put('/user/second-email', { email: null, password }),
      (password: unknown) => ada.post('/user/recovery-codes', { password }),
      (password: unknown) =>
        ada.request('DELETE', `/user/passkeys/${passkey.id}`, { json: { password } }),
    ];
    for (const way of ways) {
      const other = createAuthenticator(server.url);
      for (const wrong of [
        authenticator.get(await optionsFor(ada), { isForged: true }),
        authenticator.get(await optionsFor(ada), { origin: 'https://evil.example' }),
        // Asked for in another browser.
        authenticator.get(await optionsFor(await visit(server.url))),
        other.get(await optionsFor(ada)),
        { ...proof, response: {} },
        {},
      ]) {
        expect(codeOf(await way(wrong))).toBe('VALIDATION_FAILED');
      }
      const answer = await way(authenticator.get(await optionsFor(ada)));
      expect([200, 201, 202]).toContain(answer.status);
    }
  });

  it("somebody else's passkey confirms nothing, and one's own deletes the account", async () => {
    const { ada, authenticator } = await withPasskey('Passkey Leaver');
    const tim = await withPasskey('Passkey Else');
    const leave = async (by: Authenticator) =>
      ada.post('/user/delete-account', {
        password: by.get(await optionsFor(ada)),
        capsules: 'destroy',
      });
    expect(codeOf(await leave(tim.authenticator))).toBe('VALIDATION_FAILED');
    expect((await leave(authenticator)).status).toBe(200);
    expect((await enter(authenticator)).code).toBe('INVALID_PASSKEY');
    expect((await enter(tim.authenticator)).code).toBe(200);
  });
});

describe('taking an account back', () => {
  it('a new password removes the passkeys of the last seven days, and leaves older ones', async () => {
    const { ada, main, second, authenticator: old } = await withPasskey('Passkey Back');
    server.clock.advance({ ms: 8 * DAY_MS });
    const thiefs = createAuthenticator(server.url);
    answerOf(addPasskey, await add(ada, thiefs));
    await resetBy(server, main, 'of the owner');
    const answer = await tokenTo(server, second, '/auth/new-password');
    const owner = await visit(server.url);
    expect(codeOf(await owner.post('/auth/new-password', { token: answer, isMine: true }))).toBe(
      200,
    );
    expect((await enter(thiefs)).code).toBe('INVALID_PASSKEY');
    expect((await enter(old)).code).toBe(200);
  });

  it('so does an undo of addresses', async () => {
    const { ada, main, authenticator } = await withPasskey('Passkey Undo');
    await moveTo(server, ada, newAddress());
    expect(codeOf(await undo(server, main))).toBe(200);
    expect((await enter(authenticator)).code).toBe('INVALID_PASSKEY');
  });

  it('a sign-in with a passkey ends the wait of a new password', async () => {
    const { main, authenticator } = await withPasskey('Passkey Wait');
    server.clock.advance({ ms: 8 * DAY_MS });
    await resetBy(server, main, 'of a thief');
    expect((await enter(authenticator)).code).toBe(200);
    server.clock.advance({ ms: 8 * DAY_MS });
    await server.activateChanges();
    expect(codeOf(await signInAs(server, main, 'of a thief'))).toBe('INVALID_CREDENTIALS');
  });
});
