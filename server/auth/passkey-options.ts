import type { ResponseOf } from '../../shared/api/endpoint.ts';
import type { newPasskeyOptions, passkeyOptions } from '../../shared/api/passkeys.ts';
import type { PasskeyRow } from '../db/doors/passkeys.ts';
import type { Deps } from '../deps.ts';

/** Two minutes to find the security key. The challenge lives longer. */
const TIMEOUT_MS = 120_000;
/** Ed25519, ECDSA with P-256, RSA: every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257];

type Known = Pick<PasskeyRow, 'credentialId' | 'transports'>[];

/** For which host passkeys are made: they work there alone, for good. */
export const rpId = ({ config }: Pick<Deps, 'config'>) => new URL(config.appUrl).hostname;

/** By which an authenticator knows whose passkey it is. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId).toString('base64url');
}

/** What a browser needs to ask for a passkey. @param allowed which ones; none for any */
export function requestOptions(
  deps: Pick<Deps, 'config'>,
  { challenge, allowed }: { challenge: string; allowed: Known },
): ResponseOf<typeof passkeyOptions> {
  return {
    challenge,
    timeout: TIMEOUT_MS,
    rpId: rpId(deps),
    allowCredentials: described(allowed),
    // The device asks for a finger, a face or a PIN: a passkey replaces the password.
    userVerification: 'required',
  };
}

/** What a browser needs to make a passkey. @param known those of the person, which are not made again */
export function creationOptions(
  deps: Pick<Deps, 'config'>,
  {
    challenge,
    known,
    user,
  }: {
    challenge: string;
    known: Known;
    user: { id: string; name: string; email: string };
  },
): ResponseOf<typeof newPasskeyOptions> {
  return {
    rp: { name: deps.config.siteName, id: rpId(deps) },
    user: { id: userHandleOf(user.id), name: user.email, displayName: user.name },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
    timeout: TIMEOUT_MS,
    excludeCredentials: described(known),
    // The authenticator stores whose it is, so that nobody has to type an address.
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

function described(passkeys: Known) {
  return passkeys.map(({ credentialId: id, transports }) => ({
    id,
    type: 'public-key' as const,
    ...(transports.length > 0 && { transports }),
  }));
}
