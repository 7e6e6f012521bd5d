import { describe, expect, it, test } from 'vitest';
import { sampleId } from '../../../tests/support/sample-capsule.ts';
import { EMPTY_DRAFT } from '../../db/tables.ts';
import { checkDraft, stillElsewhere } from './check-draft.ts';

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
