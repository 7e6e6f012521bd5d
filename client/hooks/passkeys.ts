import {
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import type { Assertion, OwnPassword } from '../../shared/api/own-password.ts';
import {
  addPasskey,
  newPasskeyOptions,
  passkeyOptions,
  signInByPasskey,
} from '../../shared/api/passkeys.ts';
import { call } from '../api/client.ts';
import { CallError } from '../api/errors.ts';
import { signedIn } from './use-session.ts';

/** Asks the person for a passkey. @throws {CallError} whose sentence says what to do */
export async function answerByPasskey(): Promise<Assertion> {
  const optionsJSON = await call(passkeyOptions);
  return inOurWords(
    startAuthentication({ optionsJSON }),
    'No passkey was used. You can try again, or use another way.',
  );
}

/** Makes a passkey and adds it to the account. @throws {CallError}, some with `errors` by field */
export async function makePasskey(password: OwnPassword): Promise<void> {
  const optionsJSON = await call(newPasskeyOptions, { body: { password } });
  const { response, ...credential } = await inOurWords(
    startRegistration({ optionsJSON }),
    'No passkey was made. You may have one on this device already.',
  );
  const { clientDataJSON, attestationObject, transports } = response;
  await call(addPasskey, {
    body: { ...credential, response: { clientDataJSON, attestationObject, transports } },
  });
}

/** Asks for a passkey and signs in with it. @throws {CallError} */
export async function signInWithPasskey(): Promise<void> {
  await enter(await answerByPasskey());
}

async function enter(assertion: Assertion): Promise<void> {
  const { user } = await call(signInByPasskey, { body: assertion });
  await signedIn(user);
}

/** Before a challenge expires, the browser gets another one. */
const ANEW_MS = 4 * 60_000;

/**
 * Lets the browser offer passkeys where the address is typed, for as long as the page shows the
 * form. @param onSignedIn called after a sign-in @param onFailure called where it was refused
 * @returns how to stop
 */
export function offerPasskeys(
  onSignedIn: () => void,
  onFailure: (error: unknown) => void,
): () => void {
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async () => {
    if (!(await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.())) return;
    const optionsJSON = await call(passkeyOptions);
    if (isStopped) return;
    timer = setTimeout(() => void ask().catch(ignore), ANEW_MS);
    const assertion = await startAuthentication({ optionsJSON, useBrowserAutofill: true });
    if (isStopped) return;
    await enter(assertion).then(onSignedIn, (error) => {
      onFailure(error);
      if (isStopped) return;
      clearTimeout(timer);
      // Another passkey may be the right one.
      return ask();
    });
  };
  // Nobody has asked for it: without a connection, the form works as ever.
  void ask().catch(ignore);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    WebAuthnAbortService.cancelCeremony();
  };
}

const ignore = () => undefined;

/** Browsers say little about why there was no passkey, and that in their own words. */
async function inOurWords<Result>(ceremony: Promise<Result>, message: string): Promise<Result> {
  try {
    return await ceremony;
  } catch {
    throw new CallError({ message, code: 'REQUEST_ABORTED' });
  }
}
