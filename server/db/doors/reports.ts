import { and, asc, desc, eq, gte, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { DANGERS, type ReportReason } from '../../../shared/report-reasons.ts';
import type { Queryable } from '../open.ts';
import { reportedThing, reports, users } from '../schema.ts';

export type NewReport = Pick<
  typeof reports.$inferInsert,
  'id' | 'capsuleId' | 'contributionId' | 'userId' | 'reason' | 'text' | 'createdAt'
> & { reporterId: string };

const aboutSame = (report: NewReport) =>
  and(
    sql`${reportedThing(reports)} = ${report.contributionId ?? report.capsuleId ?? report.userId}`,
    isNull(reports.answeredAt),
  );

/** @returns false if they have reported it before and it is not answered */
export async function insertReport(tx: Queryable, report: NewReport): Promise<boolean> {
  const { count } = await tx.insert(reports).values(report).onConflictDoNothing();
  return count > 0;
}

/** Finds and locks what the same person has said of the same thing and nobody has answered. */
export async function lockOpenReport(tx: Queryable, report: NewReport) {
  const [row] = await tx
    .select()
    .from(reports)
    .where(and(aboutSame(report), eq(reports.reporterId, report.reporterId)))
    .for('update');
  return row;
}

export async function updateReport(
  tx: Queryable,
  { id, ...told }: Pick<NewReport, 'id' | 'reason' | 'text' | 'createdAt'>,
): Promise<void> {
  await tx.update(reports).set(told).where(eq(reports.id, id));
}

/**
 * Whether no other open report is about the same thing, or none that says that somebody may be in
 * danger, as this one does.
 */
export async function isFirstReport(tx: Queryable, report: NewReport): Promise<boolean> {
  const isAlike = DANGERS.includes(report.reason)
    ? inArray(reports.reason, [...DANGERS])
    : undefined;
  return (
    (await tx.$count(reports, and(aboutSame(report), isAlike, ne(reports.id, report.id)))) === 0
  );
}

const reporter = alias(users, 'reporter');
const person = alias(users, 'person');

const COLUMNS = {
  id: reports.id,
  createdAt: reports.createdAt,
  answeredAt: reports.answeredAt,
  reason: reports.reason,
  text: reports.text,
  note: reports.note,
  capsuleId: reports.capsuleId,
  contributionId: reports.contributionId,
  userId: reports.userId,
  /** Null once they have deleted their account. */
  reporter: { id: reporter.id, name: reporter.name, email: reporter.email },
  /** Null if they have deleted their account, and for a capsule of somebody who had. */
  person: { id: person.id, name: person.name, email: person.email },
};

/** With who has reported, and whom. */
function selectReports(db: Queryable) {
  return db
    .select(COLUMNS)
    .from(reports)
    .leftJoin(reporter, eq(reporter.id, reports.reporterId))
    .leftJoin(person, eq(person.id, reports.userId));
}

export type ReportRow = Awaited<ReturnType<typeof findOpenReports>>[number];

export async function findReport(db: Queryable, id: string): Promise<ReportRow | undefined> {
  const [row] = await selectReports(db).where(eq(reports.id, id));
  return row;
}

/** Those that wait for an answer, the oldest first. */
export function findOpenReports(db: Queryable) {
  return selectReports(db)
    .where(isNull(reports.answeredAt))
    .orderBy(asc(reports.createdAt), asc(reports.id));
}

/** The same of those made since then, those with one of these reasons first, at most `limit`. */
export function findNewReports(
  db: Queryable,
  { since, first, limit }: { since: Date; first: readonly ReportReason[]; limit: number },
) {
  return selectReports(db)
    .where(and(isNull(reports.answeredAt), gte(reports.createdAt, since)))
    .orderBy(desc(inArray(reports.reason, [...first])), asc(reports.createdAt), asc(reports.id))
    .limit(limit);
}

/** @returns false if there is no such report, or it was answered before */
export async function answerReport(
  tx: Queryable,
  { id, note, now }: { id: string; note: string; now: Date },
): Promise<boolean> {
  const changed = await tx
    .update(reports)
    .set({ answeredAt: now, note })
    .where(and(eq(reports.id, id), isNull(reports.answeredAt)));
  return changed.count > 0;
}

/** Deletes reports that were answered, or made, before these times. */
export async function deleteOldReports(
  db: Queryable,
  { answeredBefore, madeBefore }: { answeredBefore: Date; madeBefore: Date },
): Promise<void> {
  await db
    .delete(reports)
    .where(or(lte(reports.answeredAt, answeredBefore), lte(reports.createdAt, madeBefore)));
}
