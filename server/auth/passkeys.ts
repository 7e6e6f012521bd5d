import type { BodyOf } from '../../shared/api/endpoint.ts';
import type { Assertion } from '../../shared/api/own-password.ts';
import type { addPasskey } from '../../shared/api/passkeys.ts';
import { dayAt } from '../../shared/day.ts';
import { AppError } from '../app-error.ts';
import { findPasskeyByCredential, type PasskeyRow, type PasskeyUse } from '../db/doors/passkeys.ts';
import type { Deps } from '../deps.ts';
import { type Challenge, type ChallengeFor, readChallenge } from './passkey-challenge.ts';
import { rpId, userHandleOf } from './passkey-options.ts';

type PasskeyDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'log'>;

/** A browser offers only what was made for this site. */
const REMOVED =
  "This passkey doesn't work here any more. Use another way, and delete the passkey from your device.";

/** Loaded when it is first needed: it brings a library for certificates, which nobody needs at the start. */
const library = () => import('@simplewebauthn/server');

/**
 * Checks the answer of a passkey. @returns whose it is, and its use, which is to be noted in the
 * transaction of what it is for @throws INVALID_PASSKEY for one that is unknown, made for another
 * site, or that answers another challenge
 */
export async function verifyAssertion(
  deps: PasskeyDeps,
  browser: string,
  assertion: Assertion,
): Promise<{ userId: string; use: PasskeyUse }> {
  const passkey = await findPasskeyByCredential(deps.db, assertion.id);
  if (!passkey) throw new AppError('INVALID_PASSKEY', { message: REMOVED });
  const { userHandle } = assertion.response;
  if (userHandle && userHandle !== userHandleOf(passkey.userId)) throw invalidPasskey();
  const expected = expectation(deps, { purpose: 'use', browser });
  const { verifyAuthenticationResponse } = await library();
  const { authenticationInfo } = await refusing(deps, () =>
    verifyAuthenticationResponse({
      ...expected.options,
      response: {
        ...assertion,
        response: { ...assertion.response, userHandle: userHandle ?? undefined },
        clientExtensionResults: {},
      },
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        // Not compared: passkeys that are synchronised between devices have no counter that rises,
        // and nobody should be locked out because a device was restored from a backup.
        counter: 0,
      },
    }),
  );
  const { newCounter: counter, credentialBackedUp: isBackedUp } = authenticationInfo;
  const { id, userId } = passkey;
  if (counter < passkey.counter) {
    deps.log.info({ passkey: id, counter }, 'The counter of a passkey went back.');
  }
  const day = dayAt(deps.clock.now(), 'UTC');
  return { userId, use: { id, challenge: expected.challenge(), counter, isBackedUp, day } };
}

/**
 * Checks a passkey that was just made. Its challenge is to be taken when it is added.
 * @throws INVALID_PASSKEY
 */
export async function verifyNewPasskey(
  deps: PasskeyDeps,
  browser: string,
  { response, ...credential }: BodyOf<typeof addPasskey>,
): Promise<
  Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'isBackedUp'> & {
    challenge: Challenge;
  }
> {
  const { transports: _, ...answer } = response;
  const expected = expectation(deps, { purpose: 'add', browser });
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await refusing(deps, async () => {
    const attestationObject = await withoutAttestation(answer.attestationObject);
    return verifyRegistrationResponse({
      ...expected.options,
      response: {
        ...credential,
        response: { ...answer, attestationObject },
        clientExtensionResults: {},
      },
    });
  });
  if (!registrationInfo) throw invalidPasskey();
  return {
    credentialId: registrationInfo.credential.id,
    publicKey: Buffer.from(registrationInfo.credential.publicKey).toString('base64url'),
    counter: registrationInfo.credential.counter,
    isBackedUp: registrationInfo.credentialBackedUp,
    challenge: expected.challenge(),
  };
}

/**
 * Takes out what the authenticator attests of itself, as browsers do: nobody asked for it, and the
 * library would fetch whatever addresses its certificates name.
 */
async function withoutAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import(
    '@simplewebauthn/server/helpers'
  );
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get(
    'authData',
  );
  const none = { fmt: 'none', attStmt: new Map(), authData };
  return isoBase64URL.fromBuffer(isoCBOR.encode(new Map(Object.entries(none))));
}

export const invalidPasskey = () => new AppError('INVALID_PASSKEY');

/** What an answer must say: our site, our host, a challenge of ours that still lives. */
function expectation(deps: PasskeyDeps, what: ChallengeFor) {
  let challenge: Challenge | null = null;
  return {
    options: {
      expectedOrigin: deps.config.appUrl,
      expectedRPID: rpId(deps),
      requireUserVerification: true,
      expectedChallenge: async (answered: string) => {
        challenge = await readChallenge(deps, what, answered);
        return challenge !== null;
      },
    },
    challenge(): Challenge {
      if (!challenge) throw invalidPasskey();
      return challenge;
    },
  };
}

/** The library throws plain errors for whatever does not fit. */
async function refusing<Result extends { verified: boolean }>(
  { log }: Pick<Deps, 'log'>,
  verify: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await verify();
    if (result.verified) return result;
  } catch (error) {
    log.info({ err: error }, 'A passkey was refused.');
  }
  throw invalidPasskey();
}
