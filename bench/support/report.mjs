import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

const COLUMNS = ['what', 'ours', 'floor', 'result', 'goal'];

export function table(rows) {
  const lines = rows.map((row) => [...COLUMNS.map((name) => row[name]), row.met ? 'yes' : 'no']);
  const all = [['What', 'Time Capsule', 'Floor', 'Result', 'Goal', 'Met'], ...lines];
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  const printed = all.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`,
  );
  printed.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return printed.join('\n');
}

export function writeReport(path, rows, command) {
  const [cpu] = cpus();
  const disk = execFileSync('df', ['--output=fstype', process.env.TMPDIR ?? '/tmp']);
  const text = `# Benchmarks

Made by \`${command}\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpu.model.trim()},
${Math.round(totalmem() / 2 ** 30)} GB, ${String(disk).trim().split('\n').at(-1)}, Linux, Node ${process.version}.

Each figure is a median of at least five runs with the lowest and the highest in brackets. Ours and
the floor run in turn, in processes of their own, in the same run: figures of different machines
or days do not compare, ratios do. What each floor is stands at the top of its file in \`bench/floors/\`.

${table(rows)}
`;
  writeFileSync(path, text);
}
