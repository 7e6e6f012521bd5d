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
  | { phase: 'done'; people: readonly Person[] }
  /** Nobody is shown, and nothing is said about it; `again` asks once more. */
  | { phase: 'failed'; again: () => void };

/** What a search has brought; `people` is null when it failed. */
interface Found {
  query: string;
  people: readonly Person[] | null;
}

async function searchPeople(query: string, signal?: AbortSignal): Promise<Found | null> {
  try {
    return { query, people: await call(searchProfile, { query: { query }, signal }) };
  } catch (error) {
    return isAborted(error) ? null : { query, people: null };
  }
}

/** Searches half a second after the last key. */
export function usePeopleSearch(text: string): PeopleSearch {
  const query = text.trim();
  const [found, setFound] = useState<Found | null>(null);

  useEffect(() => {
    if (query.length < USER_SEARCH_MIN) return;
    const controller = new AbortController();
    const search = async () => {
      const result = await searchPeople(query, controller.signal);
      if (result) setFound(result);
    };
    const timer = setTimeout(() => void search(), USER_SEARCH_DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query]);

  if (query.length < USER_SEARCH_MIN) return { phase: 'too-short' };
  // Of another text: an answer that came late, or one that the new text has made old.
  if (found?.query !== query) return { phase: 'searching' };
  if (found.people) return { phase: 'done', people: found.people };
  const again = () => {
    setFound(null);
    void searchPeople(query).then(setFound);
  };
  return { phase: 'failed', again };
}

/**
 * Registered people who may get a capsule; nobody when the search fails, which is logged.
 * Without a connection those whom this device knows.
 */
export async function findRecipients(owner: string, query: string): Promise<readonly Recipient[]> {
  try {
    return await call(searchRecipient, { query: { query } });
  } catch (error) {
    reportError(error);
    const isOffline = error instanceof CallError && error.code === 'NETWORK_ERROR';
    return isOffline ? findKnownPeople(owner, query).catch(() => []) : [];
  }
}

/** Oneself and those whom this device knows, before anybody was searched for. */
export function useKnownPeople(owner: string): readonly Recipient[] {
  const [people, setPeople] = useState<readonly Recipient[]>([]);
  useEffect(() => {
    // A convenience: without it one searches.
    findKnownPeople(owner, '').then(setPeople, () => undefined);
  }, [owner]);
  return people;
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
