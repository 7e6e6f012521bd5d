import type { BodyOf } from '../../../shared/api/endpoint.ts';
import type { report as reportEndpoint } from '../../../shared/api/reports.ts';
import { isLocked } from '../../../shared/capsule-time.ts';
import { HOUR_MS, REPORT_TEXTS_MAX } from '../../../shared/limits.ts';
import { DANGERS, REPORT_REASON_TEXTS } from '../../../shared/report-reasons.ts';
import { AppError } from '../../app-error.ts';
import type { Actor } from '../../auth/sessions.ts';
import { later } from '../../clock/clock.ts';
import { findPublicUser } from '../../db/accounts/users.ts';
import { findVisibleCapsule } from '../../db/capsules/capsules.ts';
import {
  answerReport,
  findReport,
  insertReport,
  isFirstReport,
  lockOpenReport,
  type NewReport,
  type ReportRow,
  updateReport,
} from '../../db/doors/reports.ts';
import { findCapsuleOf } from '../../db/drafts/contributions.ts';
import { lockUntried } from '../../db/emails/notices.ts';
import type { Queryable } from '../../db/open.ts';
import type { Deps } from '../../deps.ts';
import { contactOf } from '../accounts/contact.ts';
import { queueEmails } from '../emails/queue.ts';

type Thing = Pick<BodyOf<typeof reportEndpoint>, 'capsuleId' | 'userId' | 'contributionId'>;

/**
 * Reports a capsule, what somebody has added to it, or a person to the operator: a row, and an email to
 * the site's contact, if there is one, about the first open report of each thing. What one person
 * says again is added to their open report. Beyond the limits, one email within the hour tells of all
 * others.
 * @throws RATE_LIMITED; CAPSULE_NOT_FOUND, CONTRIBUTION_NOT_FOUND and USER_NOT_FOUND for what they can't
 *   see; VALIDATION_FAILED for oneself
 */
export async function report(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'limits' | 'mailQueued'>,
  actor: Actor,
  { reason, text, ...thing }: BodyOf<typeof reportEndpoint>,
): Promise<void> {
  await deps.limits.take('report', actor.userId);
  const about = await findThing(deps, actor, thing);
  const email = contactOf(deps);
  const counted = DANGERS.includes(reason) ? 'dangerMail' : 'reportMail';
  const isSingle = email !== null && (await deps.limits.tryTake(counted, 'all')).isWithin;
  const row = {
    id: deps.ids.uuid(),
    reporterId: actor.userId,
    ...about,
    reason,
    text,
    createdAt: deps.clock.now(),
  };
  const isTold = await deps.db.transaction(async (tx) => {
    const id = (await insertReport(tx, row)) ? row.id : await addToOpen(tx, row);
    if (id === null || email === null || !(await isFirstReport(tx, { ...row, id }))) return false;
    if (isSingle) await queueEmails(tx, deps, 'report', [{ id: null, email, aboutId: id }]);
    else if (!(await lockUntried(tx, 'reports-together'))) {
      const dueAt = later(row.createdAt, HOUR_MS);
      await queueEmails(tx, deps, 'reports-together', [{ id: null, email, dueAt }]);
    }
    return true;
  });
  // A repeat uses up no email of the day.
  if (isSingle && !isTold) await deps.limits.giveBack(counted, 'all', 1);
  deps.mailQueued();
}

/**
 * Adds what is reported once more to the open report by the same person. The newer reason stands, but
 * none instead of a danger. @returns its id if it is a danger only now, or new; else null
 */
async function addToOpen(tx: Queryable, report: NewReport): Promise<string | null> {
  const open = await lockOpenReport(tx, report);
  // Answered in this moment.
  if (!open) return (await insertReport(tx, report)) ? report.id : null;
  if (open.reason === report.reason && open.text.includes(report.text)) return null;
  const wasDanger = DANGERS.includes(open.reason);
  const isDanger = DANGERS.includes(report.reason);
  const [stands, other] = wasDanger && !isDanger ? [open, report] : [report, open];
  const added = `Also reported as “${REPORT_REASON_TEXTS[other.reason]}”. ${other.text}`;
  const text = `${stands.text}\n\n${added}`.trim().slice(0, REPORT_TEXTS_MAX);
  const isNews = isDanger && !wasDanger;
  // As if made now: the email that tells of several reads those made since it was queued.
  const { createdAt } = isNews ? report : open;
  await updateReport(tx, { id: open.id, reason: stands.reason, text, createdAt });
  return isNews ? open.id : null;
}

/** What is reported, as far as the person can see it. */
async function findThing(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId: actorId }: Actor,
  { capsuleId, userId, contributionId }: Thing,
) {
  if (contributionId !== undefined) {
    const id = await findCapsuleOf(db, contributionId);
    const capsule = id === null ? undefined : await findVisibleCapsule(db, actorId, id);
    if (!capsule || isLocked(capsule.unlockAt, clock.now())) {
      throw new AppError('CONTRIBUTION_NOT_FOUND');
    }
    // Who sealed it has not written this, and may report it too.
    const creatorId = capsule.creatorId === actorId ? null : capsule.creatorId;
    return { capsuleId: capsule.id, contributionId, userId: creatorId };
  }
  if (capsuleId !== undefined) {
    const capsule = await findVisibleCapsule(db, actorId, capsuleId);
    if (!capsule) throw new AppError('CAPSULE_NOT_FOUND');
    if (capsule.creatorId === actorId) throw ownThing("You've sealed this capsule yourself.");
    return { capsuleId: capsule.id, userId: capsule.creatorId };
  }
  const person = userId === undefined ? undefined : await findPublicUser(db, userId);
  if (!person) throw new AppError('USER_NOT_FOUND');
  if (person.id === actorId) throw ownThing("You can't report yourself.");
  return { capsuleId: null, userId: person.id };
}

const ownThing = (message: string) => new AppError('VALIDATION_FAILED', { message });

/**
 * Closes a report, and tells who has made it. @param note what was done, for the operator alone
 * @returns the report as it was; null if there is none that is open
 */
export async function answer(
  tx: Queryable,
  deps: Pick<Deps, 'clock' | 'ids'>,
  { id, note }: { id: string; note: string },
): Promise<ReportRow | null> {
  const found = await findReport(tx, id);
  if (!found || !(await answerReport(tx, { id, note, now: deps.clock.now() }))) return null;
  const { reporter } = found;
  if (reporter) await queueEmails(tx, deps, 'report-answered', [{ ...reporter, aboutId: id }]);
  return found;
}
