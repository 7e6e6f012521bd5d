import { listBin, restoreCapsule } from '../../shared/api/bin.ts';
import { deleteCapsule } from '../../shared/api/capsules.ts';
import type { OwnPassword } from '../../shared/api/own-password.ts';
import { call } from '../api/client.ts';
import { isAnswerOf } from '../api/errors.ts';
import { retryRefusedNow } from './use-outbox.ts';
import { useQuery } from './use-query.ts';

/** The person's bin. */
export function useBin() {
  const list = useQuery('bin', (signal) => call(listBin, { signal }));
  return {
    ...list,
    /** @throws {CallError} */
    async restore(id: string) {
      await bringBack(id);
      await list.refresh();
    },
    /** @throws {CallError} with `errors` by field */
    async deleteNow(id: string, password: OwnPassword) {
      try {
        await call(deleteCapsule, { params: { id }, query: { now: 'true' }, body: { password } });
      } catch (failure) {
        // Another device or tab has done it, or a week is over.
        if (!isAnswerOf(failure, 'CAPSULE_NOT_FOUND')) throw failure;
      }
      await list.refresh();
      // A capsule that found the person's storage full may fit now; if not, it is tried again later.
      void retryRefusedNow().catch(() => undefined);
    },
  };
}

/** Brings a capsule back from the bin. @throws {CallError} */
export async function bringBack(id: string): Promise<void> {
  await call(restoreCapsule, { params: { id } });
}
