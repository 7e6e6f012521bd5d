import { expect, it } from 'vitest';
import { hashToken } from '../../server/auth/token-hash.ts';
import { addSecond, allSent, codeOf, newAddress, visit } from '../support/addresses.ts';
import { addPasskeyTo, createAuthenticator, optionsFor } from '../support/authenticator.ts';
import { PASSWORD, type SignedIn, signUp, type TestClient } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer({
  realPasswords: true,
  config: { rateLimits: true, trustedProxies: 1 },
});

/** The calls that ask for the password of who is signed in. */
const CALLS: ((client: SignedIn, password: string) => Promise<string | number>)[] = [
  async (client, password) =>
    codeOf(await client.post('/user/email', { email: newAddress(), password })),
  async (client, password) =>
    codeOf(await client.put('/user/second-email', { email: newAddress(), password })),
  async (client, password) =>
    codeOf(await client.post('/user/delete-account', { password, capsules: 'destroy' })),
  async (client, password) =>
    codeOf(await client.post('/user/addresses/stop-password', { password })),
];

async function guesses(client: SignedIn, count: number) {
  const codes = [];
  for (let index = 0; index < count; index += 1)
    codes.push(await CALLS[index % CALLS.length]?.(client, `guess ${index}`));
  return codes;
}

const toldTo = (address: string) =>
  server.mailer.sent.filter(({ to, kind }) => to === address && kind === 'password-guessed').length;

it('the tenth wrong password ends a session, whichever call it was, and every address is told once', async () => {
  const owner = await signUp(server.url, 'Guessed at');
  const second = await addSecond(server, owner);
  const elsewhere = await visit(server.url);
  await elsewhere.post('/auth/login', { email: owner.user.email, password: PASSWORD });
  expect(await guesses(owner, 9)).toEqual(Array(9).fill('VALIDATION_FAILED'));
  expect(await guesses(owner, 1)).toEqual(['UNAUTHENTICATED']);
  expect(codeOf(await owner.get('/user/me'))).toBe('UNAUTHENTICATED');
  expect(codeOf(await elsewhere.get('/user/me'))).toBe(200);
  await allSent(server);
  expect([toldTo(owner.user.email), toldTo(second)]).toEqual([1, 1]);
});

it('the right password begins the count anew, and guesses sent at once are told once', async () => {
  const owner = await signUp(server.url, 'Forgetful');
  await guesses(owner, 9);
  const right = { email: newAddress(), password: PASSWORD };
  expect(codeOf(await owner.post('/user/email', right))).toBe(202);
  await guesses(owner, 9);
  expect(codeOf(await owner.get('/user/me'))).toBe(200);
  const codes = await Promise.all(Array.from({ length: 6 }, () => guesses(owner, 1)));
  expect(new Set(codes.flat())).toEqual(new Set(['UNAUTHENTICATED']));
  await allSent(server);
  expect(toldTo(owner.user.email)).toBe(1);
});

it.each(['password', 'passkey', 'confirmed'] as const)(
  'a session alone keeps nobody from ending it, by whatever it sends: %s',
  async (kind) => {
    const owner = await signUp(server.url, `Borrowed ${kind}`);
    const { authenticator } = await addPasskeyTo(owner);
    const thief = await visit(server.url);
    await thief.post('/auth/login', { email: owner.user.email, password: PASSWORD });
    const foreign = createAuthenticator(server.url);
    let times = 0;
    const junk = async () => {
      if (kind === 'password') return 'a guess';
      if (kind === 'confirmed') return { type: 'confirmed' };
      times += 1;
      // By turns one of nobody, and the owner's for another session.
      return (times % 2 ? foreign : authenticator).get(await optionsFor(owner));
    };
    const end = async (client: TestClient, password: unknown) =>
      codeOf(await client.request('DELETE', '/user/sessions', { json: { password } }));
    const codes = [];
    for (let tries = 0; tries < 12; tries += 1) codes.push(await end(thief, await junk()));
    expect(codes).toEqual([
      ...Array(9).fill('VALIDATION_FAILED'),
      ...Array(3).fill('UNAUTHENTICATED'),
    ]);
    expect(await end(owner, PASSWORD)).toBe(200);
    await allSent(server);
    expect(toldTo(owner.user.email)).toBe(1);
  },
);

it('a session that calls without end keeps no other one from being used', async () => {
  const owner = await signUp(server.url, 'Called often');
  const thief = await visit(server.url);
  await thief.post('/auth/login', { email: owner.user.email, password: PASSWORD });
  const sessionId = hashToken(String(await thief.cookie('session')));
  // As that many calls leave it.
  for (let calls = 0; calls < 1_200; calls += 1) {
    await server.deps.limits.tryTake('call', sessionId);
    await server.deps.limits.tryTake('callInAll', owner.user.id);
  }
  expect(codeOf(await thief.get('/user/me'))).toBe('RATE_LIMITED');
  const json = { password: PASSWORD };
  expect(codeOf(await owner.request('DELETE', '/user/sessions', { json }))).toBe(200);
  expect(codeOf(await thief.get('/user/me'))).toBe('UNAUTHENTICATED');
});

it('a session ends at the next wrong password where the tenth one could not end it', async () => {
  const owner = await signUp(server.url, 'Cut off');
  const sessionId = hashToken(String(await owner.cookie('session')));
  // As the tenth guess leaves it when the server stops right then.
  for (let count = 0; count < 10; count += 1) {
    await server.deps.limits.tryTake('ownPassword', sessionId);
  }
  expect(codeOf(await owner.get('/user/me'))).toBe(200);
  expect(await guesses(owner, 1)).toEqual(['UNAUTHENTICATED']);
  expect(codeOf(await owner.get('/user/me'))).toBe('UNAUTHENTICATED');
});

it('a password is taken at every door, however its accents are typed', async () => {
  const [nfc, nfd] = ['zwölf Élan'.normalize('NFC'), 'zwölf Élan'.normalize('NFD')];
  const owner = await signUp(server.url, 'Accents', nfc);
  const { email } = owner.user;
  const signIn = async (password: string) => {
    const client = await visit(server.url);
    return codeOf(await client.post('/auth/login', { email, password }));
  };
  expect([await signIn(nfc), await signIn(nfd)]).toEqual([200, 200]);
  const change = { email: newAddress(), password: nfd };
  expect(codeOf(await owner.post('/user/email', change))).toBe(202);
  expect(codeOf(await owner.put('/user/second-email', { ...change, email: newAddress() }))).toBe(
    202,
  );
  expect(codeOf(await owner.post('/user/addresses/stop-password', { password: nfd }))).toBe(200);
  // Set by a link, and typed on the other device.
  await owner.post('/auth/forgot-password', { email });
  const { search } = await server.mailedLink(email, '/auth/reset-password');
  expect(codeOf(await owner.post(`/auth/reset-password${search}`, { password: `${nfd}!` }))).toBe(
    200,
  );
  const again = await visit(server.url);
  expect(codeOf(await again.post('/auth/login', { email, password: `${nfc}!` }))).toBe(200);
  const deletion = { password: `${nfd}!`, capsules: 'destroy' };
  expect(codeOf(await again.post('/user/delete-account', deletion))).toBe(200);
});
