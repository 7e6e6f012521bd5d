import { and, desc, eq, gt, lte } from 'drizzle-orm';
import type { CapsuleRow } from './capsules.ts';
import type { Queryable } from './open.ts';
import { capsuleRecipients, capsules } from './schema.ts';

/** Capsules of a person that opened after `after` and up to `until`, latest first. */
export function findOpenings(
  db: Queryable,
  userId: string,
  { after, until, limit }: { after: Date; until: Date; limit: number },
): Promise<Pick<CapsuleRow, 'id' | 'unlockAt'>[]> {
  const created = db
    .select({ id: capsules.id, unlockAt: capsules.unlockAt })
    .from(capsules)
    .where(
      and(
        eq(capsules.creatorId, userId),
        gt(capsules.unlockAt, after),
        lte(capsules.unlockAt, until),
      ),
    );
  const received = db
    .select({ id: capsuleRecipients.capsuleId, unlockAt: capsuleRecipients.unlockAt })
    .from(capsuleRecipients)
    .where(
      and(
        eq(capsuleRecipients.userId, userId),
        gt(capsuleRecipients.unlockAt, after),
        lte(capsuleRecipients.unlockAt, until),
      ),
    );
  // A capsule to oneself is in both and counts once.
  return created.union(received).orderBy(desc(capsules.unlockAt), desc(capsules.id)).limit(limit);
}
