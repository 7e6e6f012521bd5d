import { beforeAll, expect, it } from 'vitest';
import { sharedDatabase } from '../../../tests/support/database.ts';
import { createMailWorld, type MailWorld } from '../../../tests/support/mail-world.ts';
import { sampleId } from '../../../tests/support/sample-capsule.ts';
import { searchUsers } from './search-users.ts';
import { findAccount, findUsersByEmail } from './users.ts';

const database = sharedDatabase();
let addPerson: MailWorld['addPerson'];
beforeAll(async () => {
  ({ addPerson } = createMailWorld(database.db));
  const people = [
    'Ada Lovelace',
    'Jean-Luc Picard',
    'Adam',
    'Maryad',
    '王小明',
    'John 100%',
    'Éva',
  ];
  for (const [index, name] of people.entries()) {
    await addPerson(name, { email: `box.${index}@q-mail.example` });
  }
});

const search = async (text: string, limit = 20) =>
  (await searchUsers(database.db, text, { limit })).map(({ name }) => name);

it.each([
  ['a', ['Ada Lovelace', 'Adam']],
  ['AD', ['Ada Lovelace', 'Adam']],
  ['lo', ['Ada Lovelace']],
  ['lu', ['Jean-Luc Picard']],
  ['ov', []],
  ['ove', ['Ada Lovelace']],
  ['0%', []],
  ['00%', ['John 100%']],
  ['小明', ['王小明']],
  ['é', ['Éva']],
  ['q-', []],
  ['q-m', 7],
  ['bo', 7],
])(
  '"%s" finds beginnings of words, from three characters on anything within',
  async (text, who) => {
    const found = await search(text);
    expect(typeof who === 'number' ? found.length : found).toEqual(who);
  },
);

it('prefers those whose name begins with the text, and shows all in the order of names', async () => {
  expect(await search('ada')).toEqual(['Ada Lovelace', 'Adam']);
  expect(await search('yad')).toEqual(['Maryad']);
  expect(await search('ad', 1)).toEqual(['Ada Lovelace']);
  expect(await search('mar')).toEqual(['Maryad']);
  expect(await search('box.3')).toEqual(['Maryad']);
});

it('finds the one person with exactly this address, however many others match', async () => {
  for (const begins of ['x', 'y', 'z']) {
    await addPerson('Other', { email: `${begins}ann@crowd.example` });
  }
  await addPerson('ann@crowd.example.org', { email: 'named@crowd.example' });
  await addPerson('Zoe', { email: 'ann@crowd.example' });
  expect(await search('ann@crowd.example', 2)).toContain('Zoe');
  expect(await search(' ANN@crowd.example ', 1)).toEqual(['Zoe']);
  expect((await search('ann@crowd.example')).filter((name) => name === 'Zoe')).toHaveLength(1);
});

it('nobody finds a person who was invited and has no account', async () => {
  const { id, email } = await addPerson('Rose', { passwordHash: null });
  expect(await search('Rose')).toEqual([]);
  expect(await search(email)).toEqual([]);
  expect(await findAccount(database.db, id)).toBeUndefined();
  expect(await findUsersByEmail(database.db, [email], sampleId(1))).toEqual([]);
});
