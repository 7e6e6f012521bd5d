import { DAY_MS, KNOWN_DEVICE_DAYS } from '../../shared/limits.ts';
import { equal } from '../auth/equal.ts';
import { linkSigner } from '../auth/link-signer.ts';
import { type DeviceOwner, findUserByEmail } from '../db/accounts/users.ts';
import type { Deps } from '../deps.ts';
import type { AppContext } from './context.ts';
import { readSecretCookie, writeSecretCookie } from './cookies.ts';

/*
 * A browser in which the owner of an account has signed in stays known for a long time, on whatever
 * network it is. Its cookie is a random id and, for each account, until which day it is known there,
 * signed: it names nobody. It serves as a place in line at sign-in, and where new devices need a passkey.
 * The signature is of a round of the account, so that all earlier ones can be made worthless at once.
 */

type DeviceDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids'>;

/** People share devices. Beyond this number, the account that signed in longest ago is forgotten. */
const ACCOUNTS_MAX = 6;
const ID_LENGTH = 43;
const COOKIE = new RegExp(`^[\\w-]{${ID_LENGTH}}(\\.\\d{1,6}-[\\w-]{22}){0,${ACCOUNTS_MAX}}$`);
/** Signed for where there is no account, so that the same work is done. */
const NOBODY: DeviceOwner = { id: '', deviceRound: 0 };

/** @returns a name for this device with this account; null where its owner has not signed in lately */
export async function knownDevice(
  c: AppContext,
  deps: DeviceDeps,
  email: string,
): Promise<string | null> {
  const { id, marks } = readDevice(c, deps);
  if (!id || marks.length === 0) return null;
  const user = await findUserByEmail(deps.db, email);
  const sign = await signer(deps, id, user ?? NOBODY);
  const isKnown = marks.some((mark) => isLive(mark, deps) && equal(mark, sign(dayOf(mark))));
  return user && isKnown ? `${id} ${user.id}` : null;
}

/**
 * The account's owner is here: they have signed in, or set a password that counts already.
 * @param owner with the round in which they have shown it, not one that has begun since
 */
export async function rememberDevice(
  c: AppContext,
  deps: DeviceDeps,
  owner: DeviceOwner,
): Promise<void> {
  const { id = deps.ids.token(), marks } = readDevice(c, deps);
  const sign = await signer(deps, id, owner);
  const others = marks.filter((mark) => isLive(mark, deps) && !equal(mark, sign(dayOf(mark))));
  const mark = sign(String(today(deps) + KNOWN_DEVICE_DAYS));
  const value = [id, mark, ...others].slice(0, ACCOUNTS_MAX + 1).join('.');
  writeSecretCookie(c, deps, 'device', value, KNOWN_DEVICE_DAYS * (DAY_MS / 1000));
}

function readDevice(c: AppContext, deps: DeviceDeps): { id?: string; marks: string[] } {
  const cookie = readSecretCookie(c, deps, 'device') ?? '';
  if (!COOKIE.test(cookie)) return { marks: [] };
  const [id, ...marks] = cookie.split('.');
  return { ...(id && { id }), marks };
}

/** Makes the mark of an account on a device: the last day on which it counts, and a signature. */
async function signer(deps: DeviceDeps, id: string, { id: userId, deviceRound }: DeviceOwner) {
  const sign = await linkSigner(deps);
  // The first round is not named: marks of earlier versions are of that one.
  const what = ['device', id, userId, ...(deviceRound > 1 ? [deviceRound] : [])].join(' ');
  return (day: string) => `${day}-${sign(`${what} ${day}`).slice(0, 22)}`;
}

function isLive(mark: string, deps: DeviceDeps): boolean {
  return Number(dayOf(mark)) >= today(deps);
}

function dayOf(mark: string): string {
  return mark.slice(0, mark.indexOf('-'));
}

function today({ clock }: DeviceDeps): number {
  return Math.floor(clock.now().getTime() / DAY_MS);
}
