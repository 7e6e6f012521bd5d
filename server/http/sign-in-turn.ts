import { setTimeout as delay } from 'node:timers/promises';
import type { ClientLimits } from '../client-limits.ts';

/** Who signs in from where. */
interface SignInFrom {
  email: string;
  client: string;
}

const placeOf = ({ email, client }: SignInFrom) => `${email} ${client}`;

/**
 * Runs a sign-in when it is its turn. To one account they take turns, and the more there were from
 * new places, the longer each takes: guesses from many addresses wait for each other. Where the owner
 * has signed in lately, nobody waits for them. @throws BUSY when too many wait
 */
export async function inSignInTurn<T>(
  limits: ClientLimits,
  from: SignInFrom,
  signIn: () => Promise<T>,
): Promise<T> {
  const place = placeOf(from);
  const isKnown = await limits.isCounted('signInPlace', place);
  const result = await limits.inTurn('signIn', isKnown ? place : from.email, async () => {
    if (!isKnown) await delay(await guessDelay(limits, from.email));
    return signIn();
  });
  if (!isKnown) await rememberPlace(limits, from);
  return result;
}

/** The account's owner was here: they know the password, or have used a link from their mailbox. */
export async function rememberPlace(limits: ClientLimits, from: SignInFrom): Promise<void> {
  await limits.isWithin('signInPlace', placeOf(from));
}

/** How long a sign-in from a new place waits, in milliseconds. Counts it. */
export async function guessDelay(limits: ClientLimits, email: string): Promise<number> {
  if (await limits.isWithin('signInFromNew', email)) return 0;
  return (await limits.isWithin('signInFromNewMany', email)) ? 500 : 2_000;
}
