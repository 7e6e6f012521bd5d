import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../shared/error-body.ts';
import { LOGGED_REFUSALS } from '../client-limits.ts';
import type { Database } from '../db/open.ts';
import { findAddressKey } from '../db/server-state.ts';
import type { AppContext } from './context.ts';

/** Enough to tell clients and accounts apart. */
const LENGTH = 12;

const keys = new WeakMap<Database, string>();

/**
 * Who a call came from and which account it was about, for the log: hashes, made as `addressHashOf`
 * makes them, so that nobody reads an address out of a log. The command `people` says the hash of an
 * account.
 */
export async function who(c: AppContext, db: Database) {
  const key = await keyOf(db);
  const name = (text: string | undefined) =>
    key && text
      ? createHash('sha256').update(`${key} ${text}`).digest('hex').slice(0, LENGTH)
      : undefined;
  return { client: name(c.get('client')), account: name(c.get('account')) };
}

/**
 * What a line in the log says about a refusal. Null beyond so many a minute of a client and a code:
 * whoever asks as fast as they can would fill a disk with lines, and hide guesses behind other refusals.
 */
export async function refusal(c: AppContext, db: Database, code: ErrorCode) {
  const key = `${code} ${c.get('client')}`;
  const { before, isWithin } = await c.get('limits').tryTake('loggedRefusal', key);
  if (!isWithin) return null;
  const more = before + 1 === LOGGED_REFUSALS ? 'not logged within this minute' : undefined;
  return { requestId: c.get('requestId'), code, ...(await who(c, db)), more };
}

async function keyOf(db: Database): Promise<string | undefined> {
  const known = keys.get(db);
  if (known) return known;
  // A call is refused and logged all the same while the database is away.
  const key = await findAddressKey(db).catch(() => undefined);
  if (key) keys.set(db, key);
  return key;
}
