import { describe, expect, it } from 'vitest';
import { EMPTY_DRAFT } from '../db/tables.ts';
import { draftTitle } from './unfinished-drafts.tsx';

describe('draftTitle', () => {
  it.each([
    [{ title: ' The lake ', description: 'In winter' }, 'The lake'],
    [{ description: 'In winter,\n at  night' }, 'In winter, at night'],
    [{ personalMessage: 'Dear Ada' }, 'Dear Ada'],
    [
      { description: 'When you read this, the lake is frozen over again' },
      'When you read this, the lake is frozen…',
    ],
    [
      { description: 'You were asleep, and the rain went on. We sang.' },
      'You were asleep, and the rain went on…',
    ],
    [{ description: 'x'.repeat(60) }, `${'x'.repeat(40)}…`],
    [{ title: `${'word '.repeat(50)}end` }, `${'word '.repeat(40).trim()}…`],
    [{}, 'Untitled Capsule'],
  ])('calls %j %s', (fields, title) => {
    expect(draftTitle({ ...EMPTY_DRAFT, ...fields })).toBe(title);
  });
});
