import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

const COLUMNS = ['what', 'ours', 'floor', 'result', 'goal'];

export function table(rows) {
  const lines = rows.map((row) => [...COLUMNS.map((name) => row[name]), row.met ? 'yes' : 'no']);
  return tableOf(['What', 'Time Capsule', 'Floor', 'Result', 'Goal', 'Met'], lines);
}

/** A table of Markdown. `lines` are lists of cells. */
export function tableOf(head, lines) {
  const all = [head, ...lines];
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  const printed = all.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`,
  );
  printed.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return printed.join('\n');
}

const PATH = 'docs/benchmark-figures.md';

/** Writes one section of the benchmark's figures: rows against their floors. */
export function writeReport(heading, rows, command, { intro }) {
  const text = `${intro}\n\n${table(rows)}`;
  writeSection({ path: PATH, heading, command, text });
}

/**
 * Writes one section of a document and leaves the others as they are.
 * @param heading a section with the same heading is replaced
 * @param text says what was measured, and how
 */
export function writeSection({ path, heading, command, text }) {
  const [cpu] = cpus();
  const disk = execFileSync('df', ['--output=fstype', process.env.TMPDIR ?? '/tmp']);
  const section = `## ${heading}

Made by \`${command}\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpu.model.trim()},
${Math.round(totalmem() / 2 ** 30)} GB, ${String(disk).trim().split('\n').at(-1)}, Linux, Node ${process.version}.

${text}
`;
  writeFileSync(path, withSection(readFileSync(path, 'utf8'), heading, section));
}

/** @returns the report with the section of this heading replaced, or with the section added at its end */
export function withSection(report, heading, section) {
  const [intro = '', ...sections] = report.split(/\n(?=## )/);
  const others = sections.map((text) => text.trimEnd());
  const index = others.findIndex((text) => text.startsWith(`## ${heading}\n`));
  if (index < 0) others.push(section.trimEnd());
  else others[index] = section.trimEnd();
  return `${[intro.trimEnd(), ...others].join('\n\n')}\n`;
}
