import { block, listBlocked } from '../../shared/api/blocks.ts';
import { call } from '../api/client.ts';
import { forgetPerson } from '../db/people.ts';
import { useQuery } from './use-query.ts';

/** Whom the person has blocked. */
export const useBlocked = () => useQuery('blocked', (signal) => call(listBlocked, { signal }));

/**
 * Blocks a person, who is then not suggested as a recipient on this device either.
 * @throws {CallError}
 */
export async function blockPerson(
  userId: string,
  { putAway }: { putAway: boolean },
): Promise<void> {
  await call(block, { params: { userId }, body: { putAway } });
  await forgetPerson(userId).catch(() => undefined);
}
