import { and, eq, inArray, ne, notExists, sql } from 'drizzle-orm';
import type { Queryable } from './open.ts';
import { capsuleFiles, capsuleRecipients, capsules, mails, uploads, users } from './schema.ts';

/** Keeps a deleted account's capsules for their recipients, under the creator's name. */
export async function leaveCapsules(tx: Queryable, creator: { id: string; name: string }) {
  await tx
    .update(capsules)
    .set({ departedCreator: creator.name, creatorId: null })
    .where(and(eq(capsules.creatorId, creator.id), sql`exists ${otherRecipients(tx, creator.id)}`));
}

/**
 * Deletes every capsule that this person created, and those left to this person alone. @returns
 * the storage keys of their files
 */
export async function removeCapsulesOf(tx: Queryable, userId: string): Promise<string[]> {
  const leftToThem = tx
    .select({ id: capsuleRecipients.capsuleId })
    .from(capsuleRecipients)
    .where(eq(capsuleRecipients.userId, userId));
  const doomed = await tx
    .select({ id: capsules.id })
    .from(capsules)
    .where(
      sql`${capsules.creatorId} = ${userId} or (${and(
        sql`${capsules.creatorId} is null`,
        inArray(capsules.id, leftToThem),
        notExists(otherRecipients(tx, userId)),
      )})`,
    );
  const ids = doomed.map(({ id }) => id);
  if (ids.length === 0) return [];
  const files = await tx
    .select({ storageKey: capsuleFiles.storageKey })
    .from(capsuleFiles)
    .where(inArray(capsuleFiles.capsuleId, ids));
  await tx.delete(capsules).where(inArray(capsules.id, ids));
  return files.map(({ storageKey }) => storageKey);
}

/** Storage keys of this person's upload sessions. */
export async function findUploadKeys(tx: Queryable, userId: string): Promise<string[]> {
  const rows = await tx
    .select({ storageKey: uploads.storageKey })
    .from(uploads)
    .where(eq(uploads.userId, userId));
  return rows.map(({ storageKey }) => storageKey);
}

/**
 * Deletes the person. Sessions, tokens, keys, uploads, emails and places as recipient go with the
 * row by foreign keys; emails requested by address alone are deleted by their address.
 */
export async function removeUser(
  tx: Queryable,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await tx.delete(mails).where(eq(mails.toAddress, email));
  await tx.delete(users).where(eq(users.id, id));
}

function otherRecipients(tx: Queryable, userId: string) {
  return tx
    .select({ one: sql`1` })
    .from(capsuleRecipients)
    .where(and(eq(capsuleRecipients.capsuleId, capsules.id), ne(capsuleRecipients.userId, userId)));
}
