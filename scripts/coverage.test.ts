import { describe, expect, it } from 'vitest';
import { checkRows, readRows, titlesOf } from './coverage.mjs';

const HEAD = '| id | statement | where | test |\n|---|---|---|---|\n';

/** The errors of one row, in a project with one file and one test. */
function check(row: string) {
  return checkRows(readRows(HEAD + row), {
    exists: (path) => path === 'a.ts',
    titles: (path) => (path === 'a.test.ts' ? new Set(['works | well', 'again']) : null),
  });
}

describe('the rows of a table', () => {
  it('are read without heads and text, with their escapes undone', () => {
    const table = `# Title\n${HEAD}| 2.a.1 | one \\| two | a.ts<br>b.ts | open |\ntext\n`;
    expect(readRows(table)).toEqual([
      { id: '2.a.1', statement: 'one | two', files: ['a.ts', 'b.ts'], tests: [] },
    ]);
  });

  it('are right when all that they name is there', () => {
    const row = '| 2.a.1 | x | a.ts | a.test.ts › works \\| well<br>a.test.ts › again |';
    expect(check(row)).toEqual({ wrong: [], open: [] });
  });

  it('are open without a test, and that alone is not wrong', () => {
    expect(check('| 2.a.1 | x | a.ts | open |')).toEqual({ wrong: [], open: ['2.a.1'] });
    expect(check('| 2.a.1 | x | a.ts | |')).toEqual({ wrong: [], open: ['2.a.1'] });
  });

  it.each([
    ['a test that is not in its file', '| 2.a.1 | x | a.ts | a.test.ts › fails |'],
    ['a test file that is not there', '| 2.a.1 | x | a.ts | b.test.ts › again |'],
    ['a test without a title', '| 2.a.1 | x | a.ts | a.test.ts |'],
    ['a file that is not there', '| 2.a.1 | x | b.ts | a.test.ts › again |'],
    ['no file', '| 2.a.1 | x | | a.test.ts › again |'],
    ['an id twice', '| 2.a.1 | x | a.ts | open |\n| 2.a.1 | y | a.ts | open |'],
  ])('are wrong with %s', (_, row) => {
    expect(check(row).wrong).toHaveLength(1);
  });
});

describe('the titles of a test file', () => {
  it('are those of its tests and groups, in every spelling', () => {
    const source = `
      describe('group', () => {
        it("it's one", () => {});
        test(\`two\`, { timeout: 1 }, () => {});
        it.each([1])('three %s', () => {});
        describe.each(['x'] as const)('four', () => {});
      });`;
    expect([...titlesOf('a.test.ts', source)]).toEqual([
      'group',
      "it's one",
      'two',
      'three %s',
      'four',
    ]);
  });

  it('are none of what is skipped, commented out or another call', () => {
    const source = `
      // it('comment', () => {});
      it.skip('skipped', () => {});
      test.todo('to do');
      describe.skip('group', () => { it('inside', () => {}); });
      other('it');`;
    expect([...titlesOf('a.test.ts', source)]).toEqual([]);
  });
});
