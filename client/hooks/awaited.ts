import type { OutboxRow } from '../db/tables.ts';

/** Capsules whose creator saw them go and waits for the word. */
const awaited = new Set<string>();

export function startAwaiting({ id }: Pick<OutboxRow, 'id'>): void {
  awaited.add(id);
}

/** The word is there, or comes later than anybody waits. @returns whether somebody did */
export function stopAwaiting({ id }: Pick<OutboxRow, 'id'>): boolean {
  return awaited.delete(id);
}
