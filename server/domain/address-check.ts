import { AppError } from '../app-error.ts';
import { equal } from '../auth/equal.ts';
import { findAddresses, noteAddressWorks } from '../db/yearly-mails.ts';
import type { Deps } from '../deps.ts';
import { isUuid } from './is-uuid.ts';
import { linkSigner } from './notice-choices.ts';

type LinkDeps = Pick<Deps, 'db' | 'ids'>;

/**
 * Makes the tokens with which a person says that an address is still theirs. They need no row. Whoever
 * holds one can say nothing else by it.
 */
export async function stillYoursTokens(
  deps: LinkDeps,
): Promise<(userId: string, email: string) => string> {
  const sign = await linkSigner(deps);
  return (userId, email) => `${userId}.${sign(wordsOf(userId, email))}`;
}

/**
 * Notes that an address is still its owner's, as long as it is one of the account.
 * @returns the address @throws INVALID_ADDRESS_LINK
 */
export async function answerStillYours(
  deps: LinkDeps & Pick<Deps, 'clock'>,
  token: string,
): Promise<string> {
  const [userId = '', given = ''] = token.split('.');
  const sign = await linkSigner(deps);
  const addresses = isUuid(userId) ? await findAddresses(deps.db, userId) : [];
  const email = addresses.find((one) => equal(given, sign(wordsOf(userId, one))));
  if (email === undefined) throw new AppError('INVALID_ADDRESS_LINK');
  await noteAddressWorks(deps.db, { userId, email, now: deps.clock.now() });
  return email;
}

const wordsOf = (userId: string, email: string) => `still-yours ${userId} ${email}`;
