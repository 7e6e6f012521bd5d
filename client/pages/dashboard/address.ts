import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';

/** The tabs by the values that the specification names them by. */
export type TabValue = 'my-capsules' | 'received';

/** What the dashboard shows, all of it in the address: links, reloads and the back button keep it. */
export interface DashboardAddress {
  tab: TabValue;
  page: number;
  query: string;
  /** Of the month by month figures; null is the current one. */
  year: number | null;
  /** The capsule whose details are open. */
  capsuleId: string | null;
}

/** The years the server answers for. */
export const FIRST_YEAR = 1970;
export const LAST_YEAR = 2200;

const START: DashboardAddress = {
  tab: 'my-capsules',
  page: 1,
  query: '',
  year: null,
  capsuleId: null,
};

export function readAddress(params: URLSearchParams): DashboardAddress {
  const page = Number(params.get('page') ?? '1');
  const year = Number(params.get('year'));
  return {
    tab: params.get('tab') === 'received' ? 'received' : 'my-capsules',
    page: Number.isSafeInteger(page) && page >= 1 ? page : 1,
    query: params.get('q')?.trim() ?? '',
    year: Number.isInteger(year) && year >= FIRST_YEAR && year <= LAST_YEAR ? year : null,
    capsuleId: params.get('capsule'),
  };
}

/** What is as at the start is left out. */
export function writeAddress(address: DashboardAddress): URLSearchParams {
  const params = new URLSearchParams();
  if (address.tab !== START.tab) params.set('tab', address.tab);
  if (address.page !== START.page) params.set('page', String(address.page));
  if (address.query !== START.query) params.set('q', address.query);
  if (address.year !== START.year) params.set('year', String(address.year));
  if (address.capsuleId !== START.capsuleId) params.set('capsule', address.capsuleId ?? '');
  return params;
}

/** `replace` changes the current entry of the history instead of adding one. */
export type ChangeAddress = (
  change: Partial<DashboardAddress>,
  options?: { replace?: boolean },
) => void;

/** In the state of an entry of the history: the dialog was opened from the entry before it. */
const OPENED_HERE = 'opened-here';

export function useDashboardAddress() {
  const [params] = useSearchParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const address = useMemo(() => readAddress(params), [params]);
  const change = useCallback<ChangeAddress>(
    (part, { replace = false } = {}) => {
      // What the window says, not what was rendered last: a search that comes 300 ms after its
      // last letter must not undo a tab that was chosen meanwhile, nor bring back who has left.
      const now = window.location;
      if (now.pathname !== pathname) return;
      const next = writeAddress({ ...readAddress(new URLSearchParams(now.search)), ...part });
      void navigate(
        { search: next.toString() },
        { replace, preventScrollReset: true, state: part.capsuleId ? OPENED_HERE : null },
      );
    },
    [navigate, pathname],
  );
  /** Closes the details. Going back afterwards then leads to where one was before the dashboard. */
  const closeCapsule = () => {
    if (state === OPENED_HERE) void navigate(-1);
    else change({ capsuleId: null }, { replace: true });
  };
  return { address, change, closeCapsule };
}
