import type { OutboxFailure } from '../local/tables.ts';

/** Why a capsule could not be sealed, in a sentence. */
export function reasonOf({ code, message }: OutboxFailure): string {
  if (code !== 'IDEMPOTENCY_KEY_REUSED') return message;
  return 'An earlier version of this capsule has arrived before. It is on your dashboard. Change anything here to make this a second capsule.';
}
