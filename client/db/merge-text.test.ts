import { expect, it, test } from 'vitest';
import { chanceOf } from '../../tests/support/chance.ts';
import { mergeText } from './merge-text.ts';

const EXAMPLES: [what: string, base: string, one: string, other: string, merged: string][] = [
  ['one side alone', 'Dear Mia', 'Dear Mia', 'My dear Mia', 'My dear Mia'],
  [
    'other words',
    'Dear Mia, love',
    'Dearest Mia, love',
    'Dear Mia, much love',
    'Dearest Mia, much love',
  ],
  ['both at the end', 'Dear', 'Dear Mia', 'Dear child', 'Dear Mia child'],
  ['both at the beginning', 'Mia', 'Dear Mia', 'Sweet Mia', 'Dear Sweet Mia'],
  ['both begin', '', 'Dear', 'Mia', 'Dear Mia'],
  ['the same twice', 'Dear', 'Dear Mia', 'Dear Mia', 'Dear Mia'],
  ['the same and more', 'Dear', 'Dear Mia, hello', 'Dear Mia,', 'Dear Mia, hello'],
  ['one word, both replaced', 'a house here', 'a home here', 'a hut here', 'a home hut here'],
  ['deleted, and changed', 'a small house', 'a house', 'a tiny house', 'a tiny house'],
  ['a paragraph deleted, a word in it changed', 'A\nb c d\nE', 'A\n\nE', 'A\nb x d\nE', 'A\n x\nE'],
  [
    'a word half typed, and what follows it',
    'Dear Mi',
    'Dear Mia',
    'Dear Mi hello',
    'Dear Mia hello',
  ],
  ['two paragraphs', 'A', 'A\n\nOne.', 'A\n\nTwo.', 'A\n\nOne.\n\nTwo.'],
  ['two paragraphs in front', 'A', 'One.\n\nA', 'Two.\n\nA', 'One.\n\nTwo.\n\nA'],
  ['a space and a word', 'Dear', 'Dear ', 'Dear Mia', 'Dear Mia '],
  ['the first word deleted, another put before it', 'a b', 'b', 'x a b', 'x b'],
  ['a comma and a word', 'Dear Mia', 'Dear Mia,', 'Dear Mia love', 'Dear Mia, love'],
  ['no spaces', '我爱你', '我很爱你', '我爱你们', '我很爱你们'],
  ['emptied, and written', 'Old words', '', 'Old words, new', ' words, new'],
  ['emptied', 'Old words', '', 'Old words', ''],
];

it.each(EXAMPLES)('%s', (_, base, one, other, merged) => {
  expect(mergeText(base, one, other).text).toBe(merged);
  expect(mergeText(base, other, one).text).toBe(merged);
});

const CARETS: [base: string, mine: string, theirs: string, merged: string][] = [
  ['Dear', 'Dear Mi|', 'Dear child', 'Dear Mi| child'],
  ['Dear', 'Dear chi|', 'Dear Aunt', 'Dear Aunt chi|'],
  ['one two', 'one t|wo', 'zero one two', 'zero one t|wo'],
  ['one two', 'one two|', 'one 1.5 two 3', 'one 1.5 two| 3'],
  ['one two', '|one two', 'zero one two', '|zero one two'],
  ['one two three', 'one tw|o three', 'one three', 'one| three'],
  ['', '|', 'Dear', '|Dear'],
];

it.each(CARETS)('the caret stays in its word: %j, %j and %j', (base, mine, theirs, wanted) => {
  const { text, moved } = mergeText(base, mine.replace('|', ''), theirs);
  const caret = moved(mine.indexOf('|'));
  expect(`${text.slice(0, caret)}|${text.slice(caret)}`).toBe(wanted);
});

test('by chance: nothing written is lost or doubled, nothing deleted is back, and both ends agree', () => {
  for (let seed = 0; seed < 1_000; seed += 1) {
    const chance = chanceOf(`merge ${seed}`);
    let count = 0;
    const word = () => {
      count += 1;
      return `w${count}.`;
    };
    const base = Array.from({ length: chance.whole(0, 30) }, () =>
      chance.happens(0.1) ? '\n' : word(),
    );
    const edit = () => {
      const words = [...base];
      for (let edits = chance.whole(0, 6); edits > 0; edits -= 1) {
        const at = chance.whole(0, words.length);
        const isIn = chance.happens(0.6);
        words.splice(at, isIn ? 0 : chance.whole(1, 4), ...(isIn ? [word(), word()] : []));
      }
      return words;
    };
    const [one, other] = [edit(), edit()];
    const texts = [base, one, other].map((words) => words.join(' ')) as [string, string, string];
    const { text } = mergeText(...texts);
    expect(text).toBe(mergeText(texts[0], texts[2], texts[1]).text);
    const isWanted = (name: string) =>
      base.includes(name) ? one.includes(name) && other.includes(name) : true;
    const wanted = new Set(
      [...base, ...one, ...other].filter((name) => name !== '\n' && isWanted(name)),
    );
    expect([seed, text.split(/\s+/).filter(Boolean).toSorted()]).toEqual([
      seed,
      [...wanted].toSorted(),
    ]);
    // Merging again changes nothing.
    expect(mergeText(texts[2], text, texts[2]).text).toBe(text);
    expect(mergeText(texts[1], texts[1], text).text).toBe(text);
  }
});

/** Work that grows with the square of the length took 24 s; what grows with it takes half a second. */
const LONG = { timeout: 10_000 };

test('a long letter takes no time, even where the two have nothing in common', LONG, () => {
  const letter = (name: string) => Array.from({ length: 9_000 }, (_, at) => `${name}${at % 900}`);
  const base = letter('a');
  const one = base.map((word, at) => (at % 100 === 7 ? `${word}!` : word));
  const near = mergeText(base.join(' '), one.join(' '), `${base.join(' ')} end`).text;
  expect(near).toBe(`${one.join(' ')} end`);
  const far = mergeText(base.join(' '), letter('b').join(' '), letter('c').join(' ')).text;
  expect(far).toBe(`${letter('b').join(' ')}\n${letter('c').join(' ')}`);
  const lines = ['a', 'b', 'c'].map((name) => letter(name).join('\n')) as [string, string, string];
  expect(mergeText(...lines).text.split('\n')).toHaveLength(18_000);
});

test('the longest letter, changed at both ends, takes no time', LONG, () => {
  const base = 'Dear Mia, '.repeat(26_000);
  expect(mergeText(base, `My ${base}`, `${base}Love`).text).toBe(`My ${base}Love`);
});
