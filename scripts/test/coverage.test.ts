import { describe, expect, it } from 'vitest';
import { cover, readStatements, readTests } from './coverage.mjs';

describe('the statements', () => {
  it('are the lines of the list that begin with an id', () => {
    const text = '# 2. Title\n\nA text.\n\n- 2.a.1: one | two: three\n- no id\n- 32.b.10: four\n';
    expect(readStatements(text)).toEqual([
      { id: '2.a.1', statement: 'one | two: three' },
      { id: '32.b.10', statement: 'four' },
    ]);
  });
});

describe('the tests of a file', () => {
  it('are those that name statements, in every spelling', () => {
    const source = `
      describe('group [2.a.1]', () => {
        it("it's one [2.a.2]", () => {});
        test(\`two [2.a.3 2.a.4]\`, { timeout: 1 }, () => {});
        it.each([1])('three %s [2.a.5, 2.a.6]', () => {});
        describe.each(['x'] as const)(\`\${four} four [2.a.7]\`, () => {});
        it('five', () => {});
      });`;
    expect(readTests('a.test.ts', source)).toEqual([
      { test: 'a.test.ts › group', ids: ['2.a.1'] },
      { test: "a.test.ts › it's one", ids: ['2.a.2'] },
      { test: 'a.test.ts › two', ids: ['2.a.3', '2.a.4'] },
      { test: 'a.test.ts › three %s', ids: ['2.a.5', '2.a.6'] },
      { test: 'a.test.ts › … four', ids: ['2.a.7'] },
    ]);
  });

  it('are none of what is skipped, commented out or another call', () => {
    const source = `
      // it('comment [2.a.1]', () => {});
      it.skip('skipped [2.a.1]', () => {});
      test.todo('to do [2.a.1]');
      describe.skip('group [2.a.1]', () => { it('inside [2.a.1]', () => {}); });
      other('it [2.a.1]');`;
    expect(readTests('a.test.ts', source)).toEqual([]);
  });
});

describe('the coverage', () => {
  const statements = [
    { id: '2.a.1', statement: 'one' },
    { id: '2.a.2', statement: 'two' },
  ];

  it('is each statement with all its tests', () => {
    const tests = [
      { test: 'a › x', ids: ['2.a.1', '2.a.2'] },
      { test: 'b › y', ids: ['2.a.1'] },
    ];
    expect(cover(statements, tests)).toEqual({
      rows: [
        { id: '2.a.1', statement: 'one', tests: ['a › x', 'b › y'] },
        { id: '2.a.2', statement: 'two', tests: ['a › x'] },
      ],
      wrong: [],
    });
  });

  it('is wrong with a statement that no test names', () => {
    const { wrong } = cover(statements, [{ test: 'a › x', ids: ['2.a.1'] }]);
    expect(wrong).toEqual(['2.a.2: no test names it']);
  });

  it('is wrong with a test that names an unknown statement', () => {
    const { wrong } = cover(statements, [{ test: 'a › x', ids: ['2.a.1', '2.a.2', '2.a.3'] }]);
    expect(wrong).toEqual(['a › x: there is no statement 2.a.3']);
  });

  it('is wrong with an id that stands there twice', () => {
    const twice = [...statements, { id: '2.a.1', statement: 'three' }];
    const { wrong } = cover(twice, [{ test: 'a › x', ids: ['2.a.1', '2.a.2'] }]);
    expect(wrong).toEqual(['2.a.1: stands there twice']);
  });
});
