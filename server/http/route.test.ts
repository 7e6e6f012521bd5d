import { expect, it } from 'vitest';
import { loginSchema, registerSchema } from '../../shared/api/auth.ts';
import { newCapsuleSchema } from '../../shared/api/new-capsule.ts';
import { profileUpdateSchema, searchRecipient } from '../../shared/api/user.ts';
import type { ErrorCode } from '../../shared/error-body.ts';
import { ERRORS } from '../../shared/errors.ts';
import { processorMs } from '../../tests/support/processor-time.ts';
import { parse, parseJson } from './route.ts';

/** The most that the part `capsule` may have, which is 25 times what any other body may. */
const BYTES = 409_600;

/** A body that begins and ends like this, as long as may be with so many of `filling` in between. */
const body = (begin: string, filling: string, end = '') =>
  begin +
  filling.repeat((BYTES - Buffer.byteLength(begin + end)) / Buffer.byteLength(filling)) +
  end;

const valid = {
  title: 'To you',
  description: 'A letter',
  dateToUnlock: '2030-01-01',
  recipientEmails: ['ada@example.org'],
};

/** A capsule with this text in place of the value of one field. */
function field(name: string, begin: string, filling: string, end: string): string {
  const [before = '', after = ''] = JSON.stringify({ ...valid, [name]: '?' }).split('"?"');
  return body(before + begin, filling, end + after);
}

const accents = `"a${'\u0301\u0327'.repeat(100)}",`;

it.each([
  ['a string that is never closed', body('"', '\\"')],
  ['one with backslashes', body('"', '\\')],
  ['one beside another', body('"', '\\""')],
  ['strings of one character', body('[', '"a",', '"a"]')],
  ['opening brackets', body('', '[')],
  ['closing brackets', body('', ']')],
  ['brackets in turn', body('', '[]')],
  ['objects within each other', body('', '{"a":')],
  ['one long number', body('[', '9', ']')],
  ['many keys', body('{', '"":0,', '"":0}')],
  ['spaces', body('', ' ')],
  ['nulls', body('', '\0')],
  ['a list of lists', field('recipientEmails', '[', '[],', '[]]')],
  ['a list of texts', field('recipientEmails', '[', '"",', '""]')],
  ['a list of addresses', field('recipientEmails', '[', '"a@b.cd",', '"a@b.cd"]')],
  ['a list of ids', field('uploads', '[', '0,', '0]')],
  ['an address of one character', field('recipientEmails', '["', 'a', '"]')],
  ['an address of @', field('recipientEmails', '["', '@', '"]')],
  ['an address of dots', field('recipientEmails', '["a@', 'a.', '"]')],
  ['an address of accents', field('recipientEmails', '["a', '\u0301\u0327', '"]')],
  ['a thousand addresses of accents', field('recipientEmails', '[', accents, `${accents}""]`)],
  ['a title of spaces', field('title', '"a', ' ', 'a"')],
  ['a title of accents', field('title', '"a', '\u0301\u0327', '"')],
  ['a time zone without end', field('timeZone', '"', 'Europe/', '"')],
  ['a day without end', field('dateToUnlock', '"', '2030-01-', '"')],
])('%s: read or refused within 50 ms', (_what, text) => {
  expect(processorMs(() => parse(newCapsuleSchema, parseJson(text)))).toBeLessThan(50);
});

it.each([
  ['registering', registerSchema, ['name', 'email', 'password']],
  ['signing in', loginSchema, ['email', 'password']],
  ['a profile', profileUpdateSchema, ['name', 'bio']],
  ['a search', searchRecipient.query, ['query']],
])('%s: each field of odd characters is read or refused within 50 ms', (_what, schema, names) => {
  const odd = ['\u0301\u0327', ' a', '@a.', '\u200D', '\u{1F468}\u200D', 'ب\u064B\u200C'];
  for (const characters of odd) {
    const text = `a${characters.repeat(BYTES / Buffer.byteLength(characters))}`;
    for (const name of names) {
      const one = { name: 'Ada', email: 'ada@example.org', password: 'secret', [name]: text };
      expect(processorMs(() => schema && parse(schema, one))).toBeLessThan(50);
    }
  }
});

it('names the limit of a list, and looks at no more than a thousand of its values', () => {
  const refusal = (count: number) => {
    const recipientEmails = Array.from({ length: count }, (_, n) => `a${n}@example.org`);
    try {
      parse(newCapsuleSchema, parseJson(JSON.stringify({ ...valid, recipientEmails })));
    } catch (error) {
      return (error as Error).message;
    }
    return null;
  };
  expect(refusal(50)).toBeNull();
  expect(refusal(51)).toBe('A capsule can have at most 50 recipients');
  expect(refusal(900)).toBe('A capsule can have at most 50 recipients');
  expect(refusal(10_000)).toBe(messageOf('MALFORMED_BODY'));
});

it.each(['', '"', '"\\', '"\\"', '[', '{"a":', '"a', 'a'])('refuses %j as malformed', (text) => {
  expect(() => parseJson(text)).toThrow(messageOf('MALFORMED_BODY'));
});

it('is not misled by brackets and quotation marks in a text', () => {
  const value = { text: `\\"${'[{'.repeat(100)}\\\\`, list: [['"'], ['\\']] };
  expect(parseJson(JSON.stringify(value))).toEqual(value);
});

function messageOf(code: ErrorCode): string {
  return ERRORS[code][1];
}
