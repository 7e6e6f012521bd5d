import { describe, expect, it } from 'vitest';
import { projectsOf } from './t.mjs';

describe('the projects of a test file', () => {
  it.each([
    ['client/db/drafts.test.ts', ['unit']],
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
    ['client/db', ['unit']],
    ['tests/engines', ['engines']],
    ['tests/pooler', ['pooler']],
  ])('%s: %j', (path, projects) => {
    expect(projectsOf(path)).toEqual(projects);
  });
});
