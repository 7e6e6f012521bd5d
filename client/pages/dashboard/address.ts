import { useSearchParams } from 'react-router-dom';

/** The tabs by the values that the specification names them by. */
export type TabValue = 'my-capsules' | 'received';

/** What the dashboard shows, all of it in the address: links, reloads and the back button keep it. */
export interface DashboardAddress {
  tab: TabValue;
  page: number;
  query: string;
  /** The capsule whose details are open. */
  capsuleId: string | null;
}

const START: DashboardAddress = { tab: 'my-capsules', page: 1, query: '', capsuleId: null };

export function readAddress(params: URLSearchParams): DashboardAddress {
  const page = Number(params.get('page') ?? '1');
  return {
    tab: params.get('tab') === 'received' ? 'received' : 'my-capsules',
    page: Number.isSafeInteger(page) && page >= 1 ? page : 1,
    query: params.get('q')?.trim() ?? '',
    capsuleId: params.get('capsule'),
  };
}

/** What is as at the start is left out. */
export function writeAddress(address: DashboardAddress): URLSearchParams {
  const params = new URLSearchParams();
  if (address.tab !== START.tab) params.set('tab', address.tab);
  if (address.page !== START.page) params.set('page', String(address.page));
  if (address.query !== START.query) params.set('q', address.query);
  if (address.capsuleId !== START.capsuleId) params.set('capsule', address.capsuleId ?? '');
  return params;
}

/** `replace` changes the current entry of the history instead of adding one. */
export type ChangeAddress = (
  change: Partial<DashboardAddress>,
  options?: { replace?: boolean },
) => void;

export function useDashboardAddress(): [DashboardAddress, ChangeAddress] {
  const [params, setParams] = useSearchParams();
  const change: ChangeAddress = (part, { replace = false } = {}) =>
    setParams((before) => writeAddress({ ...readAddress(before), ...part }), {
      replace,
      preventScrollReset: true,
    });
  return [readAddress(params), change];
}
