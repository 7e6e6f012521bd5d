import { eq } from 'drizzle-orm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { users } from '../../server/db/schema.ts';
import { getPasskeyChoice } from '../../shared/api/passkey-choice.ts';
import { getRecoveryCodes, makeRecoveryCodes } from '../../shared/api/recovery-codes.ts';
import { DAY_MS } from '../../shared/limits.ts';
import {
  addSecond,
  allSent,
  answerFor,
  codeOf,
  confirmMain,
  resetBy,
  signInAs,
  tokenTo,
  undo,
  visit,
} from '../support/addresses.ts';
import { addPasskeyTo, optionsFor } from '../support/authenticator.ts';
import { answerOf, PASSWORD, type SignedIn, signUp, type TestClient } from '../support/client.ts';
import { sharedServer, startTestServer } from '../support/server.ts';

const server = sharedServer({ clock: '2029-06-01T12:00:00Z' });
const NEW = 'a new one';

const choose = (person: SignedIn, asksOnNewDevices: boolean, password: unknown = PASSWORD) =>
  person.put('/user/passkey-choice', { asksOnNewDevices, password });
const asks = async (person: Pick<TestClient, 'get'>) =>
  answerOf(getPasskeyChoice, await person.get('/user/passkey-choice')).asksOnNewDevices;
const signsIn = async (email: string, password = PASSWORD) =>
  codeOf(await signInAs(server, email, password));
const codesOf = async (person: SignedIn) =>
  answerOf(makeRecoveryCodes, await person.post('/user/recovery-codes', { password: PASSWORD }))
    .codes;

/** Signs in on a new device with a passkey alone. */
async function enter(authenticator: Awaited<ReturnType<typeof addPasskeyTo>>['authenticator']) {
  const client = await visit(server.url);
  const assertion = authenticator.get(await optionsFor(client));
  return { client, code: codeOf(await client.post('/auth/passkey', assertion)) };
}

/** Sets a password by a link, on the device of this person. */
async function resetOn(device: TestClient, email: string, password: string) {
  await device.post('/auth/forgot-password', { email });
  const token = await tokenTo(server, email, '/auth/reset-password');
  return device.post(`/auth/reset-password?token=${token}`, { password });
}

async function wait(days: number) {
  server.clock.advance({ ms: days * DAY_MS });
  await server.activateChanges();
}

/** Somebody who asks for a passkey on new devices, since eight days. */
async function asking(name: string) {
  const ada = await signUp(server.url, name);
  await confirmMain(server, ada);
  const added = await addPasskeyTo(ada);
  expect(codeOf(await choose(ada, true))).toBe(200);
  await wait(8);
  await allSent(server);
  return { ada, main: ada.user.email, ...added };
}

/** What each address was told about the choice, by subject. */
const toldTo = async (email: string) => {
  await allSent(server);
  return server.mailer.sent
    .filter(({ to, kind }) => to === email && kind === 'passkey-choice')
    .map(({ subject }) => subject);
};
const ON = 'Your account asks for a passkey on new devices';
const OFF = "Your account doesn't ask for a passkey on new devices any more";

