import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useState } from 'react';
import type { Capsule } from '../../shared/api/capsules.ts';
import { getPublicProfile, type Person, searchProfile } from '../../shared/api/community.ts';
import {
  type CurrentUser,
  getMe,
  searchRecipient,
  updateProfile,
  updateProfilePhoto,
} from '../../shared/api/user.ts';
import { USER_SEARCH_DEBOUNCE_MS, USER_SEARCH_MIN } from '../../shared/limits.ts';
import { call } from '../api/client.ts';
import { isConnectionError } from '../api/errors.ts';
import { PROFILE_KEY, putResponse } from '../db/cache.ts';
import { findKnownPeople, rememberPeople, rememberSender } from '../db/people.ts';
import type { ProfileWords } from '../db/snapshots.ts';
import type { ChosenRecipient } from '../db/tables.ts';
import { useQuery } from './use-query.ts';
import { type Resource, useResource } from './use-resource.ts';
import { userChanged } from './use-session.ts';
import { useIsUnknown, useUserId } from './use-user-id.ts';

/** Searches half a second after the last key; a text that is too short finds nothing. */
export function usePeopleSearch(text: string) {
  const query = text.trim();
  const isTooShort = query.length < USER_SEARCH_MIN;
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query), USER_SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [query]);
  const search = useQuery<readonly Person[]>(
    settled === query && !isTooShort ? query : null,
    (signal) => call(searchProfile, { query: { query }, signal }),
  );
  return { ...search, isTooShort };
}

export interface RecipientSearch {
  people: readonly ChosenRecipient[];
  /** The server could not be asked, so others may have an account as well. */
  isOffline: boolean;
}

/**
 * Finds registered people to send a capsule to: nobody when the search fails, which is logged, and
 * without a connection the person themself and earlier recipients.
 */
export async function findRecipients(query: string): Promise<RecipientSearch> {
  try {
    return { people: await call(searchRecipient, { query: { query } }), isOffline: false };
  } catch (error) {
    if (isConnectionError(error)) {
      return { people: await findKnownPeople(query).catch(() => NOBODY), isOffline: true };
    }
    reportError(error);
    return { people: NOBODY, isOffline: false };
  }
}

/** The person themself and some earlier recipients, before anybody was searched for. */
export function useKnownPeople(): readonly ChosenRecipient[] {
  return useLiveQuery(async () => (await findKnownPeople('')).slice(0, KNOWN_MAX)) ?? NOBODY;
}

const KNOWN_MAX = 20;

const NOBODY: readonly ChosenRecipient[] = [];

/** Remembers recipients so that they are found without a connection the next time. */
export function rememberRecipients(people: readonly ChosenRecipient[]): void {
  // Nothing is lost on a device that cannot save them.
  rememberPeople(people).catch(() => undefined);
}

/** Called before a capsule is answered, so that its sender is found without a connection. */
export function rememberSenderOf(capsule: Capsule): void {
  rememberSender(capsule).catch(() => undefined);
}

/** `profile` is null for nobody. */
export function usePublicProfile(userId: string) {
  return useQuery(userId, async (signal) => ({
    profile: await call(getPublicProfile, { query: { userId }, signal }),
  }));
}

/** The signed-in person, as the device knows them and as the server then says. */
export function useMe(): Resource<CurrentUser> {
  const userId = useUserId();
  const isUnknown = useIsUnknown();
  // A device that does not know who is signed in learns it from this answer.
  const key = userId !== null || isUnknown ? PROFILE_KEY : null;
  const me = useResource<CurrentUser>(key, (signal) => call(getMe, { signal }));
  const { data } = me;
  // The rest of the app should know who this is, without a connection too.
  useEffect(() => {
    if (data) userChanged(data);
  }, [data]);
  return me;
}

export function isSameProfile(one: ProfileWords, other: ProfileWords): boolean {
  return one.name === other.name && one.bio === other.bio;
}

/** @throws {CallError} with `errors` by field; anything else where another person has signed in */
export async function saveProfile({ id }: CurrentUser, words: ProfileWords): Promise<void> {
  const newest = await call(getMe);
  if (newest.id !== id) throw new Error('Another person is signed in.');
  await cacheProfile(await call(updateProfile, { body: { ...newest, ...words } }));
}

/** Replaces the avatar. @throws {CallError} */
export async function saveAvatar(user: CurrentUser, image: File): Promise<void> {
  const { avatar } = await call(updateProfilePhoto, { files: [image] });
  await cacheProfile({ ...user, avatar });
}

async function cacheProfile(user: CurrentUser): Promise<void> {
  userChanged(user);
  // The server has saved it: a device without room asks there the next time.
  await putResponse(PROFILE_KEY, user, Date.now()).catch(() => undefined);
}
