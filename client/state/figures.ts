import { useMemo } from 'react';
import type { LimitsRow, SummaryRow } from '../local/db.ts';
import { readLatestSummary, readLimits, readSummary } from '../local/figures.ts';
import { refreshLimits, refreshSummary } from '../sync/refresh.ts';
import { type Kept, useKept } from './use-kept.ts';

export function useSummary(owner: string | null, year: number): Kept<SummaryRow> {
  const source = useMemo(() => {
    if (owner === null) return null;
    return {
      read: () => readSummary(owner, year),
      refresh: (signal: AbortSignal) => refreshSummary(owner, year, signal),
    };
  }, [owner, year]);
  return useKept(source);
}

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

/** This server's limits on files. */
export function useLimits(owner: string | null): Kept<LimitsRow> {
  const source = useMemo(() => {
    if (owner === null) return null;
    return {
      read: () => readLimits(owner),
      refresh: (signal: AbortSignal) => refreshLimits(owner, signal),
    };
  }, [owner]);
  return useKept(source);
}
