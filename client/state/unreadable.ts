import { readUnreadable, type Unreadable } from '../local/unreadable.ts';
import { useLocal } from './use-local.ts';

/** Drafts or queued capsules that cannot be read any more; none until the device has been asked. */
export function useUnreadable(owner: string | null, kind: Unreadable['kind']): Unreadable[] {
  const all = useLocal(async () => (owner === null ? [] : readUnreadable(owner)), [owner], []);
  return all?.filter((row) => row.kind === kind) ?? [];
}
