import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { invite } from '../../shared/api/invitations.ts';
import { DAY_MS } from '../../shared/limits.ts';
import {
  addSecond,
  allSent,
  answerFor,
  askForMain,
  codeOf,
  confirm,
  confirmMain,
  newAddress,
  resetBy,
  tokenTo,
  undo,
  visit,
} from '../support/addresses.ts';
import { addPasskeyTo } from '../support/authenticator.ts';
import { answerOf, PASSWORD, type SignedIn, signUp, type TestClient } from '../support/client.ts';
import { secretIn } from '../support/links.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer({ clock: '2029-06-01T12:00:00Z' });
const NEW = 'the owner chose this one';

const person = () => signUp(server.url, `Known ${randomUUID().slice(0, 8)}`);

/** Signs in. @returns whether the device was known: its owner is told of no other one. */
async function isKnown(device: TestClient, email: string, password = PASSWORD): Promise<boolean> {
  const told = async () => {
    await allSent(server);
    return server.mailer.sent.filter(({ to, kind }) => to === email && kind === 'new-device')
      .length;
  };
  const before = await told();
  expect(codeOf(await device.post('/auth/login', { email, password }))).toBe(200);
  return (await told()) === before;
}

/** Has somebody asked for a passkey on new devices from now on. */
async function choose(owner: SignedIn) {
  await addPasskeyTo(owner);
  const body = { asksOnNewDevices: true, password: PASSWORD };
  expect(codeOf(await owner.put('/user/passkey-choice', body))).toBe(200);
}

describe('a device is known', () => {
  it('from the first sign-in, which is no news, and not from registering', async () => {
    const device = await visit(server.url);
    const email = newAddress();
    await device.post('/auth/register', { name: 'Ada', email, password: PASSWORD });
    expect(await device.cookie('device')).toBeUndefined();
    expect(await isKnown(device, email)).toBe(true);
    expect(await device.cookie('device')).toBeDefined();
    const other = await visit(server.url);
    expect(await isKnown(other, email)).toBe(false);
    expect(await isKnown(other, email)).toBe(true);
  });

  it('to nobody who registered the address before its owner came', async () => {
    const stranger = await visit(server.url);
    const email = newAddress();
    await stranger.post('/auth/register', { name: 'X', email, password: PASSWORD });
    await stranger.post('/auth/login', { email, password: PASSWORD });
    const owner = await visit(server.url);
    await resetBy(server, email, NEW, owner);
    expect(await isKnown(owner, email, NEW)).toBe(true);
    expect(await isKnown(stranger, email, NEW)).toBe(false);
  });

  it('from a password by a link, once that counts: not while it waits, nor when it is refused', async () => {
    const owner = await person();
    const second = await addSecond(server, owner);
    const { email } = owner.user;
    const thief = await visit(server.url);
    await resetBy(server, email, 'of a thief', thief);
    expect(await thief.cookie('device')).toBeUndefined();
    expect(codeOf(await answerFor(server, second, false))).toBe(200);
    await choose(owner);
    const login = { email, password: PASSWORD };
    expect(codeOf(await thief.post('/auth/login', login))).toBe('PASSKEY_REQUIRED');
    const alone = await person();
    const device = await visit(server.url);
    await resetBy(server, alone.user.email, NEW, device);
    expect(await isKnown(device, alone.user.email, NEW)).toBe(true);
  });
});

describe('every device of before is unknown', () => {
  const WAYS: [string, (owner: SignedIn) => Promise<string>][] = [
    [
      'a new password',
      async ({ user }) => {
        await resetBy(server, user.email, NEW);
        return NEW;
      },
    ],
    [
      'a new password that has waited',
      async (owner) => {
        await addSecond(server, owner);
        await resetBy(server, owner.user.email, NEW);
        server.clock.advance({ ms: 8 * DAY_MS });
        await server.activateChanges();
        return NEW;
      },
    ],
    [
      'an undo of an address',
      async (owner) => {
        const { email } = owner.user;
        await confirmMain(server, owner);
        const next = newAddress();
        await askForMain(owner, next);
        await confirm(server, next, owner);
        expect(codeOf(await undo(server, email))).toBe(200);
        await resetBy(server, email, NEW);
        return NEW;
      },
    ],
    [
      'the undo of a passkey',
      async (owner) => {
        await addPasskeyTo(owner);
        const token = await tokenTo(server, owner.user.email, '/auth/undo-passkey');
        const visitor = await visit(server.url);
        expect(codeOf(await visitor.post('/auth/undo-passkey', { token }))).toBe(200);
        return PASSWORD;
      },
    ],
    [
      'ending all other sessions',
      async (owner) => {
        const json = { password: PASSWORD };
        expect(codeOf(await owner.request('DELETE', '/user/sessions', { json }))).toBe(200);
        return PASSWORD;
      },
    ],
  ];

  it.each(WAYS)('after %s', async (_way, end) => {
    const owner = await person();
    const { email } = owner.user;
    const device = await visit(server.url);
    await device.post('/auth/login', { email, password: PASSWORD });
    expect(await isKnown(device, email)).toBe(true);
    const password = await end(owner);
    expect(await isKnown(device, email, password)).toBe(false);
    expect(await isKnown(device, email, password)).toBe(true);
  });

  it('but the one on which all others were ended', async () => {
    const owner = await person();
    const { email } = owner.user;
    await confirmMain(server, owner);
    const other = await visit(server.url);
    await other.post('/auth/login', { email, password: PASSWORD });
    await choose(owner);
    await owner.request('DELETE', '/user/sessions', { json: { password: PASSWORD } });
    const login = { email, password: PASSWORD };
    expect(codeOf(await other.post('/auth/login', login))).toBe('PASSKEY_REQUIRED');
    await owner.post('/auth/logout');
    expect(codeOf(await owner.post('/auth/login', login))).toBe(200);
  });

  it('but claiming an invitation makes none known, and the first sign-in after it is no news', async () => {
    const inviter = await person();
    const email = newAddress();
    const { link } = answerOf(invite, await inviter.post('/user/invitations', { email }));
    const invitation = secretIn(new URL(String(link)), 'invitation');
    const device = await visit(server.url);
    const form = { name: 'Rose', email, password: PASSWORD, invitation };
    expect(codeOf(await device.post('/auth/register', form))).toBe(201);
    expect(await device.cookie('device')).toBeUndefined();
    expect(await isKnown(device, email)).toBe(true);
    expect(await isKnown(await visit(server.url), email)).toBe(false);
  });
});
