import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { hashToken } from '../../server/auth/token-hash.ts';
import { recoveryCodes } from '../../server/db/schema.ts';
import { makeRecoveryCodes as makeCodes } from '../../server/domain/doors/recovery-codes.ts';
import { getRecoveryCodes, makeRecoveryCodes } from '../../shared/api/recovery-codes.ts';
import { DAY_MS, UNDO_DAYS } from '../../shared/limits.ts';
import {
  addSecond,
  answerFor,
  codeOf,
  confirmMain,
  moveTo,
  newAddress,
  resetBy,
  signInAs,
  undo,
  visit,
} from '../support/addresses.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer({ clock: '2029-06-01T12:00:00Z' });
const NEW = 'a new one';

/** Somebody with two addresses and recovery codes. */
async function withCodes(name: string) {
  const ada = await signUp(server.url, name);
  await confirmMain(server, ada);
  const second = await addSecond(server, ada);
  return { ada, main: ada.user.email, second, codes: await make(ada) };
}

async function make(ada: SignedIn, password = ada.password): Promise<string[]> {
  const answer = await ada.post('/user/recovery-codes', { password });
  return answerOf(makeRecoveryCodes, answer).codes;
}

const left = async (ada: Pick<SignedIn, 'get'>) =>
  answerOf(getRecoveryCodes, await ada.get('/user/recovery-codes'));

const use = async (code: string | undefined, password = NEW) =>
  codeOf(await (await visit(server.url)).post('/auth/recovery-code', { code, password }));

describe('recovery codes', () => {
  it('are eight, shown once, and stored as hashes', async () => {
    const { ada, codes } = await withCodes('Codes Ada');
    expect(new Set(codes).size).toBe(8);
    for (const code of codes) expect(code).toMatch(/^([0-9a-hj-km-np-tv-z]{4}-){3}[0-9a-z]{4}$/);
    const answer = await ada.get('/user/recovery-codes');
    expect(answer.json).toEqual({ left: 8, madeAt: expect.stringMatching(/^2029-06-01/) });
    const rows = JSON.stringify(await server.deps.db.select().from(recoveryCodes));
    expect(codes.filter((code) => rows.includes(code))).toEqual([]);
  });

  it('are not made with a password that another one takes the place of meanwhile', async () => {
    const ada = await signUp(server.url, 'Codes Late');
    const sessionId = hashToken(String(await ada.cookie('session')));
    const passwords = {
      ...server.deps.passwords,
      verify: async () => {
        await resetBy(server, ada.user.email, NEW);
        return true;
      },
    };
    const late = makeCodes(
      { ...server.deps, passwords },
      { userId: ada.user.id, sessionId },
      { password: ada.password },
    );
    await expect(late).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await server.deps.db.$count(recoveryCodes, eq(recoveryCodes.userId, ada.user.id))).toBe(
      0,
    );
  });

  it('take the password to be made, and replace the ones before', async () => {
    const { ada, main, codes } = await withCodes('Codes Maker');
    expect(codeOf(await ada.post('/user/recovery-codes', { password: 'not it' }))).toBe(
      'VALIDATION_FAILED',
    );
    expect((await left(ada)).left).toBe(8);
    const [fresh] = await make(ada);
    await resetBy(server, main, NEW);
    expect(await use(codes[0])).toBe('INVALID_RECOVERY_CODE');
    expect(await use(fresh)).toBe(200);
  });

  it('end the wait of a new password, each once, however they are typed', async () => {
    const { ada, main, codes } = await withCodes('Codes Once');
    server.clock.advance({ ms: UNDO_DAYS * DAY_MS + 1 });
    await resetBy(server, main, NEW);
    expect(codeOf(await signInAs(server, main, NEW))).toBe('INVALID_CREDENTIALS');
    const typed = ` ${codes[0]?.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O')} `;
    expect(await use(typed)).toBe(200);
    expect((await ada.get('/user/me')).status).toBe(401);
    const again = await signInAs(server, main, NEW);
    expect(codeOf(again)).toBe(200);
    await resetBy(server, main, 'yet another');
    expect(await use(codes[0], 'yet another')).toBe('INVALID_RECOVERY_CODE');
    expect(await use(codes[1], 'yet another')).toBe(200);
  });

  it('of the last seven days end with a new password, once one has let it take effect', async () => {
    const { main, codes } = await withCodes('Codes Young');
    await resetBy(server, main, NEW);
    expect(await use(codes[0])).toBe(200);
    await resetBy(server, main, 'yet another');
    expect(await use(codes[1], 'yet another')).toBe('INVALID_RECOVERY_CODE');
  });

  it('of ten at once work once', async () => {
    const { main, codes } = await withCodes('Codes Race');
    await resetBy(server, main, NEW);
    const answers = await Promise.all([codes[0], ...codes, codes[0]].map((code) => use(code)));
    expect(answers.filter((answer) => answer === 200)).toHaveLength(1);
  });

  it('serve nothing without a password that waits, and are not used up by a wrong one', async () => {
    const { main, second, codes } = await withCodes('Codes Alone');
    expect(await use(codes[0])).toBe('INVALID_RECOVERY_CODE');
    await resetBy(server, main, NEW);
    expect(await use(codes[0], 'not it')).toBe('INVALID_RECOVERY_CODE');
    expect(await use('0000-0000-0000-0000')).toBe('INVALID_RECOVERY_CODE');
    // Somebody else has set another one meanwhile: it is not activated by the owner's code.
    await resetBy(server, second, 'of a thief');
    expect(await use(codes[0])).toBe('INVALID_RECOVERY_CODE');
    await answerFor(server, main, false);
    await resetBy(server, main, NEW);
    expect(await use(codes[0])).toBe(200);
  });

  it('end with an undo of addresses: a thief may have made them', async () => {
    const { ada, main } = await withCodes('Codes Undone');
    await moveTo(server, ada, newAddress());
    const [made] = await make(ada);
    expect(codeOf(await undo(server, main))).toBe(200);
    await resetBy(server, main, NEW);
    expect(await use(made)).toBe('INVALID_RECOVERY_CODE');
  });
});
