import { CapsuleSeal } from '../../components/capsule-seal.tsx';
import type { OutboxRow } from '../../db/tables.ts';

/** The seal of a queued capsule, with none of its time passed. */
export function QueuedSeal({ item, now }: { item: OutboxRow; now: Date }) {
  const { id, fields, timeZone, queuedAt } = item;
  const createdAt = new Date(queuedAt).toISOString();
  const { dateToUnlock } = fields;
  const unlockAt = `${dateToUnlock}T00:00:00.000Z`;
  const capsule = { id, dateToUnlock, timeZone, createdAt, unlockAt, locked: true };
  return <CapsuleSeal capsule={capsule} now={now} size={72} label={null} />;
}
