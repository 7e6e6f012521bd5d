import { useEffect } from 'react';
import { type Location, useLocation, useNavigate } from 'react-router-dom';

/** What the address of a page has, and what was taken out of it. */
type Place = Pick<Location, 'hash' | 'search' | 'state'>;

/**
 * The secret of the emailed link that led here; null if there is none. It stands behind the `#`, which
 * browsers send to no server. Emails of earlier versions have it in the query.
 */
function findLinkToken({ hash, search, state }: Place, name: string): string | null {
  const inAddress =
    new URLSearchParams(hash.slice(1)).get(name) ?? new URLSearchParams(search).get(name);
  const taken = (state as Record<string, unknown> | null)?.[name];
  return inAddress ?? (typeof taken === 'string' ? taken : null);
}

/** Whether a link led here, even if its secret was cut off. */
export function hasLinkToken(place: Place, name: string): boolean {
  return findLinkToken(place, name) !== null;
}

/**
 * The secret of the link that led here, empty if there is none. Takes it out of the address, where
 * others could read it. It stays with this entry of the history, so that the page can be loaded again.
 */
export function useLinkToken(name = 'token'): string {
  const location = useLocation();
  const navigate = useNavigate();
  const { pathname, search, hash } = location;
  const token = findLinkToken(location, name) ?? '';

  useEffect(() => {
    const query = new URLSearchParams(search);
    const behind = new URLSearchParams(hash.slice(1));
    if (!query.has(name) && !behind.has(name)) return;
    query.delete(name);
    const to = { pathname, search: query.toString(), hash: '' };
    navigate(to, { replace: true, state: { [name]: token } });
  }, [pathname, search, hash, name, token, navigate]);

  return token;
}
