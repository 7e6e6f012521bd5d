import type { OutboxRow } from '../../local/db.ts';
import { CapsuleSeal } from '../../ui/capsule-seal.tsx';

/** The seal that the capsule will have, before any of its time has passed. */
export function QueuedSeal({ item, now }: { item: OutboxRow; now: Date }) {
  const { id, fields, timeZone, queuedAt } = item;
  const createdAt = new Date(queuedAt).toISOString();
  const { dateToUnlock } = fields;
  const unlockAt = `${dateToUnlock}T00:00:00.000Z`;
  const capsule = { id, dateToUnlock, timeZone, createdAt, unlockAt, locked: true };
  return <CapsuleSeal capsule={capsule} now={now} size={72} label={null} />;
}
