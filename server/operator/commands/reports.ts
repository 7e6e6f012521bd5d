import { REPORT_REASON_TEXTS } from '../../../shared/report-reasons.ts';
import { findOpenReports, type ReportRow } from '../../db/doors/reports.ts';
import { answer } from '../../domain/doors/reports.ts';
import { isUuid } from '../../ids.ts';
import { StartError } from '../../start-error.ts';
import {
  type Asked,
  type Commands,
  type Found,
  leaveTrace,
  operatorDeps,
  UsageError,
  withDates,
} from './command.ts';

/** What people have reported, and the answer to it. */
export const reportCommands: Commands = {
  reports: {
    takes: '',
    does: 'Lists what people have reported and nobody has answered yet, the oldest first.',
    run: async ({ withDatabase }) => {
      const rows = await withDatabase((db) => findOpenReports(db));
      return { rows: rows.map(listed), none: 'There are no open reports.' };
    },
  },
  resolve: {
    takes: '<report> --note <text>',
    does: "Closes a report. Whoever made it gets a short email that says you've looked at it. The note on what you did stays in the trace.",
    run: resolve,
  },
};

function listed({ id, createdAt, reason, text, reporter, person, userId, ...about }: ReportRow) {
  return withDates({
    report: id,
    reported: createdAt,
    reason: REPORT_REASON_TEXTS[reason],
    person: person?.email ?? userId,
    capsule: about.capsuleId,
    contribution: about.contributionId,
    by: reporter?.email ?? null,
    // One line: in a terminal, more would pretend to be other rows.
    words: text.replace(/[\p{Cc}\s]+/gu, ' '),
  });
}

function resolve({ command, withDatabase, what, options }: Asked): Promise<Found> {
  const id = what.trim();
  const note = options.note?.trim();
  if (!note) throw new UsageError('Please write down what you did.');
  return withDatabase((db) =>
    db.transaction(async (tx) => {
      const report = isUuid(id) ? await answer(tx, operatorDeps, { id, note }) : null;
      if (!report) throw new StartError(`There is no open report ${id}.`);
      const { person, reporter } = report;
      await leaveTrace(tx, { command, userId: person?.id ?? null, reason: note });
      return { rows: [{ report: id, now: 'answered', told: reporter?.email ?? null }] };
    }),
  );
}
