import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { projectsOf, readCommand } from './t.mjs';

describe('the projects of a test file', () => {
  it.each([
    ['client/db/drafts.test.ts', ['device']],
    ['shared/day.test.ts', ['unit']],
    ['scripts/test/t.test.ts', ['unit']],
    ['tests/support/fixtures.test.ts', ['unit']],
    ['tests/visual/compare.test.ts', ['unit']],
    ['server/db/open.test.ts', ['unit']],
    ['server/db/open.db.test.ts', ['api']],
    ['tests/api/axios.test.ts', ['api']],
    ['tests/api', ['api']],
    ['tests/browser/offline.test.ts', ['browser']],
    ['tests/visual/wide.test.ts', ['visual']],
    ['tests/faults/crash.test.ts', ['faults']],
    ['tests/offline/damaged.test.ts', ['proofs']],
    ['docs/architecture.md', []],
    ['tests', []],
    ['server/db', ['unit', 'api']],
    ['client/db', ['device']],
    ['client', ['unit', 'device']],
    ['tests/engines', ['engines']],
    ['tests/pooler', ['pooler']],
  ])('%s: %j', (path, projects) => {
    expect(projectsOf(path)).toEqual(projects);
  });
});

describe('a command', () => {
  it('runs the tests of all its paths, each in its own project', () => {
    const words = ['scripts/test', 'tests/api', './server/db/plans.long.db.test.ts', '-t', 'docs'];
    expect(readCommand(words)).toEqual({
      paths: ['scripts/test', 'tests/api', 'server/db/plans.long.db.test.ts'],
      projects: ['unit', 'api'],
      noTests: [],
      options: ['-t', 'docs'],
    });
  });

  it.each([
    [['tests/api', 'server/nowhere'], ['server/nowhere']],
    [
      ['tests/nothing.test.ts', 'tests/api', 'docs', '--bail=1'],
      ['tests/nothing.test.ts', 'docs'],
    ],
    [['.'], ['.']],
  ])('names each path that is no test: %j', (words, noTests) => {
    expect(readCommand(words).noTests).toEqual(noTests);
  });

  it('runs nothing if one of its paths is no test', () => {
    const words = ['scripts/test/t.mjs', 'shared/day.test.ts', 'server/nowhere'];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('server/nowhere is no test of this project.');
  });
});
