import type { AddressChange } from '../../db/accounts/account-changes.ts';

/**
 * What the reader of a new address is asked. The account's address is named to itself alone: whoever
 * registers `win@evil.example` can have us email strangers, and must not get us to deliver that.
 */
export function askedOf({ slot, newAddress }: AddressChange, main: string): string {
  return newAddress === main
    ? `You asked us to confirm ${main}, the main address of your account.`
    : `You asked us to make ${newAddress} the ${slot} address of your account${slot === 'main' ? ', in place of the one it has now' : ''}.`;
}

/** What has changed, or is about to, as the addresses of before are told. */
export function whatChanged(change: AddressChange, account = 'your account'): string {
  const { slot, newAddress, previousSecond, objectionUntil } = change;
  if (slot === 'second' && previousSecond === null)
    return `A second address was added to ${account}`;
  const what = newAddress === null ? 'removed from' : 'changed in';
  return `The ${slot} address ${objectionUntil ? 'was' : 'is about to be'} ${what} ${account}`;
}

/** The same, with the address by which its owner knows the account. @param main the one of now */
export const whatChangedFor = (change: AddressChange, main: string) =>
  whatChanged(change, `your account (${change.previousMain ?? main})`);
