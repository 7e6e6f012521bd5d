import {
  capsuleSchema,
  capsuleTypeSchema,
  dashboardSummarySchema,
  paginationSchema,
} from '../../shared/api/capsules.ts';
import { currentUserSchema } from '../../shared/api/user.ts';
import type { CapsuleRow, ListRow, ProfileRow, SummaryRow } from './db.ts';

/*
 * Rows that only repeat what the server said. One that is damaged is as good as none: the
 * server is asked anyway, and its answer takes the row's place.
 */

export function soundCapsule(row: CapsuleRow | undefined): CapsuleRow | null {
  if (!row || !isTime(row.fetchedAt) || !Array.isArray(row.lists)) return null;
  const isSound = row.lists.every((list) => capsuleTypeSchema.safeParse(list).success);
  return isSound && capsuleSchema.safeParse(row.capsule).success ? row : null;
}

export function soundList(row: ListRow | undefined): ListRow | null {
  if (!row || !isTime(row.fetchedAt) || !Array.isArray(row.ids)) return null;
  if (!row.ids.every((id) => typeof id === 'string')) return null;
  return paginationSchema.safeParse(row.pagination).success ? row : null;
}

export function soundSummary(row: SummaryRow | undefined): SummaryRow | null {
  if (!row || !isTime(row.fetchedAt)) return null;
  return dashboardSummarySchema.safeParse(row.summary).success ? row : null;
}

export function soundProfile(row: ProfileRow | undefined): ProfileRow | null {
  return row && currentUserSchema.safeParse(row.user).success ? row : null;
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime());
}
