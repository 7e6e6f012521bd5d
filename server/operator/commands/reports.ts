import { REPORT_REASON_TEXTS } from '../../../shared/report-reasons.ts';
import { findOpenReports, type ReportRow } from '../../db/doors/reports.ts';
import type { Queryable } from '../../db/open.ts';
import { findLastSeen } from '../../db/server-state.ts';
import { answer } from '../../domain/doors/reports.ts';
import { tellReport } from '../../domain/email-content/report-content.ts';
import { isUuid } from '../../ids.ts';
import { moment, WORD_JOINER } from '../../mail/templates/plain.ts';
import { reportDetails, whatToDo } from '../../mail/templates/reports.ts';
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
    does: 'Lists what people have reported and nobody has answered yet, the oldest first, as the email to SITE_CONTACT does.',
    run: ({ withDatabase, options }) =>
      withDatabase(async (db) => {
        const rows = await findOpenReports(db);
        const blocks = options.json ? [] : await readable(db, rows);
        return { rows: rows.map(listed), blocks, none: 'There are no open reports.' };
      }),
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
    words: text,
  });
}

/** What the email to the site's contact says, and what to do. */
async function readable(db: Queryable, rows: ReportRow[]): Promise<string[]> {
  // As the server's clock has it: this machine's may be wrong, and would show what is sealed.
  const seen = await findLastSeen(db);
  const clock = { now: () => seen ?? new Date(0) };
  const blocks: string[] = [];
  for (const row of rows) {
    const told = await tellReport({ db, clock }, row);
    const when = { label: 'When', value: moment(row.createdAt, null) };
    const lines = [when, ...reportDetails(told)].map(({ label, value }) =>
      wrapped(`${label}: ${value.replaceAll(WORD_JOINER, '')}`),
    );
    blocks.push([...lines, ...whatToDo(told), ''].join('\n'));
  }
  return blocks;
}

/** In lines that a terminal has room for, all but the first further in. Not every script has spaces. */
const wrapped = (text: string) =>
  text.replace(/(.{1,76})(?:\s+|$)|(.{76})/gu, '$1$2\n  ').trimEnd();

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
