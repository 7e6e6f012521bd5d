import { describe, expect, it } from 'vitest';
import { letterText } from './letter-text.ts';

describe('the length of a letter', () => {
  it('is counted in words', () => {
    expect(letterText('')).toBe('No letter yet');
    expect(letterText(' \n ')).toBe('No letter yet');
    expect(letterText('Hello')).toBe('1 word');
    expect(letterText("Dear Mia,\n\nit's cold.")).toBe('4 words');
  });
});
