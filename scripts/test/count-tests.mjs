/**
 * What is read of a vitest JSON report.
 * @typedef {{
 *   numPassedTests?: number, numFailedTests?: number, numPendingTests?: number, numTodoTests?: number,
 *   testResults?: { status: string, assertionResults: unknown[] }[],
 * }} Report
 */

/**
 * What became of a stage. `missing` says what the machine lacks, `skipped` how many tests need it.
 * @typedef {{ passed: number, failed: number, skipped?: number, missing?: string, seconds?: string }} Outcome
 */

/**
 * Counts the tests of a vitest JSON report. A file that could not be loaded, a skipped test, a
 * run without tests and a run that crashed count as failures.
 * @param {Report | null} report null when none was written
 * @param {number | null} status exit code of the run; null when it was killed
 * @returns {{ passed: number, failed: number }}
 */
export function countTests(report, status) {
  const passed = report?.numPassedTests ?? 0;
  const unloaded = (report?.testResults ?? []).filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  const failed =
    (report?.numFailedTests ?? 0) +
    (report?.numPendingTests ?? 0) +
    (report?.numTodoTests ?? 0) +
    unloaded.length;
  const endedBadly = failed === 0 && (passed === 0 || status !== 0);
  return { passed, failed: endedBadly ? 1 : failed };
}

/**
 * What became of a stage, in a line.
 * @param {string} name
 * @param {Outcome} outcome
 */
export function stageLine(name, { passed, failed, skipped, missing, seconds }) {
  const stage = name.padEnd(14);
  if (missing) return `– ${stage} ${skipped} skipped: ${missing}`;
  return `${failed === 0 ? '✓' : '✗'} ${stage} ${passed} passed, ${failed} failed (${seconds} s)`;
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
