import { beforeEach, describe, expect, it } from 'vitest';
import { type Person, sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { findUserByEmail, updateUser } from '../../db/accounts/users.ts';
import { linkTokens } from '../../db/schema.ts';
import {
  consumePasswordReset,
  findPasswordReset,
  issueEmailVerification,
  issuePasswordReset,
} from './link-tokens.ts';
import { verifyEmail } from './verification.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const { database, world } = sharedMailWorld();
let ada: Person;
beforeEach(async () => {
  ada = await world.addPerson('Ada');
});

describe('a password reset link', () => {
  const issue = (requestedBy = 'home') =>
    issuePasswordReset(database.db, world.deps, {
      userId: ada.id,
      requestedBy,
      sentTo: ada.email,
    });
  const find = (token: string) => findPasswordReset(database.db, world.deps, token);
  const consume = async (token: string) =>
    (await consumePasswordReset(database.db, world.deps, token))?.user.id ?? null;

  it('is kept as a hash only', async () => {
    const token = await issue();
    const rows = JSON.stringify(await database.db.select().from(linkTokens));
    expect(rows).toContain(ada.id);
    expect(rows).not.toContain(token);
  });

  it('can be looked at any number of times, and used once', async () => {
    const token = await issue();
    expect(await find(token)).toBe(ada.id);
    expect(await find(token)).toBe(ada.id);
    expect(await consume(token)).toBe(ada.id);
    expect(await find(token)).toBeNull();
    expect(await consume(token)).toBeNull();
  });

  it('has one winner among 50 who use it at once', async () => {
    const token = await issue();
    const results = await Promise.all(
      Array.from({ length: 50 }, () =>
        database.db.transaction((tx) => consumePasswordReset(tx, world.deps, token)),
      ),
    );
    expect(results.filter((used) => used?.user.id === ada.id)).toHaveLength(1);
    expect(results.filter((used) => used === null)).toHaveLength(49);
  });

  it('is good a millisecond before five minutes and dead at five [9.limits.10]', async () => {
    const token = await issue();
    world.advance(5 * MINUTE_MS - 1);
    expect(await find(token)).toBe(ada.id);
    world.advance(1);
    expect(await find(token)).toBeNull();
    expect(await consume(token)).toBeNull();
  });

  it('is voided by a newer one', async () => {
    const older = await issue();
    const newer = await issue();
    expect(await consume(older)).toBeNull();
    expect(await consume(newer)).toBe(ada.id);
  });

  it('lives beside one that somebody else asked for, until one of them is used', async () => {
    const older = await issue('home');
    const newer = await issue('elsewhere');
    expect([await find(older), await find(newer)]).toEqual([ada.id, ada.id]);
    expect(await consume(older)).toBe(ada.id);
    expect(await consume(newer)).toBeNull();
  });

  it('ends with the address it was emailed to', async () => {
    const sentTo = 'ada@second.example';
    await updateUser(database.db, ada.id, { secondEmail: sentTo });
    const link = { userId: ada.id, requestedBy: 'home', sentTo };
    const token = await issuePasswordReset(database.db, world.deps, link);
    expect(await find(token)).toBe(ada.id);
    await updateUser(database.db, ada.id, { secondEmail: null });
    expect([await find(token), await consume(token)]).toEqual([null, null]);
  });

  it('stays good when the transaction that used it is rolled back', async () => {
    const token = await issue();
    const failed = database.db.transaction(async (tx) => {
      await consumePasswordReset(tx, world.deps, token);
      throw new Error('the new password was refused');
    });
    await expect(failed).rejects.toThrow('refused');
    expect(await consume(token)).toBe(ada.id);
  });
});

describe('a verification link', () => {
  const issue = () => issueEmailVerification(database.db, world.deps, ada);
  const consume = (token: string) =>
    verifyEmail(world.deps, token).then(
      () => ada.id,
      () => null,
    );
  const verifiedAt = async () =>
    (await findUserByEmail(database.db, ada.email))?.emailVerifiedAt ?? null;

  it('verifies, and frightens nobody when it is opened again', async () => {
    const token = await issue();
    const first = world.deps.clock.now();
    expect(await consume(token)).toBe(ada.id);
    world.advance(HOUR_MS);
    expect(await consume(token)).toBe(ada.id);
    expect(await verifiedAt()).toEqual(first);
  });

  it('takes off a second address given by who registered, the first time and no more', async () => {
    const second = async (email?: string) => {
      if (email) await updateUser(database.db, ada.id, { secondEmail: email });
      return (await findUserByEmail(database.db, ada.email))?.secondEmail;
    };
    await second('perhaps-a-strangers@example.com');
    const token = await issue();
    await consume(token);
    expect(await second()).toBeNull();
    await second('her.own@example.com');
    await consume(token);
    expect(await second()).toBe('her.own@example.com');
  });

  it('is dead after 24 hours', async () => {
    const token = await issue();
    world.advance(24 * HOUR_MS);
    expect(await consume(token)).toBeNull();
    expect(await verifiedAt()).toBeNull();
  });

  it('is voided by a newer one, and is no reset link', async () => {
    const older = await issue();
    const newer = await issue();
    expect(await consume(older)).toBeNull();
    expect(await findPasswordReset(database.db, world.deps, newer)).toBeNull();
    expect(await consume(newer)).toBe(ada.id);
  });
});