describe('asking for a passkey on new devices', () => {
  it('refuses the right password alone, and only there', async () => {
    const { ada, main, authenticator } = await asking('Choice Ada');
    const stranger = await visit(server.url);
    const answer = await stranger.post('/auth/login', { email: main, password: PASSWORD });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'PASSKEY_REQUIRED']);
    expect((await stranger.get('/user/me')).status).toBe(401);
    // Nobody learns of the choice without the password.
    expect(await signsIn(main, 'not it')).toBe('INVALID_CREDENTIALS');
    // A refused password made no device known.
    expect(codeOf(await stranger.post('/auth/login', { email: main, password: PASSWORD }))).toBe(
      'PASSKEY_REQUIRED',
    );
    await ada.post('/auth/logout');
    expect(codeOf(await ada.post('/auth/login', { email: main, password: PASSWORD }))).toBe(200);
    // A passkey signs in by itself, and the password does on that device from then on.
    const { client, code } = await enter(authenticator);
    expect(code).toBe(200);
    await client.post('/auth/logout');
    expect(codeOf(await client.post('/auth/login', { email: main, password: PASSWORD }))).toBe(200);
  });

  it('takes a recovery code in its place, once, with the password', async () => {
    const { ada, main } = await asking('Choice Codes');
    const [code, other] = await codesOf(ada);
    const [foreign] = await codesOf(await signUp(server.url, 'Choice Foreign'));
    const on = async (recoveryCode: string | undefined, password = PASSWORD) =>
      codeOf(
        await (await visit(server.url)).post('/auth/login', {
          email: main,
          password,
          recoveryCode,
        }),
      );
    expect(await on(code, 'not it')).toBe('INVALID_CREDENTIALS');
    expect(await on(foreign)).toBe('INVALID_RECOVERY_CODE');
    expect(await on('0000-0000-0000-0000')).toBe('INVALID_RECOVERY_CODE');
    const answers = await Promise.all(Array.from({ length: 5 }, () => on(code)));
    expect(answers.filter((answer) => answer === 200)).toHaveLength(1);
    expect(await on(code)).toBe('INVALID_RECOVERY_CODE');
    // A known device uses none up.
    const login = { email: main, password: PASSWORD, recoveryCode: other };
    expect(codeOf(await ada.post('/auth/login', login))).toBe(200);
    const { left } = answerOf(getRecoveryCodes, await ada.get('/user/recovery-codes'));
    expect(left).toBe(7);
  });

  it('takes the password, a passkey and a confirmed address to be turned on', async () => {
    const ada = await signUp(server.url, 'Choice First');
    expect(codeOf(await choose(ada, true))).toBe('VALIDATION_FAILED');
    await addPasskeyTo(ada);
    expect((await choose(ada, true)).json).toMatchObject({
      message: 'Please confirm your main address first, under “Your email addresses”.',
    });
    await confirmMain(server, ada);
    expect(codeOf(await choose(ada, true, 'not it'))).toBe('VALIDATION_FAILED');
    expect(await asks(ada)).toBe(false);
    expect(codeOf(await choose(ada, true))).toBe(200);
    expect(await asks(ada)).toBe(true);
  });

  it('is told at every address, and so is its end', async () => {
    const { ada, main, authenticator } = await asking('Choice Told');
    const second = await addSecond(server, ada);
    expect(await toldTo(main)).toEqual([ON]);
    expect(codeOf(await choose(ada, false, 'not it'))).toBe('VALIDATION_FAILED');
    const proof = authenticator.get(await optionsFor(ada));
    expect(codeOf(await choose(ada, false, proof))).toBe(200);
    expect(codeOf(await choose(ada, false))).toBe(200);
    for (const address of [main, second]) expect((await toldTo(address)).at(-1)).toBe(OFF);
    expect(await toldTo(second)).toHaveLength(1);
    expect(await signsIn(main)).toBe(200);
  });

  it('ends with the last passkey, and does not come back with the next one', async () => {
    const { ada, main, passkey } = await asking('Choice Last');
    const more = await addPasskeyTo(ada);
    const remove = (id: string) =>
      ada.request('DELETE', `/user/passkeys/${id}`, { json: { password: PASSWORD } });
    await remove(passkey.id);
    expect(await asks(ada)).toBe(true);
    await remove(more.passkey.id);
    expect(await asks(ada)).toBe(false);
    expect((await toldTo(main)).at(-1)).toBe(OFF);
    expect(await signsIn(main)).toBe(200);
    await addPasskeyTo(ada);
    expect(await asks(ada)).toBe(false);
  });

  it('ends where the site moves to another host, whose passkeys are others', async () => {
    const { ada, main } = await asking('Choice Moved');
    const isAda = eq(users.id, ada.user.id);
    const moved = { passkeyAskedAtHost: 'old.example' };
    await server.deps.db.update(users).set(moved).where(isAda);
    expect(await asks(ada)).toBe(false);
    expect(await signsIn(main)).toBe(200);
  });

  it('is changed five times a day, so that its emails are few', async () => {
    const limited = await startTestServer({ config: { rateLimits: true } });
    onTestFinished(limited.close);
    const ada = await signUp(limited.url, 'Choice Often');
    const answers = [];
    for (let index = 0; index < 6; index += 1) answers.push(codeOf(await choose(ada, false)));
    expect(answers).toEqual([200, 200, 200, 200, 200, 'RATE_LIMITED']);
  });
});

