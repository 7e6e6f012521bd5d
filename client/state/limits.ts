import { useMemo } from 'react';
import type { LimitsRow } from '../local/db.ts';
import { readLimits } from '../local/limits.ts';
import { refreshLimits } from '../sync/refresh-limits.ts';
import { type Kept, useKept } from './use-kept.ts';

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
