import { randomUUID } from 'node:crypto';
import type { Capsule } from '../../shared/api/capsules.ts';
import { createCapsule, type NewCapsuleInput } from '../../shared/api/new-capsule.ts';
import { answerOf, expectStatus, type SignedIn } from './client.ts';
import type { FixtureFile } from './fixtures.ts';

/** The fields of a capsule that opens on the first day of 2030, with what a test wants different. */
export function capsuleFields(
  to: { user: { email: string } },
  change: Partial<NewCapsuleInput> = {},
): NewCapsuleInput {
  return {
    title: 'For later',
    description: 'Open when it is time',
    dateToUnlock: '2030-01-01',
    timeZone: 'UTC',
    recipientEmails: [to.user.email],
    personalMessage: 'I was here.',
    ...change,
  };
}

export async function seal(
  from: SignedIn,
  to: { user: { email: string } },
  change: Partial<NewCapsuleInput> = {},
  files: FixtureFile[] = [],
): Promise<Capsule> {
  const key = { 'Idempotency-Key': randomUUID() };
  return answerOf(createCapsule, await from.createCapsule(capsuleFields(to, change), files, key));
}

/** Deletes a capsule, and then from the bin as well. */
export async function deleteForGood(creator: SignedIn, id: string): Promise<void> {
  expectStatus(await creator.delete(`/api/capsules/${id}`), 200);
  const body = { json: { password: creator.password } };
  expectStatus(await creator.request('DELETE', `/api/capsules/${id}?now=true`, body), 200);
}