describe('a new password by email', () => {
  it('waits on a new device, and takes effect after a week, which ends the choice', async () => {
    const { ada, main } = await asking('Choice Week');
    const { answer, countsFrom } = await resetBy(server, main, NEW);
    expect(answer.json).toMatchObject({ lacksPasskey: true });
    const inAWeek = new Date(server.clock.now().getTime() + 7 * DAY_MS).toISOString();
    expect(countsFrom?.slice(0, 16)).toBe(inAWeek.slice(0, 16));
    expect(await signsIn(main, NEW)).toBe('INVALID_CREDENTIALS');
    // The one address is told, without a link that answers.
    const mail = server.mailer.sent.findLast(({ kind }) => kind === 'password-waiting');
    expect(mail).toMatchObject({ to: main, subject: 'A new password for your account is waiting' });
    expect(mail?.text).not.toContain('token=');
    expect(await asks(ada)).toBe(true);
    await wait(7);
    expect((await toldTo(main)).at(-1)).toBe(OFF);
    expect(await signsIn(main, NEW)).toBe(200);
  });

  it('is dropped by a sign-in with the passkey, and by the old password on a known device', async () => {
    const { ada, main, authenticator } = await asking('Choice Dropped');
    await resetBy(server, main, 'of a thief');
    expect((await enter(authenticator)).code).toBe(200);
    await resetBy(server, main, 'of a thief');
    // The old password alone, on a new device, is no sign-in and drops nothing.
    expect(await signsIn(main)).toBe('PASSKEY_REQUIRED');
    expect(codeOf(await ada.post('/auth/login', { email: main, password: PASSWORD }))).toBe(200);
    await wait(8);
    expect(await signsIn(main, 'of a thief')).toBe('INVALID_CREDENTIALS');
    expect(await signsIn(main)).toBe('PASSKEY_REQUIRED');
  });

  it('makes no device known while it waits', async () => {
    const { main } = await asking('Choice Device');
    const device = await visit(server.url);
    await resetOn(device, main, NEW);
    expect(codeOf(await device.post('/auth/login', { email: main, password: PASSWORD }))).toBe(
      'PASSKEY_REQUIRED',
    );
  });

  it('takes effect at once with a recovery code, and the choice stays', async () => {
    const { ada, main } = await asking('Choice Code');
    const [code] = await codesOf(ada);
    const device = await visit(server.url);
    await resetOn(device, main, NEW);
    expect(codeOf(await device.post('/auth/recovery-code', { code, password: NEW }))).toBe(200);
    expect(codeOf(await device.post('/auth/login', { email: main, password: NEW }))).toBe(200);
    expect(await asks(device)).toBe(true);
    expect(await signsIn(main, NEW)).toBe('PASSKEY_REQUIRED');
  });

  it('takes effect at once on a known device, and the choice stays', async () => {
    const { ada, main } = await asking('Choice Known');
    expect((await resetOn(ada, main, NEW)).json).not.toHaveProperty('countsFrom');
    expect(codeOf(await ada.post('/auth/login', { email: main, password: NEW }))).toBe(200);
    expect(await signsIn(main, NEW)).toBe('PASSKEY_REQUIRED');
  });

  it('takes effect when the other address says yes, which ends the choice', async () => {
    const { ada, main } = await asking('Choice Both');
    const second = await addSecond(server, ada);
    await wait(8);
    await resetBy(server, main, NEW);
    expect(codeOf(await answerFor(server, second, true))).toBe(200);
    expect(await signsIn(main, NEW)).toBe(200);
    expect((await toldTo(second)).at(-1)).toBe(OFF);
  });

  it('ends the choice for the first seven days: a thief may have made it', async () => {
    const ada = await signUp(server.url, 'Choice Thief');
    await confirmMain(server, ada);
    const { authenticator } = await addPasskeyTo(ada);
    expect(codeOf(await choose(ada, true))).toBe(200);
    await wait(6);
    expect((await resetBy(server, ada.user.email, NEW)).countsFrom).toBeUndefined();
    expect(await signsIn(ada.user.email, NEW)).toBe(200);
    expect((await enter(authenticator)).code).toBe('INVALID_PASSKEY');
    expect((await toldTo(ada.user.email)).at(-1)).toBe(OFF);
  });

  it('waits as well after an undo of addresses', async () => {
    const { ada, main } = await asking('Choice Undo');
    const second = await addSecond(server, ada);
    expect(codeOf(await undo(server, main))).toBe(200);
    expect((await resetBy(server, main, NEW)).answer.json).toMatchObject({ lacksPasskey: true });
    expect(await signsIn(main, NEW)).toBe('INVALID_CREDENTIALS');
    expect(second).not.toBe(main);
  });
});
