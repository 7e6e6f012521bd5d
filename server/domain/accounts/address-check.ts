import { AppError } from '../../app-error.ts';
import { equal } from '../../auth/equal.ts';
import { linkSigner } from '../../auth/link-signer.ts';
import { findOwnAddresses } from '../../db/accounts/addresses.ts';
import { noteAddressWorks } from '../../db/accounts/yearly-emails.ts';
import type { Deps } from '../../deps.ts';
import { isUuid } from '../../ids.ts';

type LinkDeps = Pick<Deps, 'db' | 'ids'>;

/**
 * Makes the tokens of links that answer "Is this still you?" with yes. A token is a signature of
 * the person and the address. It is stored nowhere, and is good for nothing else.
 */
export async function stillYoursTokens(
  deps: LinkDeps,
): Promise<(userId: string, email: string) => string> {
  const sign = await linkSigner(deps);
  return (userId, email) => `${userId}.${sign(wordsOf(userId, email))}`;
}

/**
 * Notes a yes to "Is this still you?". @returns the address
 * @throws INVALID_ADDRESS_LINK, also if the account has another main address by now
 */
export async function answerStillYours(
  deps: LinkDeps & Pick<Deps, 'clock'>,
  token: string,
): Promise<string> {
  const [userId = '', given = ''] = token.split('.');
  const sign = await linkSigner(deps);
  const now = deps.clock.now();
  const own = isUuid(userId) ? await findOwnAddresses(deps.db, userId, now) : undefined;
  if (!own || !equal(given, sign(wordsOf(userId, own.email)))) {
    throw new AppError('INVALID_ADDRESS_LINK');
  }
  const { email } = own;
  await noteAddressWorks(deps.db, { userId, email, now });
  return email;
}

const wordsOf = (userId: string, email: string) => `still-yours ${userId} ${email}`;
