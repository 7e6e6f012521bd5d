import type { Deps } from '../deps.ts';
import { equal } from './equal.ts';
import { linkSigner } from './link-signer.ts';

/*
 * What a passkey signs, so that its answer is of now and for us. It is signed by the server and not
 * stored: strangers ask for as many as they like. Only those that were answered are remembered, until
 * they have expired (`db/doors/passkeys`).
 */

type ChallengeDeps = Pick<Deps, 'db' | 'clock' | 'ids'>;

/** What the answer is for, and in which browser. An answer that was stolen on its way serves no other. */
export interface ChallengeFor {
  purpose: 'use' | 'add';
  /** Of `browserOf`. */
  browser: string;
}

/** @param visitor the secret cookie of somebody who is not signed in */
export function browserOf(who: { sessionId: string } | { visitor: string }): string {
  return 'visitor' in who ? `visitor ${who.visitor}` : `session ${who.sessionId}`;
}

export interface Challenge {
  id: string;
  expiresAt: Date;
}

const LIVES_MS = 5 * 60_000;
const FORM = /^([\w-]{43})\.(\d{1,15})\.([\w-]{43})$/;

/** @returns base64url, whose bytes browsers hand to the authenticator */
export async function newChallenge(deps: ChallengeDeps, what: ChallengeFor): Promise<string> {
  const expires = String(deps.clock.now().getTime() + LIVES_MS);
  const id = deps.ids.token();
  const text = `${id}.${expires}.${await signature(deps, { ...what, id, expires })}`;
  return Buffer.from(text).toString('base64url');
}

/** @param answered as it comes back, in base64url @returns null if it is not ours, or has expired */
export async function readChallenge(
  deps: ChallengeDeps,
  what: ChallengeFor,
  answered: string,
): Promise<Challenge | null> {
  const [, id, expires, signed] = FORM.exec(Buffer.from(answered, 'base64url').toString()) ?? [];
  if (!id || !expires || !signed) return null;
  if (!equal(signed, await signature(deps, { ...what, id, expires }))) return null;
  const expiresAt = new Date(Number(expires));
  return expiresAt > deps.clock.now() ? { id, expiresAt } : null;
}

async function signature(
  deps: ChallengeDeps,
  { purpose, browser, id, expires }: ChallengeFor & { id: string; expires: string },
): Promise<string> {
  const sign = await linkSigner(deps);
  return sign(`passkey ${purpose} ${id} ${expires} ${browser}`);
}
