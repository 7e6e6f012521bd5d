import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { countTests, stageLine, summarize } from './count-tests.mjs';

const file = (name: string, ...statuses: string[]) => ({
  name: resolve(name),
  status: 'passed',
  assertionResults: statuses.map((status) => ({ status })),
});
const good = file('shared/day.test.ts', 'passed', 'passed', 'passed');
const others = file('tests/api/bin.test.ts', 'passed', 'failed');

it.each([
  ['all green', [good], { passed: 3, failed: 0 }],
  ['another project failed', [good, others], { passed: 3, failed: 0 }],
  [
    'failed tests',
    [file('shared/day.test.ts', 'passed', 'failed', 'failed')],
    { passed: 1, failed: 2 },
  ],
  ['a skipped test', [good, file('shared/a.test.ts', 'skipped')], { passed: 3, failed: 1 }],
  ['a test only announced', [good, file('shared/a.test.ts', 'todo')], { passed: 3, failed: 1 }],
  [
    'a file that cannot be loaded',
    [good, { ...file('shared/a.test.ts'), status: 'failed' }],
    { passed: 3, failed: 1 },
  ],
  ['no tests at all', [others], { passed: 0, failed: 1 }],
])('counts: %s', (_, testResults, expected) => {
  expect(countTests({ testResults }, 'unit')).toEqual(expected);
});

it('a run that was killed has failed', () => {
  expect(countTests(null, 'unit')).toEqual({ passed: 0, failed: 1 });
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
