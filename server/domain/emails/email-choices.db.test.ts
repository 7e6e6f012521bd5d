import { drizzle } from 'drizzle-orm/postgres-js';
import { expect, it } from 'vitest';
import { sharedDatabase } from '../../../tests/support/database.ts';
import { createMailWorld } from '../../../tests/support/mail-world.ts';
import * as schema from '../../db/schema.ts';
import { getEmailChoices, setEmailChoices } from './email-choices.ts';

const database = sharedDatabase();

it('all choices are saved by one statement, so that none is saved without the others', async () => {
  const { addPerson, deps } = createMailWorld(database.db);
  const actor = { userId: (await addPerson('Ada')).id };
  const sent: string[] = [];
  const logger = { logQuery: (query: string) => void sent.push(query) };
  const db = drizzle(database.sql, { schema, logger });
  const all = { waiting: false, opened: true, reminder: false, addressCheck: false };
  const choices = { ...all, read: 'never' as const };
  expect(await setEmailChoices({ ...deps, db }, actor, choices)).toEqual(choices);
  expect(sent).toHaveLength(1);
  const fewer = { waiting: true, opened: true, reminder: true };
  const saved = { ...choices, ...fewer };
  expect(await setEmailChoices({ ...deps, db }, actor, fewer)).toEqual(saved);
  expect(await getEmailChoices(deps, actor)).toEqual(saved);
});
