import { beforeEach, expect, it } from 'vitest';
import type { CapsuleType, CapsuleView } from '../../../shared/api/capsules.ts';
import { type Person, sharedMailWorld } from '../../../tests/support/mail-world.ts';
import { searchCapsules } from './capsule-search.ts';

const { database, world } = sharedMailWorld();
let ada: Person;
let mia: Person;
let titles: Map<string, string>;
beforeEach(async () => {
  ada = await world.addPerson('Ada Lovelace', { email: 'ada@example.org' });
  mia = await world.addPerson('Mía Ørsted', { email: 'mia_o@example.org' });
  titles = new Map();
});

async function seal(from: Person, to: Person[], title: string, more: object = {}) {
  const { id } = await world.addCapsule(from, to, { title, ...more });
  titles.set(id, title);
}

/** The titles that are found. A list of any length finds the same, though by another statement. */
async function find(
  who: Person,
  text: string,
  { type = 'created', view = 'newest' }: { type?: CapsuleType; view?: CapsuleView } = {},
) {
  const list = { type, view, hidden: false, now: world.deps.clock.now(), text };
  const search = (length: number) =>
    searchCapsules(database.db, who.id, { ...list, length }, { offset: 0, limit: 50 });
  const long = await search(20_000);
  expect(long).toEqual(await search(20));
  expect(long.ids).toHaveLength(long.total);
  return long.ids.map((id) => titles.get(id)).sort();
}

it.each([
  ['the middle of a title, in any case', 'NDPA', ['Grandpa']],
  ['the description', 'attic', ['Grandpa']],
  ['a name, in any case', 'mía ør', ['To Mia']],
  ['an address', 'mia_o@exa', ['To Mia']],
  [
    'the own name, of all that are created',
    'lovelace',
    ['100% sure', 'Grandpa', 'To Mia', 'a_b\\c'],
  ],
  ['a percent sign', '100% s', ['100% sure']],
  ['nothing but a percent sign', '%', ['100% sure']],
  ['an underscore', 'a_b', ['a_b\\c']],
  ['an underscore, in an address as well', '_', ['To Mia', 'a_b\\c']],
  ['a backslash', 'b\\c', ['a_b\\c']],
  ['two characters', 'dp', ['Grandpa']],
  ['one character', 'ø', ['To Mia']],
  ['the end of a title and the beginning of its description', 'Grandpa From', []],
  ['what is in the message only', 'canary', []],
  ['what is nowhere', 'nowhere', []],
])('finds %s', async (_what, text, found) => {
  await seal(ada, [ada], 'Grandpa', { description: 'From the attic' });
  await seal(ada, [ada, mia], 'To Mia');
  await seal(ada, [ada], '100% sure');
  await seal(ada, [ada], 'a_b\\c');
  await seal(mia, [mia], 'Grandpa of somebody else, 100% sure');
  expect(await find(ada, text)).toEqual(found);
});

it('finds what was received, by its sender as well, and by one who has left', async () => {
  const tim = await world.addPerson('Tim', { email: 'tim@example.org' });
  await seal(ada, [mia, tim], 'One');
  await seal(tim, [mia], 'Two');
  await seal(tim, [mia], 'Three', { creatorId: null, departedCreator: 'Grandmother' });
  const received = { type: 'received' } as const;
  expect(await find(mia, 'lovelace', received)).toEqual(['One']);
  expect(await find(mia, 'tim@', received)).toEqual(['One', 'Two']);
  expect(await find(mia, 'grandmo', received)).toEqual(['Three']);
  expect(await find(mia, 'ørsted', received)).toEqual(['One', 'Three', 'Two']);
  expect(await find(mia, 'lovelace')).toEqual([]);
  expect(await find(mia, 'ørsted', { ...received, view: 'opened' })).toEqual([]);
  world.advance(7 * 86_400_000);
  expect(await find(mia, 'ørsted', { ...received, view: 'ready' })).toHaveLength(3);
});
