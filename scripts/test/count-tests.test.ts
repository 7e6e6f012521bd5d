import { expect, it } from 'vitest';
import { countTests, stageLine, summarize } from './count-tests.mjs';

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

it('a stage that could not run is counted by its tests, with what the machine lacks', () => {
  const outcomes = new Map([
    ['unit tests', { passed: 12, failed: 0, seconds: '3.1' }],
    ['pooler tests', { passed: 0, failed: 0, skipped: 4, missing: 'No PgBouncer was found.' }],
  ]);
  expect(summarize(outcomes)).toEqual({
    notRun: ['– pooler tests   4 skipped: No PgBouncer was found.'],
    last: '12 passed, 0 failed, 4 skipped',
    isGood: true,
  });
});

it('nothing passed is no success, whatever was skipped', () => {
  const outcomes = new Map([
    ['browser tests', { passed: 0, failed: 0, skipped: 90, missing: 'No Chromium was found.' }],
  ]);
  expect(summarize(outcomes).isGood).toBe(false);
});

it('a stage is a line', () => {
  const outcome = { passed: 12, failed: 0, seconds: '3.1' };
  expect(stageLine('unit tests', outcome)).toBe('✓ unit tests     12 passed, 0 failed (3.1 s)');
});
