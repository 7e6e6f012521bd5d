import { createHash, randomBytes } from 'node:crypto';

/** So many people that none of them meets a limit. */
export const PEOPLE = 200;
/** That each of them has at first, all to themself. The newest is open and has a photo. */
export const CAPSULES = 20;

/** Begins as a photo does. Like one, it can't be compressed. */
export const PHOTO = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  randomBytes(1_048_576 - 20),
]);

export const LETTER = {
  title: 'To myself',
  description: 'For a day far away.',
  personalMessage: `Dear me${', what was it like'.repeat(50)}?`,
};
export const DAY = '2090-01-01';

/** @throws when these are not the bytes of the photo */
export function expectPhoto(bytes) {
  const [one, other] = [PHOTO, bytes].map((some) =>
    createHash('sha256').update(some).digest('hex'),
  );
  if (one !== other) throw new Error('These are not the bytes that were sent.');
}

/** @throws when a page is not one of six, of at least as many as each person has at first */
export function expectPage(items, total) {
  if (items.length !== 6 || total < CAPSULES) throw new Error(`A page of ${items.length}/${total}`);
  for (const { title } of items) if (!title) throw new Error('A capsule without a title.');
}
