import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import { expect, it, vi } from 'vitest';
import { sharedDatabase, type TestDatabase } from '../../../tests/support/database.ts';
import { createMailWorld } from '../../../tests/support/mail-world.ts';
import type { Passwords } from '../../auth/passwords.ts';
import { createSessions } from '../../auth/sessions.ts';
import { removeUser } from '../../db/accounts/account-deletion.ts';
import * as schema from '../../db/schema.ts';
import { signInAccount } from './accounts.ts';
import { issuePasswordReset } from './link-tokens.ts';
import { requestPasswordReset, resetPassword } from './password-reset.ts';
import { resendVerification } from './verification.ts';

const database = sharedDatabase();

it('a sign-in with the old password that a reset overtakes leaves no session', async () => {
  const { db } = database;
  const world = createMailWorld(db);
  const ada = await world.addPerson('Ada', { passwordHash: 'old' });
  const sessions = createSessions({ ...world.deps, db });
  const token = await issuePasswordReset(db, world.deps, {
    userId: ada.id,
    requestedBy: 'home',
    sentTo: ada.email,
  });
  const overtaken: Passwords = {
    hash: async (password) => password,
    async verify(stored, password) {
      await resetPassword(
        { ...world.deps, sessions, passwords: overtaken },
        { token, password: 'a new one', isKnown: async () => false },
      );
      return stored === password;
    },
  };
  const signingIn = signInAccount(
    { ...world.deps, sessions, passwords: overtaken },
    { email: ada.email, password: 'old' },
  );
  await expect(signingIn).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  expect(await db.select().from(schema.sessions)).toEqual([]);
});

it('a sign-in waits for a new password that is being set, and then needs that', async () => {
  const { db } = database;
  const world = createMailWorld(db);
  const ada = await world.addPerson('Ada', { passwordHash: 'old' });
  const sessions = createSessions({ ...world.deps, db });
  const passwords: Passwords = {
    hash: async (password) => password,
    verify: async (stored, password) => stored === password,
  };
  let signingIn: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await tx.update(schema.users).set({ passwordHash: 'new' }).where(eq(schema.users.id, ada.id));
    await sessions.endAll(ada.id, tx);
    const deps = { ...world.deps, sessions, passwords };
    signingIn = signInAccount(deps, { email: ada.email, password: 'old' }).then(
      () => 'signed in',
      (error: unknown) => error,
    );
    await Promise.race([signingIn, vi.waitFor(() => somebodyWaits(db), { timeout: 10_000 })]);
  });
  expect(await signingIn).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  expect(await db.select().from(schema.sessions)).toEqual([]);
});

async function somebodyWaits(db: TestDatabase['db']) {
  const [row] = await db.execute(sql`select 1 from pg_locks where not granted`);
  expect(row).toBeDefined();
}

it('a sign-in that the deletion of the account overtakes is refused like a wrong password', async () => {
  const { db } = database;
  const world = createMailWorld(db);
  const ada = await world.addPerson('Ada', { passwordHash: 'old' });
  const overtaken: Passwords = {
    hash: async (password) => password,
    async verify() {
      await removeUser(db, ada);
      return true;
    },
  };
  const signingIn = signInAccount(
    { ...world.deps, sessions: createSessions({ ...world.deps, db }), passwords: overtaken },
    { email: ada.email, password: 'old' },
  );
  await expect(signingIn).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
});

it('a deleted account leaves no mail that was asked for by its address alone', async () => {
  const { db } = database;
  const world = createMailWorld(db);
  const [ada, grace] = [await world.addPerson('Ada'), await world.addPerson('Grace')];
  for (const { email } of [ada, grace])
    await requestPasswordReset(world.deps, { email, client: 'home' });
  await removeUser(db, ada);
  const addresses = (await world.sendings()).map(({ email }) => email.toAddress);
  expect(addresses).toContain(grace.email);
  expect(addresses).not.toContain(ada.email);
});

it('a sign-in costs one hash, whatever is wrong with it', async () => {
  const { db } = database;
  const { addPerson, deps } = createMailWorld(db);
  const unverified = await addPerson('Una', { passwordHash: 'right', emailVerifiedAt: null });
  const hashed: (string | null)[] = [];
  const passwords: Passwords = {
    hash: async (password) => password,
    async verify(stored, password) {
      hashed.push(stored);
      return stored === password;
    },
  };
  const config = { ...deps.config, emailVerification: true };
  const attempt = async (email: string, password: string) => {
    const sessions = createSessions({ ...deps, db });
    const signingIn = signInAccount({ ...deps, config, sessions, passwords }, { email, password });
    return signingIn.catch(({ code }) => code);
  };
  expect(await attempt('nobody@example.org', 'right')).toBe('INVALID_CREDENTIALS');
  expect(await attempt(unverified.email, 'wrong')).toBe('INVALID_CREDENTIALS');
  expect(await attempt(unverified.email, 'right')).toBe('EMAIL_NOT_VERIFIED');
  expect(hashed).toEqual([null, 'right', 'right']);
});

it('a new verification link costs the same statements, whoever the address belongs to', async () => {
  const { addPerson, deps } = createMailWorld(database.db);
  const verified = await addPerson('Vera');
  const unverified = await addPerson('Uta', { emailVerifiedAt: null });
  let queries: string[] = [];
  const logger = { logQuery: (query: string) => void queries.push(query) };
  const db = drizzle(database.sql, { schema, logger });
  const statementsFor = async (email: string, emailVerification = true) => {
    queries = [];
    const config = { ...deps.config, emailVerification };
    await resendVerification({ ...deps, config, db }, { email, client: 'home' });
    return queries;
  };
  const expected = await statementsFor(unverified.email);
  expect(expected.length).toBeGreaterThan(0);
  expect(await statementsFor(verified.email)).toEqual(expected);
  expect(await statementsFor('nobody@example.org')).toEqual(expected);
  expect(await statementsFor(unverified.email, false)).toEqual([]);
});
