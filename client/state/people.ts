import { useEffect, useState } from 'react';
import {
  getPublicProfile,
  type Person,
  type PublicProfile,
  searchProfile,
} from '../../shared/api/community.ts';
import { type Recipient, searchRecipient } from '../../shared/api/user.ts';
import { USER_SEARCH_DEBOUNCE_MS, USER_SEARCH_MIN } from '../../shared/limits.ts';
import { call } from '../http/call.ts';
import { CallError, isAborted } from '../http/call-error.ts';
import { findKnownPeople, rememberPeople } from '../local/people.ts';

export type PeopleSearch =
  | { phase: 'too-short' }
  | { phase: 'searching' }
  | { phase: 'done'; people: readonly Person[] };

/** Searches half a second after the last key. A search that fails found nobody. */
export function usePeopleSearch(text: string): PeopleSearch {
  const query = text.trim();
  const [found, setFound] = useState<{ query: string; people: readonly Person[] } | null>(null);

  useEffect(() => {
    if (query.length < USER_SEARCH_MIN) return;
    const controller = new AbortController();
    const search = async () => {
      try {
        const people = await call(searchProfile, { query: { query }, signal: controller.signal });
        setFound({ query, people });
      } catch (error) {
        if (!isAborted(error)) setFound({ query, people: [] });
      }
    };
    const timer = setTimeout(() => void search(), USER_SEARCH_DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query]);

  if (query.length < USER_SEARCH_MIN) return { phase: 'too-short' };
  return found?.query === query ? { phase: 'done', people: found.people } : { phase: 'searching' };
}

/**
 * Registered people who may get a capsule; nobody when the search fails. Without a connection
 * those whom this device knows.
 */
export async function findRecipients(owner: string, query: string): Promise<readonly Recipient[]> {
  try {
    return await call(searchRecipient, { query: { query } });
  } catch (error) {
    const isOffline = error instanceof CallError && error.code === 'NETWORK_ERROR';
    return isOffline ? findKnownPeople(owner, query).catch(() => []) : [];
  }
}

/** So that they are found without a connection the next time. */
export function rememberRecipients(owner: string, people: readonly Recipient[]): void {
  // A convenience: a device that cannot keep it loses nothing.
  rememberPeople(owner, people).catch(() => undefined);
}

export type ProfileView =
  | { phase: 'loading' }
  | { phase: 'found'; profile: PublicProfile }
  | { phase: 'failed'; error: unknown };

export function usePublicProfile(userId: string): ProfileView {
  const [view, setView] = useState<{ userId: string; result: ProfileView } | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    call(getPublicProfile, { query: { userId }, signal: controller.signal }).then(
      (profile) => setView({ userId, result: { phase: 'found', profile } }),
      (error: unknown) => {
        if (!isAborted(error)) setView({ userId, result: { phase: 'failed', error } });
      },
    );
    return () => controller.abort();
  }, [userId]);

  return view?.userId === userId ? view.result : { phase: 'loading' };
}
