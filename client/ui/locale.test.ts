import { describe, expect, it } from 'vitest';
import { localeFor } from './locale.ts';

describe('the way dates are written', () => {
  it.each([
    [['en-US', 'de'], 'en-US'],
    [['en-AU'], 'en-AU'],
    [['de-DE', 'en-US'], 'en-GB'],
    [['enm'], 'en-GB'],
    [[], 'en-GB'],
  ])('for a reader of %j is that of %s', (languages, locale) => {
    expect(localeFor(languages)).toBe(locale);
  });
});
