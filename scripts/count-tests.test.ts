import { expect, it } from 'vitest';
import { countTests } from './count-tests.mjs';

const report = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [{ status: 'passed', assertionResults: [{}, {}, {}] }],
};
const broken = { status: 'failed', assertionResults: [] };

it.each([
  ['all green', report, 0, { passed: 3, failed: 0 }],
  ['a failed test', { ...report, numFailedTests: 2 }, 1, { passed: 3, failed: 2 }],
  ['a skipped test', { ...report, numPendingTests: 1 }, 0, { passed: 3, failed: 1 }],
  ['a test only announced', { ...report, numTodoTests: 1 }, 0, { passed: 3, failed: 1 }],
  [
    'a file that cannot be loaded',
    { ...report, testResults: [broken] },
    1,
    { passed: 3, failed: 1 },
  ],
  ['green, but ended badly', report, 1, { passed: 3, failed: 1 }],
  ['killed half-way', null, null, { passed: 0, failed: 1 }],
  [
    'no tests at all',
    { ...report, numPassedTests: 0, testResults: [] },
    0,
    { passed: 0, failed: 1 },
  ],
])('counts: %s', (_, result, status, expected) => {
  expect(countTests(result, status)).toEqual(expected);
});
