import { hasBlockedPerson } from '../../db/doors/blocks.ts';
import {
  type findWithheld,
  noteWithheld,
  removeWithheld,
  repeatWithheld,
  type WithheldRow,
} from '../../db/doors/withheld-notices.ts';
import { repeatMail } from '../../db/emails/mails.ts';
import type { NoticeRow } from '../../db/emails/notices.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { type Person, queueWithheldNotice } from './notices.ts';

/*
 * Whoever is blocked does not notice: what the creator of a capsule sees of notices that were
 * withheld, and what happens when they send one again.
 */

/** About how long other emails take to be sent, and to be delivered where we are told. */
const SENT_AFTER_MS = 1_000;
const DELIVERED_AFTER_MS = 60_000;

/**
 * Notes notices of people who have blocked the creator, which are not queued. The creator sees them
 * as sent.
 */
export function withholdNotices(
  tx: Queryable,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  kind: NoticeRow['kind'],
  people: (Pick<Person, 'id'> & { capsuleId: string })[],
): Promise<void> {
  const rows = people.map(({ id: userId, capsuleId }) => ({
    id: ids.uuid(),
    capsuleId,
    userId,
    kind,
  }));
  return noteWithheld(tx, rows, clock.now());
}

/** `wholly`: there is no such email. `again`: it was sent before its recipient blocked the creator. */
export type MaybeWithheld = NoticeRow & { withheld?: 'wholly' | 'again' };

/**
 * The notices of a capsule with those that were withheld, in the order of the recipients.
 * @param withheld as `findWithheld` returns it
 */
export function withWithheld(
  queued: NoticeRow[],
  withheld: Awaited<ReturnType<typeof findWithheld>>,
  at: { config: Deps['config']; now: Date },
): MaybeWithheld[] {
  const ids = [...new Set(withheld.map(({ recipientId }) => recipientId))];
  return ids.flatMap((id) => {
    const own = queued.filter(({ recipientId }) => recipientId === id);
    const instead = withheld.flatMap((one) =>
      one.recipientId === id && one.withheld ? [asSent(one.withheld, own, at)] : [],
    );
    const kinds = new Set(instead.map(({ kind }) => kind));
    const all = [...instead, ...own.filter(({ kind }) => !kinds.has(kind))];
    return all.toSorted((one, other) => (one.kind < other.kind ? -1 : 1));
  });
}

/** As if it had been sent a moment later, and had arrived. */
function asSent(
  { queuedAt, ...row }: WithheldRow,
  own: NoticeRow[],
  { config, now }: { config: Deps['config']; now: Date },
): MaybeWithheld {
  const before = own.find(({ kind }) => kind === row.kind);
  const age = now.getTime() - queuedAt.getTime();
  const isTold = config.mail.provider === 'resend' && config.mail.webhookSecret !== null;
  const isDelivered = isTold && age >= DELIVERED_AFTER_MS;
  return {
    ...row,
    hasAccount: true,
    state: age < SENT_AFTER_MS ? 'queued' : 'sent',
    createdAt: before?.createdAt ?? queuedAt,
    sentAt: age < SENT_AFTER_MS ? (before?.sentAt ?? null) : queuedAt,
    delivery: isDelivered ? 'delivered' : null,
    deliveredAt: isDelivered ? queuedAt : null,
    unknownSince: null,
    withheld: before ? 'again' : 'wholly',
  };
}

/**
 * Queues a notice again, or notes it where its recipient has blocked the creator.
 * @returns false if that was done after `lastBefore`
 */
export async function repeatNotice(
  deps: Pick<Deps, 'db' | 'clock' | 'ids'>,
  notice: MaybeWithheld & { capsuleId: string; creatorId: string },
  { now, lastBefore }: { now: Date; lastBefore: Date },
): Promise<boolean> {
  const { id, capsuleId, creatorId, recipientId: userId, kind, repeats } = notice;
  if (await hasBlockedPerson(deps.db, { userId, blockedId: creatorId })) {
    const again = { id, capsuleId, userId, kind, repeats };
    return repeatWithheld(deps.db, again, { now, lastBefore });
  }
  return deps.db.transaction(async (tx) => {
    if (notice.withheld) await removeWithheld(tx, id);
    if (notice.withheld !== 'wholly') return repeatMail(tx, { id, now, lastBefore });
    const person = { id: userId, email: notice.recipientEmail };
    await queueWithheldNotice(tx, deps, { ...person, kind, capsuleId });
    return true;
  });
}
