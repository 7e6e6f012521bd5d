import { listBin, restoreCapsule } from '../../shared/api/bin.ts';
import { deleteCapsule } from '../../shared/api/capsules.ts';
import type { OwnPassword } from '../../shared/api/own-password.ts';
import { call } from '../api/client.ts';
import { orGone } from '../api/errors.ts';
import { retryRefusedNow } from './use-outbox.ts';
import { useQuery } from './use-query.ts';

/** The person's bin. */
export function useBin() {
  const list = useQuery('bin', (signal) => call(listBin, { signal }));
  return {
    ...list,
    /** @throws {CallError} */
    restore: (id: string) => list.after(bringBack(id)),
    /** @throws {CallError} with `errors` by field */
    async deleteNow(id: string, password: OwnPassword) {
      const request = { params: { id }, query: { now: 'true' as const }, body: { password } };
      await list.after(orGone(call(deleteCapsule, request), 'CAPSULE_NOT_FOUND'));
      // A capsule that found the person's storage full may fit now; if not, it is tried again later.
      void retryRefusedNow().catch(() => undefined);
    },
  };
}

/** Brings a capsule back from the bin. @throws {CallError} */
export async function bringBack(id: string): Promise<void> {
  await call(restoreCapsule, { params: { id } });
}
