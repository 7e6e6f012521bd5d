import type { Contribution } from '../../../shared/api/capsules.ts';
import { MINUTE_MS } from '../../../shared/limits.ts';
import { DANGERS, REPORT_REASON_TEXTS } from '../../../shared/report-reasons.ts';
import { AppError } from '../../app-error.ts';
import { later } from '../../clock/clock.ts';
import { findNewReports, findReport, type ReportRow } from '../../db/doors/reports.ts';
import type { RenderedEmail } from '../../mail/templates/layout.ts';
import {
  reportAnsweredMail,
  reportMail,
  reportsTogetherMail,
} from '../../mail/templates/reports.ts';
import { contactOf } from '../accounts/contact.ts';
import { eachContribution } from '../capsules/capsule-view.ts';
import { findCapsule } from '../capsules/capsules.ts';
import { type ContentDeps, link, type Outgoing, toPerson } from './links.ts';

/** The operator's email about a report. Null if the report is answered, or its reporter has left. */
export async function renderReport(
  deps: ContentDeps,
  row: Outgoing,
): Promise<RenderedEmail | null> {
  const report = row.aboutId ? await findReport(deps.db, row.aboutId) : undefined;
  if (!report?.reporter || report.answeredAt) return null;
  const { reporter } = report;
  return reportMail({ ...(await tellReport(deps, report)), reporter, url: link(deps, '/') });
}

/**
 * What the operator is told of a report. Of a capsule that is what its reporter may see at this moment,
 * so nothing from inside of a sealed one.
 */
export async function tellReport(deps: Pick<ContentDeps, 'db' | 'clock'>, report: ReportRow) {
  const { id, reason, text, createdAt, reporter, person, capsuleId, contributionId } = report;
  return {
    id,
    reason: REPORT_REASON_TEXTS[reason],
    text,
    reportedAt: createdAt,
    reporter,
    person,
    isOfPart: contributionId !== null,
    capsule:
      capsuleId === null
        ? null
        : await capsuleFor(deps, reporter?.id, { capsuleId, contributionId }),
  };
}

/** A report is written down before the email about it is queued, perhaps by another server. */
const BEFORE_MS = MINUTE_MS;
/** More are read by the command that the email names. */
const TOGETHER_MAX = 500;

/** Those that have come since this email was queued, of somebody in danger first. Null if none is open. */
export async function renderReportsTogether(
  deps: ContentDeps,
  row: Outgoing,
): Promise<RenderedEmail | null> {
  const since = later(row.createdAt, -BEFORE_MS);
  const found = await findNewReports(deps.db, { since, first: DANGERS, limit: TOGETHER_MAX });
  if (found.length === 0) return null;
  return reportsTogetherMail({
    reports: found.map((one) => ({ ...one, reason: REPORT_REASON_TEXTS[one.reason] })),
    url: link(deps, '/'),
  });
}

async function capsuleFor(
  deps: Pick<ContentDeps, 'db' | 'clock'>,
  userId: string | undefined,
  { capsuleId: id, contributionId }: { capsuleId: string; contributionId: string | null },
) {
  if (!userId) return { id, isUnseen: true as const };
  try {
    const view = await findCapsule(deps, { userId }, id);
    const { title, description, dateToUnlock, personalMessage, fileInfo, locked } = view.capsule;
    let part: Contribution | undefined;
    if (contributionId !== null) {
      for await (const one of eachContribution(deps, view)) {
        if (one.id !== contributionId) continue;
        part = one;
        break;
      }
    }
    const files = fileInfo
      .filter(({ fileId }) => !part || part.fileIds.includes(fileId))
      .map(({ fileName, fileType }) => `${fileName} (${fileType})`);
    const message = (part ?? { personalMessage }).personalMessage ?? '';
    const inside = locked ? null : { message, files };
    return { id, title, description, dateToUnlock, addedBy: part?.name ?? null, inside };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { id, isUnseen: true as const };
  }
}

/** Null once its reporter has left. */
export async function renderReportAnswered(
  deps: ContentDeps,
  row: Outgoing,
): Promise<RenderedEmail | null> {
  const report = row.aboutId ? await findReport(deps.db, row.aboutId) : undefined;
  if (!report?.reporter) return null;
  const about = await toPerson(deps, report.reporter, link(deps, '/dashboard'));
  return reportAnsweredMail({ ...about, reportedAt: report.createdAt, contact: contactOf(deps) });
}
