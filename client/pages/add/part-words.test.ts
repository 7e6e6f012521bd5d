import { expect, test } from 'vitest';
import { sampleId } from '../../../tests/support/sample-capsule.ts';
import { type Contribution, newContribution } from '../../db/contributions.ts';
import type { Attachment, ContributionRow } from '../../db/tables.ts';
import { purposeText, stateOf, takeBackText, UNKNOWN } from './part-words.ts';

const fields = { name: 'Karl', letter: 'My blessing' };
const row: ContributionRow = { ...newContribution(sampleId(1), 't'), fields, state: 'given' };
const lake: Attachment = {
  ...{ id: sampleId(2), name: 'lake.jpg', type: 'image/jpeg', bytes: 9, lastModified: 1 },
  ...{ thumbnail: null, complete: true, announced: true },
};
const elsewhere: Attachment = { ...lake, complete: false, isElsewhere: true };
const given: Contribution = { row, files: [] };

/** As the server has it. */
function sent(change: Partial<ContributionRow> = {}, files: Attachment[] = []): Contribution {
  const named = files.map(({ id, name, type, bytes }) => ({ id, name, type, bytes }));
  const known = { ...fields, files: named, revision: 1 };
  return { row: { ...row, known, ...change }, files };
}

const over = (state: 'sealed' | 'late' | 'gone' | 'ended') => sent({ state });
const situation: Parameters<typeof stateOf>[1] = {
  who: 'Anna',
  isOnline: true,
  sendsWhenClosed: true,
};
const offline = { ...situation, isOnline: false };

test.each<[string, string, Contribution, typeof situation?]>([
  ['Sending…', 'This usually', given],
  ['Waiting to be sent', 'You can close this page.', given, offline],
  [
    'Waiting to be sent',
    'Please open this page again then.',
    given,
    { ...offline, sendsWhenClosed: false },
  ],
  ['Sent to Anna', 'not even Anna', sent()],
  ['Sent to whoever sent the link', 'not even whoever', sent(), { ...situation, who: UNKNOWN }],
  ['Anna has your words', '1 file is still on the way', sent({}, [lake])],
  ['Sent to Anna', 'not even Anna', sent({}, [{ ...lake, hasArrived: true }])],
  [
    'Sent to Anna',
    'Your last changes go as soon as',
    sent({ fields: { ...fields, letter: 'My blessing, and more' } }),
    offline,
  ],
  [
    "There's nothing to send",
    'Anna still has what you sent before.',
    sent({ fields: { ...fields, name: '' } }),
  ],
  [
    'Anna has your words',
    "There's no room. Nothing is lost.",
    sent({}, [{ ...lake, refused: { message: "There's no room.", at: 1 } }]),
  ],
  [
    'Anna has your words',
    "“lake.jpg” can't be read. Please add it again or remove it.",
    { ...sent(), files: [{ ...lake, complete: false, lost: true }] },
  ],
  [
    'Anna has your words',
    "“lake.jpg” didn't come from your other device. Please remove it here and add it again.",
    sent({}, [elsewhere]),
  ],
  [
    'Anna has your words',
    "“lake.jpg” hasn't come from your other device yet. Please keep the page open there.",
    sent({ newSecret: 's' }, [elsewhere]),
  ],
  ['Sent to Anna', 'not even Anna', sent({}, [{ ...elsewhere, hasArrived: true }])],
  ['Waiting to be taken back', 'Anna still has it', sent({ state: 'taken-back' })],
  ['Sealed', "It's in, and nobody can read it before its day. It can't be", over('sealed')],
  [
    'Sealed',
    "before its day. When you added this, it was to open on 28 November 2026. It can't be changed now.",
    over('sealed'),
    { ...situation, day: '2026-11-28' },
  ],
  ['It came too late', 'Please ask Anna. What you wrote is still here', over('late')],
  ["It isn't there any more", 'Anna removed it', over('gone')],
  [
    "This link doesn't work any more",
    'Ask Anna for a new link. What you wrote is safe in this browser.',
    over('ended'),
  ],
])('says “%s”: %s', (title, text, one, how = situation) => {
  const said = stateOf(one, how);
  expect(said.title).toBe(title);
  expect(said.text).toContain(text);
});

test('of what is sealed it names the files that came too late', () => {
  const one = sent({ state: 'sealed' }, [lake]);
  expect(stateOf(one, situation).text).toContain('“lake.jpg” came too late.');
});

test('before it is taken back it names the files that would not stay', () => {
  expect(takeBackText([lake])).toBe(
    'What you wrote stays in this browser until you delete it there.',
  );
  expect(takeBackText([{ ...lake, isElsewhere: true }])).toBe(
    'What you wrote stays in this browser until you delete it there, but not “lake.jpg”, which came from another device.',
  );
});

const link = {
  organiser: 'Anna Becker',
  title: '',
  words: '',
  until: null,
  maxFileMB: 1,
  maxMB: 1,
};
const soon = { dateToUnlock: '2999-11-30' };

test.each([
  [{ recipientNames: ['Mia'], ...soon }, ' for Mia. It opens on 30 November 2999.'],
  [{ recipientNames: ['Mia', 'Tom'] }, ' for Mia and Tom.'],
  [{ recipientNames: ['Mia', 'Tom', 'Per'] }, ' for Mia, Tom and 1 other.'],
  [{ recipientNames: ['A', 'B', 'C', 'D'], dateToUnlock: '' }, ' for A, B and 2 others.'],
  [{ recipientNames: [], ...soon }, '. It opens on 30 November 2999.'],
  // A surprise, a server of before, and a day that is over.
  [{}, '.'],
  [{ recipientNames: ['Mia'], dateToUnlock: '2020-01-01' }, ' for Mia.'],
])('says what a link asks for: %j', (facts, text) => {
  const said = purposeText({ ...link, ...facts });
  expect(said).toBe(`Anna Becker is making a time capsule${text}`);
});
