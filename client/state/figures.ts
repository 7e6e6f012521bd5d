import { useMemo } from 'react';
import type { SummaryRow } from '../local/db.ts';
import { readSummary } from '../local/figures.ts';
import { refreshSummary } from '../sync/refresh.ts';
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
