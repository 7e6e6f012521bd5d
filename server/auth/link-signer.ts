import { createHmac } from 'node:crypto';
import type { Queryable } from '../db/open.ts';
import { findSigningKey } from '../db/server-state.ts';
import type { Deps } from '../deps.ts';
import { isUuid } from '../ids.ts';
import { equal } from './equal.ts';

/** The key never changes, so each database is asked once. */
const keys = new WeakMap<Queryable, string>();

/**
 * Signs what lasts for years without a row: what a link in an email may do, and which accounts a
 * device is known to. The first word of what is signed says which of them it is.
 */
export async function linkSigner({
  db,
  ids,
}: Pick<Deps, 'db' | 'ids'>): Promise<(what: string) => string> {
  const key = keys.get(db) ?? (await findSigningKey(db, ids.token()));
  keys.set(db, key);
  return (what) => createHmac('sha256', key).update(what).digest('base64url');
}

type SignedPurpose = 'restore' | 'undo passkey' | 'undo identity';

/** The token of a link about one row. It needs no row of its own, and serves this one alone. */
export async function signId(
  deps: Pick<Deps, 'db' | 'ids'>,
  purpose: SignedPurpose,
  id: string,
): Promise<string> {
  const sign = await linkSigner(deps);
  return `${id}.${sign(`${purpose} ${id}`)}`;
}

/** @returns the id in such a token; null for one that we have not made for this purpose */
export async function readSignedId(
  deps: Pick<Deps, 'db' | 'ids'>,
  purpose: SignedPurpose,
  token: string,
): Promise<string | null> {
  const [id = ''] = token.split('.');
  return isUuid(id) && equal(token, await signId(deps, purpose, id)) ? id : null;
}
