/**
 * Counts the tests of a vitest JSON report. A file that could not be loaded, a skipped test, a
 * run without tests and a run that crashed count as failures.
 * @param {object | null} report null when none was written
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
