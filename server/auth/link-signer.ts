import { createHmac } from 'node:crypto';
import { findSigningKey } from '../db/server-state.ts';
import type { Deps } from '../deps.ts';

/**
 * Signs what lasts for years without a row: what a link in an email may do, and which accounts a
 * device is known to. The first word of what is signed says which of them it is.
 */
export async function linkSigner({
  db,
  ids,
}: Pick<Deps, 'db' | 'ids'>): Promise<(what: string) => string> {
  const key = await findSigningKey(db, ids.token());
  return (what) => createHmac('sha256', key).update(what).digest('base64url');
}
