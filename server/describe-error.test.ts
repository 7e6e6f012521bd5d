import { describe, expect, it } from 'vitest';
import { describeError } from './describe-error.ts';

describe('describeError', () => {
  it('keeps nothing of a database error that could quote what a person wrote', () => {
    const refused = Object.assign(new Error('Key (email)=(ada@example.org) already exists.'), {
      code: '23505',
      severity: 'ERROR',
    });
    const failed = Object.assign(new Error('Failed query: insert … params: ada@example.org'), {
      query: 'insert …',
      cause: refused,
    });
    for (const error of [refused, failed]) {
      const described = describeError(error);
      expect(described).toMatchObject({ name: 'Error', code: '23505' });
      expect(JSON.stringify(described)).not.toContain('ada@');
    }
  });

  it('keeps the text of every other error, and where it happened', () => {
    const described = describeError(Object.assign(new Error('no such file'), { code: 'ENOENT' }));
    expect(described).toMatchObject({ code: 'ENOENT', message: 'no such file' });
    expect(described.stack).toContain('describe-error.test.ts');
    expect(describeError('text')).toEqual({ name: 'string' });
  });
});
