import { prepareSearch, searchKept } from '../local/kept-search.ts';
import type { ListKey } from '../local/lists.ts';
import { typedSearch } from './typed-search.ts';

export { peekSearch, searchKept } from '../local/kept-search.ts';

/** What may be wanted next comes after what is wanted now. */
const SETTLED_MS = 300;

/**
 * Without a network a search comes to this device: it gets ready when there is nothing else to
 * do, and looks while one is still typing.
 * @returns how to stop
 */
export function startSearching(owner: string, type: ListKey['type']): () => void {
  const timer = setTimeout(() => prepareSearch(owner).catch(() => undefined), SETTLED_MS);
  const look = async () => {
    const query = typedSearch.get().text.trim();
    await prepareSearch(owner);
    // Whoever types on meanwhile wants another.
    if (query === '' || query !== typedSearch.get().text.trim()) return;
    await searchKept({ owner, type, query, page: 1 });
  };
  const stopListening = typedSearch.subscribe(() => void look().catch(() => undefined));
  return () => {
    clearTimeout(timer);
    stopListening();
  };
}
