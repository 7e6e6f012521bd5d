import { useLayoutEffect, useState } from 'react';
import { useNavigationType } from 'react-router-dom';
import type { CapsulePage } from '../../../shared/api/capsules.ts';
import type { OutboxRow } from '../../db/tables.ts';
import type { Resource } from '../../hooks/use-resource.ts';
import {
  type ChangeAddress,
  chosenTab,
  type DashboardAddress,
  DEFAULT_TAB,
  type TabValue,
} from './address.ts';

type List = Pick<Resource<CapsulePage>, 'data' | 'isLoading' | 'isRefreshing'>;

interface Known {
  lists: Record<TabValue, List>;
  /** Capsules that wait to be sent; undefined until the device has been read. */
  queued: readonly OutboxRow[] | undefined;
}

/**
 * The tab of somebody who has chosen none: who only receives sees what they received.
 * @returns null while the answer is still on its way
 */
export function firstTab({ lists: { 'my-capsules': created, received }, queued }: Known) {
  if (!created.data) return created.isLoading ? null : DEFAULT_TAB;
  if (!isEmpty(created)) return DEFAULT_TAB;
  if (queued === undefined) return null;
  if (queued.length > 0) return DEFAULT_TAB;
  if (received.data && !isEmpty(received)) return 'received';
  if (received.isLoading) return null;
  // The device may have saved both lists before the first capsule came.
  return created.isRefreshing || received.isRefreshing ? null : DEFAULT_TAB;
}

function isEmpty({ data }: List): boolean {
  return data?.pagination.totalItems === 0;
}

/**
 * The tab that is shown; null until it is known. Without a choice it is found once, so that no news
 * moves a person who reads.
 */
export function useShownTab(
  address: DashboardAddress,
  change: ChangeAddress,
  known: Known,
): TabValue | null {
  const [first, setFirst] = useState<TabValue | null>(null);
  const isLink = useNavigationType() === 'PUSH' && address.capsuleId === null;
  const { tab, query, view, page } = address;
  // Of a search or another page, the numbers of all capsules aren't known.
  const isWhole = query === '' && view === 'newest' && page === 1;
  const found = first ?? (isWhole ? firstTab(known) : DEFAULT_TAB);
  const chosen = tab === null && isLink ? chosenTab.get().activeTab : null;
  const shown = tab ?? chosen ?? found;
  useLayoutEffect(() => {
    if (found !== null) setFirst(found);
    if (tab !== null || !isLink) chosenTab.set({ activeTab: tab });
    // The address says it, so that a reload shows the same. The default goes without saying.
    const isSaid = tab !== null || shown === null;
    const isDefault = shown === DEFAULT_TAB && found !== 'received';
    if (!isSaid && !isDefault) change({ tab: shown }, { replace: true });
  }, [tab, shown, found, isLink, change]);
  return shown;
}
