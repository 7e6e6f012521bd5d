import { drizzle } from 'drizzle-orm/postgres-js';
import { beforeEach, expect, it } from 'vitest';
import { createCheapPasswords } from '../../../tests/support/cheap-passwords.ts';
import { secretIn } from '../../../tests/support/links.ts';
import { type Person, sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { rendered } from '../../../tests/support/rendered.ts';
import { createSessions } from '../../auth/sessions.ts';
import * as schema from '../../db/schema.ts';
import type { EmailKind } from '../../mail/kinds.ts';
import { confirmAddress, undoChange } from './address-links.ts';
import { changeAddress, getAddresses } from './addresses.ts';

/**
 * A budget: whoever needs more statements asks first whether one of these can go. An undo, which happens
 * once in years, ends sessions, known devices and links to add, and later changes, each by one.
 */
const MAX = 10;
const MAX_OF_UNDO = 13;

const { database, world } = sharedMailWorld();
const passwords = createCheapPasswords();
const PASSWORD = 'a password';
const SECOND = 'ada@second.example';
const NEW = 'ada@new.example';
let ada: Person;
let actor: { userId: string; sessionId: string };
beforeEach(async () => {
  const passwordHash = await passwords.hash(PASSWORD);
  const change = { passwordHash, secondEmail: SECOND, emailVerifiedAt: world.deps.clock.now() };
  ada = await world.addPerson('Ada', change);
  actor = { userId: ada.id, sessionId: 'of Ada' };
});

/** What the walks need, and how many statements one of them sends. */
function watched() {
  const sent: string[] = [];
  const logger = { logQuery: (query: string) => void sent.push(query) };
  const db = drizzle(database.sql, { schema, logger });
  const sessions = createSessions({ ...world.deps, db });
  const deps = { ...world.deps, db, passwords, sessions };
  const count = async (work: () => Promise<unknown>) => {
    sent.splice(0);
    await work();
    return sent.length;
  };
  return { deps, count };
}

/** The token in the newest email of this kind to this address. */
async function tokenIn(kind: EmailKind, email: string): Promise<string> {
  const sending = (await world.sendings()).findLast(
    (one) => one.email.kind === kind && one.email.toAddress === email,
  );
  const mail = sending && (await rendered(world.deps, sending));
  return secretIn(new URL(String(mail?.link)));
}

it('asking for a main address, confirming and undoing it', async () => {
  const { deps, count } = watched();
  const asking = await count(async () => {
    await changeAddress(deps, actor, { slot: 'main', email: NEW, password: PASSWORD });
    await getAddresses(deps, actor);
  });
  const confirm = await tokenIn('confirm-address', NEW);
  const confirming = await count(() => confirmAddress(deps, { token: confirm, pressedBy: ada.id }));
  world.advance(3_600_000);
  const undo = await tokenIn('address-changed', ada.email);
  const undoing = await count(() => undoChange(deps, undo));
  expect(await getAddresses(deps, actor)).toMatchObject({ email: ada.email, secondEmail: SECOND });
  expect(Math.max(asking, confirming)).toBeLessThanOrEqual(MAX);
  expect(undoing).toBeLessThanOrEqual(MAX_OF_UNDO);
});

it('removing a second address, and asking for one', async () => {
  const { deps, count } = watched();
  const removing = await count(async () => {
    await changeAddress(deps, actor, { slot: 'second', email: null, password: PASSWORD });
    await getAddresses(deps, actor);
  });
  const asking = await count(async () => {
    await changeAddress(deps, actor, { slot: 'second', email: NEW, password: PASSWORD });
    await getAddresses(deps, actor);
  });
  const token = await tokenIn('confirm-address', NEW);
  const confirming = await count(() => confirmAddress(deps, { token, pressedBy: null }));
  expect(Math.max(removing, asking, confirming)).toBeLessThanOrEqual(MAX);
});
