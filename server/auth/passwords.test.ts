import { hash } from '@node-rs/argon2';
import { expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';

const COMPOSED = 'zwölf Élan 각'.normalize('NFC');
const DECOMPOSED = COMPOSED.normalize('NFD');
const passwords = createPasswords();

it('a password is the same however its accents are typed, and no other one is', async () => {
  for (const set of [COMPOSED, DECOMPOSED]) {
    const stored = await passwords.hash(set);
    for (const typed of [COMPOSED, DECOMPOSED]) {
      expect(await passwords.verify(stored, typed)).toBe(true);
      expect(await passwords.verify(null, typed)).toBe(false);
    }
    expect(await passwords.verify(stored, 'zwolf Elan 각')).toBe(false);
    expect(await passwords.verify(stored, COMPOSED.normalize('NFKD').toUpperCase())).toBe(false);
  }
});

it('a hash of what an earlier version was sent fits that still', async () => {
  const stored = await hash(DECOMPOSED);
  expect(await passwords.verify(stored, DECOMPOSED)).toBe(true);
});
