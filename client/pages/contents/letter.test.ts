import { describe, expect, it } from 'vitest';
import { salutation } from './letter.tsx';

const me = { name: 'Ada Lovelace', email: 'ada@example.org', isYou: true };
const mia = { name: 'Mia Becker', email: 'mia@example.org', isYou: false };
const tom = { name: ' Tom ', email: 'tom@example.org', isYou: false };

describe('the salutation of a letter', () => {
  it('names whom the letter is for, by first name', () => {
    expect(salutation([mia])).toBe('Dear Mia,');
    expect(salutation([mia, tom])).toBe('Dear Mia and Tom,');
    expect(salutation([mia, tom, mia])).toBe('Dear all,');
  });

  it('names the writer only when the letter is for nobody else', () => {
    expect(salutation([me])).toBe('Dear me,');
    expect(salutation([me, mia])).toBe('Dear Mia,');
    expect(salutation([])).toBe('Dear you,');
    // Whom a link is for is known by name alone.
    expect(salutation([{ name: 'Mia Becker' }])).toBe('Dear Mia,');
  });

  it('does not make a name of an address', () => {
    const email = 'rose.miller@example.org';
    const invited = { name: 'rose.miller', email, isYou: false, isInvited: true };
    expect(salutation([invited])).toBe('Dear you,');
    expect(salutation([me, invited, mia])).toBe('Dear all,');
    expect(salutation([{ ...invited, name: 'Rose Miller' }, mia])).toBe('Dear Rose and Mia,');
  });
});
