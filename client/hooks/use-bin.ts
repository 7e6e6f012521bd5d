import { useCallback, useEffect, useRef, useState } from 'react';
import { type Bin, listBin, restoreCapsule } from '../../shared/api/bin.ts';
import { deleteCapsule } from '../../shared/api/capsules.ts';
import type { OwnPassword } from '../../shared/api/own-password.ts';
import { call } from '../api/client.ts';
import { isAnswerOf } from '../api/errors.ts';
import { retryRefusedNow } from './use-outbox.ts';

/** The person's bin. Not cached: what is in it can only be changed with a connection. */
export function useBin() {
  const [bin, setBin] = useState<Bin | null>(null);
  const [error, setError] = useState<unknown>(null);

  const asked = useRef(0);
  const answered = useRef(0);

  const refresh = useCallback(async () => {
    asked.current += 1;
    const turn = asked.current;
    /** Two answers may overtake each other: the one that was asked for later stays. */
    const isNewest = () => {
      if (turn < answered.current) return false;
      answered.current = turn;
      return true;
    };
    setError(null);
    try {
      const listed = await call(listBin);
      if (isNewest()) setBin(listed);
    } catch (failure) {
      if (isNewest()) setError(failure);
    }
  }, []);
  useEffect(() => void refresh(), [refresh]);

  return {
    bin,
    error,
    refresh,
    /** @throws {CallError} */
    async restore(id: string) {
      await bringBack(id);
      await refresh();
    },
    /** @throws {CallError} with `errors` by field */
    async deleteNow(id: string, password: OwnPassword) {
      try {
        await call(deleteCapsule, { params: { id }, query: { now: 'true' }, body: { password } });
      } catch (failure) {
        // Another device or tab has done it, or a week is over.
        if (!isAnswerOf(failure, 'CAPSULE_NOT_FOUND')) throw failure;
      }
      await refresh();
      // A capsule that found the person's storage full may fit now; if not, it is tried again later.
      void retryRefusedNow().catch(() => undefined);
    },
  };
}

/** Brings a capsule back from the bin. @throws {CallError} */
export async function bringBack(id: string): Promise<void> {
  await call(restoreCapsule, { params: { id } });
}
