import { expect, test } from 'vitest';
import type { DraftContent, DraftFile } from '../../shared/api/drafts.ts';
import { mergeDraft, takeVersion } from './merge-draft.ts';
import { EMPTY_DRAFT } from './tables.ts';

const WHO = { writtenOn: 'Chrome on Android', writtenAt: '2026-06-14T20:00:00Z' };
const REVISION = { revision: 7, ...WHO };

function content(
  fields: Partial<DraftContent['fields']> = {},
  rest: Partial<Omit<DraftContent, 'fields'>> = {},
): DraftContent {
  return { fields: { ...EMPTY_DRAFT, ...fields }, files: [], otherVersions: [], ...rest };
}

function file(name: string): DraftFile {
  return {
    id: `00000000-0000-4000-8000-${name.padStart(12, '0')}`,
    name,
    type: 'image/png',
    bytes: 1,
  };
}

function person(name: string) {
  return { id: name, name, email: `${name}@example.com`, avatar: '', isYou: false };
}

test('fields that only one side changed come together', () => {
  const base = content({ title: 'For Mia', personalMessage: 'Dear' });
  const mine = content({ title: 'For Mia, at 18', personalMessage: 'Dear' });
  const theirs = content({
    title: 'For Mia',
    personalMessage: 'Dear Mia',
    dateToUnlock: '2040-01-01',
  });
  expect(mergeDraft(base, mine, theirs, REVISION)).toEqual(
    content({ title: 'For Mia, at 18', personalMessage: 'Dear Mia', dateToUnlock: '2040-01-01' }),
  );
});

test('a text that both changed stays here, and the other one is kept with who wrote it', () => {
  const base = content({ personalMessage: 'Dear' });
  const merged = mergeDraft(
    base,
    content({ personalMessage: 'Dear Mia' }),
    content({ personalMessage: 'Dear child', title: 'A title' }),
    REVISION,
  );
  expect(merged.fields).toMatchObject({ personalMessage: 'Dear Mia', title: 'A title' });
  const { revision: id, ...who } = REVISION;
  expect(merged.otherVersions).toEqual([{ id, fields: { personalMessage: 'Dear child' }, ...who }]);
});

test('the same words are no conflict, and a text that was emptied gives way to a written one', () => {
  const base = content({ title: 'Old', personalMessage: 'Old' });
  const same = content({ title: 'New', personalMessage: '' });
  const theirs = content({ title: 'New', personalMessage: 'Newer' });
  expect(mergeDraft(base, same, theirs, REVISION)).toEqual(
    content({ title: 'New', personalMessage: 'Newer' }),
  );
  // Emptied here, untouched there: it stays empty.
  expect(mergeDraft(base, content(), base, REVISION)).toEqual(content());
});

test('what either added to a list is in, and what either removed is out', () => {
  const base = content(
    { recipients: [person('a'), person('b')] },
    { files: [file('1'), file('2')] },
  );
  const mine = content(
    { recipients: [person('b'), person('c')] },
    { files: [file('2'), file('3')] },
  );
  const theirs = content(
    { recipients: [person('a'), person('d')] },
    { files: [file('4'), file('1')] },
  );
  const merged = mergeDraft(base, mine, theirs, REVISION);
  expect(merged.fields.recipients.map(({ name }) => name)).toEqual(['d', 'c']);
  expect(merged.files.map(({ name }) => name)).toEqual(['4', '3']);
});

test('a version that was let go on one side stays gone, and merging again adds nothing', () => {
  const version = {
    id: 3,
    fields: { title: 'Other' },
    writtenOn: '',
    writtenAt: REVISION.writtenAt,
  };
  const base = content({}, { otherVersions: [version] });
  expect(mergeDraft(base, content(), base, REVISION).otherVersions).toEqual([]);
  const [mine, theirs] = [content({ title: 'Mine' }), content({ title: 'Theirs' })];
  const once = mergeDraft(null, mine, theirs, REVISION);
  expect(mergeDraft(null, once, theirs, REVISION)).toEqual(once);
});

test('taking another version makes one of what stood here, and a merge does not undo that', () => {
  const version = { id: 7, fields: { personalMessage: 'Dear child' }, ...WHO };
  const base = content({ title: 'Mia', personalMessage: 'Dear Mia' }, { otherVersions: [version] });
  const now = new Date('2026-06-15T08:00:00.000Z');
  const taken = takeVersion(base, version, now);
  expect(taken.fields).toMatchObject({ title: 'Mia', personalMessage: 'Dear child' });
  const replaced = {
    id: -now.getTime(),
    fields: { personalMessage: 'Dear Mia' },
    writtenOn: '',
    writtenAt: '2026-06-15T08:00:00.000Z',
  };
  expect(taken.otherVersions).toEqual([replaced]);

  const theirs = { ...base, fields: { ...base.fields, title: 'For Mia' } };
  const merged = mergeDraft(base, taken, theirs, { ...REVISION, revision: 8 });
  expect(merged.fields).toMatchObject({ title: 'For Mia', personalMessage: 'Dear child' });
  expect(merged.otherVersions).toEqual([replaced]);

  const there = content({ personalMessage: 'Dear Mia' }, { otherVersions: [version] });
  const empty = { ...there, fields: { ...there.fields, personalMessage: ' ' } };
  expect(takeVersion(empty, version, now).otherVersions).toEqual([]);
});
