import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router-dom';
import { type CapsuleView, capsuleViewSchema } from '../../../shared/api/capsules.ts';
import { createExternalStore } from '../../hooks/store.ts';
import { auth } from '../../hooks/use-session.ts';

/** The specification's values of the two tabs. */
const TABS = ['my-capsules', 'received'] as const;
export type TabValue = (typeof TABS)[number];

/** What the dashboard shows. It is all in the address, so links, reloads and the back button work. */
export interface DashboardAddress {
  tab: TabValue;
  page: number;
  query: string;
  view: CapsuleView;
  /** Shows the received capsules that were put away. */
  hidden: boolean;
  /** The capsule whose details are open. */
  capsuleId: string | null;
}

/** The specification's default. */
export const DEFAULT_TAB: TabValue = 'my-capsules';

const START: DashboardAddress = {
  tab: DEFAULT_TAB,
  page: 1,
  query: '',
  view: 'newest',
  hidden: false,
  capsuleId: null,
};

export function readAddress(params: URLSearchParams): DashboardAddress {
  const page = Number(params.get('page') ?? '1');
  const tab = TABS.find((value) => value === params.get('tab')) ?? DEFAULT_TAB;
  return {
    tab,
    page: Number.isSafeInteger(page) && page >= 1 ? page : 1,
    query: params.get('q')?.trim() ?? '',
    view: capsuleViewSchema.safeParse(params.get('view')).data ?? 'newest',
    hidden: tab === 'received' && params.has('hidden'),
    capsuleId: params.get('capsule'),
  };
}

/** Leaves out everything that has its default value. */
export function writeAddress(address: DashboardAddress): URLSearchParams {
  const params = new URLSearchParams();
  if (address.tab !== START.tab) params.set('tab', address.tab);
  if (address.page !== START.page) params.set('page', String(address.page));
  if (address.query !== START.query) params.set('q', address.query);
  if (address.view !== START.view) params.set('view', address.view);
  if (address.hidden) params.set('hidden', '');
  if (address.capsuleId !== START.capsuleId) params.set('capsule', address.capsuleId ?? '');
  return params;
}

/** `replace` changes the current history entry instead of adding one. */
export type ChangeAddress = (
  change: Partial<DashboardAddress>,
  options?: { replace?: boolean },
) => void;

/** The tab that was chosen last: who comes back by a link finds it again, but not whoever signs in next. */
const chosenTab = createExternalStore<{ activeTab: TabValue }>({ activeTab: DEFAULT_TAB });
auth.subscribe(() => {
  if (!auth.get().isLoggedIn) chosenTab.set({ activeTab: DEFAULT_TAB });
});

/** State of a history entry: the dialog was opened from the entry before it. */
const OPENED_HERE = 'opened-here';

export function useDashboardAddress() {
  const [params] = useSearchParams();
  const { key, pathname, state } = useLocation();
  const navigate = useNavigate();
  const isLink = useNavigationType() === 'PUSH' && !params.has('tab') && !params.has('capsule');
  const address = useMemo(() => {
    const said = readAddress(params);
    return isLink ? { ...said, tab: chosenTab.get().activeTab } : said;
  }, [params, isLink]);
  const change = useCallback<ChangeAddress>(
    (part, { replace = false } = {}) => {
      // Read the window's address, not the rendered one: a search runs 300 ms after the last key
      // and must not undo a tab chosen since, nor navigate a person who has left the page.
      const now = window.location;
      if (now.pathname !== pathname) return;
      const next = { ...readAddress(new URLSearchParams(now.search)), ...part };
      chosenTab.set({ activeTab: next.tab });
      void navigate(
        { search: writeAddress(next).toString() },
        { replace, preventScrollReset: true, state: part.capsuleId ? OPENED_HERE : null },
      );
    },
    [navigate, pathname],
  );
  // The address says it, so that a reload shows the same.
  useLayoutEffect(() => {
    if (isLink && address.tab !== DEFAULT_TAB) change({ tab: address.tab }, { replace: true });
  }, [isLink, address, change]);
  /** The history entry that is being left. */
  const leaving = useRef<string | null>(null);
  useEffect(() => {
    if (leaving.current !== key) leaving.current = null;
  }, [key]);
  /** Closes the details, once and where they still are, without leaving a history entry for them. */
  const closeCapsule = () => {
    const shown = readAddress(new URLSearchParams(window.location.search)).capsuleId;
    if (leaving.current === key || shown !== address.capsuleId) return;
    leaving.current = key;
    if (state === OPENED_HERE) void navigate(-1);
    else change({ capsuleId: null }, { replace: true });
  };
  return { address, change, closeCapsule };
}
