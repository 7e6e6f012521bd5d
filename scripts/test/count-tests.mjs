import { relative } from 'node:path';
import { projectsOf } from './t.mjs';

/**
 * What is read of a vitest JSON report.
 * @typedef {{ testResults: { name: string, status: string, assertionResults: { status: string }[] }[] }} Report
 */

/**
 * What became of a stage. `missing` says what the machine lacks, `skipped` how many tests need it.
 * @typedef {{ passed: number, failed: number, skipped?: number, missing?: string, seconds?: string }} Outcome
 */

/**
 * Counts the tests of one project in a vitest JSON report. A file that could not be loaded, a skipped
 * test and a project without tests count as failures.
 * @param {Report | null} report null when none was written
 * @param {string} project
 * @returns {{ passed: number, failed: number }}
 */
export function countTests(report, project) {
  const files = (report?.testResults ?? []).filter(({ name }) =>
    projectsOf(relative('', name)).includes(project),
  );
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const unloaded = files.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const failed = tests.length - passed + unloaded.length;
  return { passed, failed: passed + failed === 0 ? 1 : failed };
}

/**
 * What became of a stage, in a line.
 * @param {string} name
 * @param {Outcome} outcome
 */
export function stageLine(name, { passed, failed, skipped, missing, seconds }) {
  const stage = name.padEnd(14);
  if (missing) return `– ${stage} ${skipped} skipped: ${missing}`;
  const time = seconds ? ` (${seconds} s)` : '';
  return `${failed === 0 ? '✓' : '✗'} ${stage} ${passed} passed, ${failed} failed${time}`;
}

/**
 * What all stages come to, and the lines of those that this machine could not run.
 * @param {Map<string, Outcome>} outcomes
 */
export function summarize(outcomes) {
  const notRun = [...outcomes]
    .filter(([, { missing }]) => missing)
    .map(([name, outcome]) => stageLine(name, outcome));
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ key) =>
    [...outcomes.values()].reduce((total, outcome) => total + (outcome[key] ?? 0), 0);
  const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
  const last = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return { notRun, last, isGood: failed === 0 && passed > 0 };
}
