import { describe, expect, it, test } from 'vitest';
import { sampleId } from '../../../tests/support/sample-capsule.ts';
import { EMPTY_DRAFT } from '../../db/tables.ts';
import { checkDraft, stillElsewhere } from './check-draft.ts';

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

  it('takes the last day of the hundred years, and no later one', () => {
    const until = (dateToUnlock: string) =>
      checkDraft({ ...draft, fields: { ...draft.fields, dateToUnlock } })?.errors;
    expect(until('2126-06-01')).toBeUndefined();
    expect(until('2126-06-02')).toEqual({
      dateToUnlock: 'The unlock date can be at most 100 years ahead.',
    });
  });

  it('names each field that the server would refuse', () => {
    const fields = { ...draft.fields, title: 'x'.repeat(201) };
    expect(checkDraft({ ...draft, fields })?.errors).toEqual({
      title: 'Title must be at most 200 characters',
    });
  });

  it.each([
    ['one file', [3], '“1.mov” is larger than 2 MB. Please remove it.'],
    ['several files', [3, 1, 3], '“1.mov”, “3.mov” are larger than 2 MB. Please remove them.'],
    ['all together', [1.8, 1.8], 'All files together are larger than 3 MB. Please remove some.'],
    ['their number', [0.1, 0.1, 0.1], 'A capsule can hold 2 files. Please remove 1.'],
  ])('names what has to go when %s is too much, where the limits are known', (_, sizes, text) => {
    const files = sizes.map((size, at) => ({
      name: `${at + 1}.mov`,
      size: size * MIB,
      lastModified: at,
    }));
    const wrong = { message: text, errors: { files: text } };
    expect(checkDraft({ ...draft, files })).toMatchObject(wrong);
    expect(checkDraft({ ...draft, files, limits: null })).toBeNull();
    const fields = { ...draft.fields, title: 'x'.repeat(201) };
    expect(checkDraft({ ...draft, fields, files })).toMatchObject({
      message: 'Please check the highlighted fields.',
      errors: { files: text },
    });
  });
});

test('says which files are still on another device', () => {
  const file = (name: string, isElsewhere: boolean, hasArrived: boolean) => ({
    ...{ name, isElsewhere, hasArrived },
  });
  const fine = [file('Here.jpg', false, false), file('There.jpg', true, true)];
  expect(stillElsewhere(fine)).toEqual([]);
  expect(stillElsewhere([...fine, file('1.mov', true, false)])).toEqual([
    '“1.mov” is still on your other device. Open the app there, or remove it here.',
  ]);
  expect(stillElsewhere([file('1.mov', true, false), file('2.mov', true, false)])).toEqual([
    '“1.mov”, “2.mov” are still on your other device. Open the app there, or remove them here.',
  ]);
});
