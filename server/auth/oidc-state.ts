import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { equal } from './equal.ts';
import { linkSigner } from './link-signer.ts';

/*
 * What somebody has gone to the identity provider for. Their browser keeps it in a secret cookie, signed
 * by us and not stored: strangers begin as often as they like. It keeps the newest: of two tabs, the later
 * one comes back. The provider is told its id, and sends it back. Only those that came back are
 * remembered, until they have expired (`db/doors/passkeys`).
 */

type StateDeps = Pick<Deps, 'db' | 'clock' | 'ids'>;

const stateSchema = z.object({
  id: z.string(),
  /** In milliseconds. */
  expires: z.number(),
  /** To sign in or make an account, to link, or to show in place of a password who it is. */
  purpose: z.enum(['sign-in', 'link', 'confirm']),
  /** Who has begun, of `browserOf`: nobody else may finish. */
  browser: z.string(),
  /** The token of an invitation link. */
  invitation: z.string().optional(),
  /** Where they come back to. */
  page: z.string().optional(),
});
export type OidcState = z.infer<typeof stateSchema>;

/** What only our servers can know of a state: no other answer of the provider fits it. */
interface Secrets {
  /** Of PKCE. */
  verifier: string;
  nonce: string;
}

const LIVES_MS = 10 * 60_000;
/** How long the cookie is kept. */
export const STATE_SECONDS = LIVES_MS / 1000;

/** @returns the state, its secrets, and the value of the cookie with it */
export async function newState(
  deps: StateDeps,
  about: Omit<OidcState, 'id' | 'expires'>,
): Promise<{ state: OidcState; secrets: Secrets; cookie: string }> {
  const expires = deps.clock.now().getTime() + LIVES_MS;
  const state = { ...about, id: deps.ids.token(), expires };
  const text = Buffer.from(JSON.stringify(state)).toString('base64url');
  const sign = await linkSigner(deps);
  const cookie = `${text}.${sign(`oidc state ${text}`)}`;
  return { state, secrets: secretsOf(sign, state.id), cookie };
}

/** Null for another id, and for a cookie that we have not signed or that has expired. */
export async function readState(
  deps: StateDeps,
  { cookie, id }: { cookie: string; id: string | null },
): Promise<{ state: OidcState; secrets: Secrets } | null> {
  const [text = '', signature = ''] = cookie.split('.');
  const sign = await linkSigner(deps);
  if (!equal(signature, sign(`oidc state ${text}`))) return null;
  const json: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
  const state = stateSchema.parse(json);
  if (state.id !== id || state.expires <= deps.clock.now().getTime()) return null;
  return { state, secrets: secretsOf(sign, state.id) };
}

function secretsOf(sign: (what: string) => string, id: string): Secrets {
  return { verifier: sign(`oidc verifier ${id}`), nonce: sign(`oidc nonce ${id}`) };
}
