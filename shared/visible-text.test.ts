import { expect, it } from 'vitest';
import {
  forTerminal,
  hasInvisible,
  hidesCharacters,
  isBlank,
  withoutHidden,
} from './visible-text.ts';

const WALES = '🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}';

it.each([
  'Ada Lovelace',
  'Zoë',
  "Mary-Jane O'Neil 3rd",
  'Sinhala ශ්\u200Dරී',
  'Persian علی\u200Cرضا',
  'Devanagari क्\u200Cष',
  '👩\u200D👩\u200D👧\u200D👦',
  '👩🏽\u200D💻 and 🧔🏿\u200D♂\uFE0F',
  '❤\uFE0F',
  '🏳\uFE0F\u200D🌈',
  '5\uFE0F\u20E3',
  `${WALES} and 🇩🇪`,
])('a name may be %s', (name) => {
  expect(hidesCharacters(name)).toBe(false);
  expect(isBlank(name)).toBe(false);
  expect(withoutHidden(name)).toBe(name);
});

it.each([
  ['a zero-width space', 'Ada\u200B'],
  ['a joiner between Latin letters', 'A\u200Dda'],
  ['a non-joiner after an Arabic letter that connects to nothing', 'ر\u200Cا'],
  ['a joiner that joins nothing', '👩\u200D'],
  ['a second variation selector', '❤\uFE0F\uFE0F'],
  ['a variation selector on a letter', 'A\uFE0Fda'],
  ['a direction', '\u202Eada'],
  ['an isolate', '\u2066Ada\u2069'],
  ['a soft hyphen', 'A\u00ADda'],
  ['a byte order mark', 'A\uFEFFda'],
  ['a combining grapheme joiner', 'A\u034Fda'],
  ['a Hangul filler', 'Ada\u3164'],
  ['a region that is no flag', '🏴\u{E0061}\u{E0064}\u{E0061}\u{E007F}'],
  ['letters of tags', 'Ada\u{E0041}'],
])('a name may not hold %s', (_what, name) => {
  expect(hidesCharacters(name)).toBe(true);
  const visible = withoutHidden(name);
  expect([hidesCharacters(visible), isBlank(visible)]).toEqual([false, false]);
});

it.each(['', '\u2800', '\u3164', '\u00A0\u2003', '\u0301', '\u200B'])('%j is blank', (name) => {
  expect(isBlank(name)).toBe(true);
});

it.each(['.', '🙂', '李', '\u0301a'])('%j is not blank', (name) => {
  expect(isBlank(name)).toBe(false);
});

it('an address may hold none of them, not even those that a name may need', () => {
  expect(hasInvisible('ada@example.org')).toBe(false);
  expect(hasInvisible('zoë@exämple.org')).toBe(false);
  for (const hidden of ['\u200B', '\u200D', '\u202E', '\uFE0F', '\u3164', '\u00AD']) {
    expect(hasInvisible(`a${hidden}da@example.org`)).toBe(true);
  }
});

it.each([
  ['a\u001B]0;owned\u0007\u001B[2Jb.png', 'a\\u001b]0;owned\\u0007\\u001b[2Jb.png'],
  ['\u009B2J', '\\u009b2J'],
  ['gpj.\u202Eexe', 'gpj.\\u202eexe'],
  ['\u{E0041}', '\\udb40\\udc41'],
  ['one\ntwo\r', 'one\ntwo\\u000d'],
  ['👨‍👩‍👧 Łódź 湖 علی‌رضا', '👨‍👩‍👧 Łódź 湖 علی‌رضا'],
])('a terminal shows %j, and does nothing else', (text, shown) => {
  expect(forTerminal(text)).toBe(shown);
});
