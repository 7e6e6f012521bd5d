import { expect, test } from 'vitest';
import { sampleId } from '../../../tests/support/sample-capsule.ts';
import type { Contribution } from '../../db/contributions.ts';
import { contentOf } from '../../db/draft-account.ts';
import { type Attachment, EMPTY_DRAFT } from '../../db/tables.ts';
import { stateOf } from './part-words.ts';

const adding = { token: 't', secret: 's', organiser: 'Anna Lind', title: 'For Mia' };
const draft = {
  ...{ id: sampleId(1), updatedAt: 2, adding },
  fields: { ...EMPTY_DRAFT, title: 'Karl', personalMessage: 'My blessing' },
};
const lake: Attachment = {
  ...{ id: sampleId(2), capsuleId: draft.id, name: 'lake.jpg', type: 'image/jpeg', bytes: 9 },
  ...{ lastModified: 1, addedAt: 1, thumbnail: null, complete: true, announced: true },
};

/** As the server has it. */
function sent(change: Partial<Contribution['draft']> = {}, files: Attachment[] = []): Contribution {
  const account = { revision: 1, content: contentOf(draft, files) };
  return { draft: { ...draft, account, ...change }, files };
}

const over = (outcome: 'sealed' | 'late' | 'gone') =>
  sent({ onlyHere: true, adding: { ...adding, outcome } });
const situation = { who: 'Anna', isOnline: true, sendsWhenClosed: true };
const offline = { ...situation, isOnline: false };

test.each<[string, string, Contribution, typeof situation?]>([
  ['Sending…', 'This usually', { draft, files: [] }],
  ['Waiting to be sent', 'You can close this page.', { draft, files: [] }, offline],
  [
    'Waiting to be sent',
    'Please open this page again then.',
    { draft, files: [] },
    { ...offline, sendsWhenClosed: false },
  ],
  ['Anna has it', 'not even Anna', sent()],
  ['They have it', 'not even who asked you', sent(), { ...situation, who: 'They' }],
  ['Anna has your words', '1 file is still on the way', sent({}, [lake])],
  ['Anna has it', 'not even Anna', sent({}, [{ ...lake, hasArrived: true }])],
  [
    'Anna has it',
    'Your last changes go as soon as',
    sent({ fields: { ...draft.fields, personalMessage: 'My blessing, and more' } }),
    offline,
  ],
  [
    "There's nothing to send",
    'Anna still has what you sent before.',
    sent({ fields: { ...draft.fields, title: '' } }),
  ],
  [
    'Anna has your words',
    "There's no room. Nothing is lost.",
    sent({
      account: { revision: 1, content: contentOf(draft, []), refusal: "There's no room." },
    }),
  ],
  [
    'Waiting to be taken back',
    'Anna still has it',
    sent({ onlyHere: true, adding: { ...adding, isTakenBack: true } }),
  ],
  ['Sealed', "It can't be changed now.", over('sealed')],
  ['It came too late', 'What you wrote is still here', over('late')],
  ["It isn't there any more", 'Anna removed it', over('gone')],
])('says “%s”: %s', (title, text, one, how = situation) => {
  const said = stateOf(one, how);
  expect(said.title).toBe(title);
  expect(said.text).toContain(text);
});

test('of what is sealed it names the files that came too late', () => {
  const one = sent({ onlyHere: true, adding: { ...adding, outcome: 'sealed' } }, [lake]);
  expect(stateOf(one, situation).text).toContain('“lake.jpg” came too late.');
});
