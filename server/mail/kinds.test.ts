import { expect, it } from 'vitest';
import { kindsWith } from './kinds.ts';

it('only where a new link ends the one before, another attempt is another email', () => {
  // The others go under the key of their first attempt, so that a lost answer sends none of them twice.
  expect(kindsWith({ textVaries: true })).toEqual(['verify-email', 'password-reset']);
});
