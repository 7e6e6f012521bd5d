import { expect, it } from 'vitest';
import { sampleId } from '../../../tests/support/sample-capsule.ts';
import { withSendableName } from './invitee-names.tsx';

it.each([
  ['Tom', 'Tom', 'Tom'],
  ['\u2066Tom\u200B Lind\u2069 ', 'Tom Lind', 'Tom Lind'],
  // Its spelling needs the one between the letters.
  ['\u200Eعلی\u200Cرضا', 'علی\u200Cرضا', 'علی\u200Cرضا'],
  ['\u200B', '', 'tom'],
])('the invited %j is given %j', (typed, givenName, name) => {
  const invited = { email: 'tom@example.org', avatar: 'T', isYou: false, toInvite: true } as const;
  const person = { ...invited, id: sampleId(1), name: typed, givenName: typed };
  const sendable = withSendableName(person);
  expect([sendable.givenName, sendable.name]).toEqual([givenName, name]);
});
