import { expect, test } from 'vitest';
import type { DraftContent, DraftFile } from '../../shared/api/drafts.ts';
import { mergeDraft } from './merge-draft.ts';
import { EMPTY_DRAFT } from './tables.ts';

function content(fields: Partial<DraftContent['fields']> = {}, files: DraftFile[] = []) {
  return { fields: { ...EMPTY_DRAFT, ...fields }, files };
}

function file(name: string): DraftFile {
  const id = `00000000-0000-4000-8000-${name.padStart(12, '0')}`;
  return { id, name, type: 'image/png', bytes: 1 };
}

function person(name: string) {
  return { id: name, name, email: `${name}@example.com`, avatar: '', isYou: false };
}

test('of a title that both have replaced, the later one counts', () => {
  const base = content({ title: 'Letters for you' });
  const mine = content({ title: 'Letters to my daughter' });
  const theirs = content({ title: 'For Grandma' });
  expect(mergeDraft(base, mine, theirs).fields.title).toBe('Letters to my daughter');
  expect(mergeDraft(base, mine, theirs, false).fields.title).toBe('For Grandma');
  expect(mergeDraft(base, base, theirs).fields.title).toBe('For Grandma');
});

test('texts come together word by word', () => {
  const base = content({ title: 'For Mia', personalMessage: 'Dear' });
  const mine = content({ title: 'For Mia, at 18', personalMessage: 'Dear child' });
  const theirs = content({ title: 'For Mia', personalMessage: 'Dear Mia' });
  expect(mergeDraft(base, mine, theirs).fields).toMatchObject({
    title: 'For Mia, at 18',
    personalMessage: 'Dear Mia child',
  });
});

test('of a day and a switch that both have changed, the later one counts', () => {
  const base = content({ dateToUnlock: '2040-01-01' });
  const mine = content({ dateToUnlock: '2041-01-01' });
  const theirs = content({ dateToUnlock: '2042-01-01', notifyRecipient: true });
  const merged = content({ dateToUnlock: '2041-01-01', notifyRecipient: true });
  expect(mergeDraft(base, mine, theirs)).toEqual(merged);
  expect(mergeDraft(base, mine, theirs, false)).toEqual(theirs);
  expect(mergeDraft(theirs, theirs, merged)).toEqual(merged);
});

test('what either added to a list is in, and what either removed is out', () => {
  const base = content({ recipients: [person('a'), person('b')] }, [file('1'), file('2')]);
  const mine = content({ recipients: [person('b'), person('c')] }, [file('2'), file('3')]);
  const theirs = content({ recipients: [person('a'), person('d')] }, [file('4'), file('1')]);
  const merged = mergeDraft(base, mine, theirs);
  expect(merged.fields.recipients.map(({ name }) => name)).toEqual(['d', 'c']);
  expect(merged.files.map(({ name }) => name)).toEqual(['4', '3']);
});

test('a person of a list who was renamed on either side has the new name', () => {
  const [mia, renamed] = [person('mia'), { ...person('mia'), givenName: 'Mia Becker' }];
  const [before, after] = [content({ recipients: [mia] }), content({ recipients: [renamed] })];
  const other = content({ title: 'For Mia', recipients: [{ ...mia }] });
  expect(mergeDraft(before, after, other).fields.recipients).toEqual([renamed]);
  expect(mergeDraft(before, other, after).fields.recipients).toEqual([renamed]);
});
