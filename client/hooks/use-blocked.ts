import { block, listBlocked, unblock } from '../../shared/api/blocks.ts';
import type { BodyInputOf } from '../../shared/api/endpoint.ts';
import { report } from '../../shared/api/reports.ts';
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

/** @throws {CallError} */
export async function unblockPerson(userId: string): Promise<void> {
  await call(unblock, { params: { userId } });
}

/** Reports a capsule or a person to whoever runs the site. @throws {CallError} with `errors` by field */
export async function sendReport(body: BodyInputOf<typeof report>): Promise<void> {
  await call(report, { body });
}
