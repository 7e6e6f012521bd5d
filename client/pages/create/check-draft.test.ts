import { describe, expect, it } from 'vitest';
import { sampleId } from '../../../tests/support/sample-capsule.ts';
import { EMPTY_DRAFT } from '../../local/drafts.ts';
import { checkDraft } from './check-draft.ts';

const LIMITS = { maxFileMB: 2, maxCapsuleMB: 3, maxFiles: 2, storageLimitMB: 10 };
const MIB = 1_048_576;
const grace = {
  id: sampleId(1),
  name: 'Grace',
  email: 'grace@example.org',
  avatar: '',
  isYou: false,
};
const draft = {
  fields: {
    ...EMPTY_DRAFT,
    title: 'Lake',
    description: 'For later',
    recipients: [grace],
    dateToUnlock: '2026-06-02',
  },
  files: [{ name: 'a.png', size: MIB, lastModified: 1 }],
  limits: LIMITS,
  now: new Date('2026-06-01T12:00:00Z'),
  timeZone: 'UTC',
};

describe('checkDraft', () => {
  it('finds nothing wrong with what can be sealed', () => {
    expect(checkDraft(draft)).toBeNull();
  });

  it('asks for a later day once the chosen one has come where the person is', () => {
    const there = { ...draft, timeZone: 'Pacific/Kiritimati' };
    expect(checkDraft(there)?.errors).toEqual({
      dateToUnlock: 'Please choose an unlock date after today.',
    });
  });

  it('names each field that the server would refuse', () => {
    const fields = { ...draft.fields, title: 'x'.repeat(201) };
    expect(checkDraft({ ...draft, fields })?.errors).toEqual({
      title: 'Title must be at most 200 characters',
    });
  });

  it.each([
    ['one file', [{ name: 'a', size: 3 * MIB, lastModified: 1 }]],
    ['all together', [1, 2].map((n) => ({ name: `${n}`, size: 1.8 * MIB, lastModified: n }))],
    ['their number', [1, 2, 3].map((n) => ({ name: `${n}`, size: 1, lastModified: n }))],
  ])('says what fits when %s is too much, where the limits are known', (_, files) => {
    expect(checkDraft({ ...draft, files })?.errors.files).toMatch(
      /^Images, videos and PDF\. Up to/,
    );
    expect(checkDraft({ ...draft, files, limits: null })).toBeNull();
  });
});
