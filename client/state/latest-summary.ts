import { useMemo } from 'react';
import type { SummaryRow } from '../local/db.ts';
import { readLatestSummary } from '../local/latest-summary.ts';
import { refreshSummary } from '../sync/refresh.ts';
import { type Kept, useKept } from './use-kept.ts';

/** The counts for a header: whatever year was looked at last. */
export function useLatestSummary(owner: string | null): Kept<SummaryRow> {
  const source = useMemo(() => {
    if (owner === null) return null;
    return {
      read: () => readLatestSummary(owner),
      refresh: (signal: AbortSignal) => refreshSummary(owner, new Date().getFullYear(), signal),
    };
  }, [owner]);
  return useKept(source);
}
