import { newEmailField } from '../../../shared/api/fields.ts';
import type { ChosenRecipient } from '../../db/tables.ts';
import type { RecipientSearch } from '../../hooks/use-people.ts';
import { displayName } from '../format.ts';

/** The people of a finished search. */
export interface Found extends RecipientSearch {
  term: string;
}

const ADDRESS = newEmailField();

/** Somebody who was searched for by their address and not found, as a recipient. */
export function toInvite({ term, people }: Found): ChosenRecipient | null {
  const { data: email } = ADDRESS.safeParse(term);
  if (email === undefined || people.some((person) => person.email === email)) return null;
  const name = displayName({ name: '', email });
  const avatar = name.charAt(0).toUpperCase();
  return { id: email, name, email, avatar, isYou: false, isInvited: true, toInvite: true };
}

/** What a search has found, in words. */
export function noteOf(
  found: Found | null,
  { isSearching, isInvitable }: { isSearching: boolean; isInvitable: boolean },
): string {
  if (isSearching) return 'Searching...';
  if (!found) return 'Enter a search term and click search to find registered users';
  const { term, people, isOffline } = found;
  if (people.length === 0) {
    const none = `No users found matching “${term}”`;
    if (isOffline) {
      const choose = isInvitable ? ', but you can still choose this address' : '';
      return `${none}. We can't search right now${choose}.`;
    }
    return isInvitable ? `${none}. You can invite them.` : none;
  }
  const users = people.length === 1 ? '1 user' : `${people.length} users`;
  return `${users} found${isOffline ? ' on this device' : ''}`;
}
