import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { createMailWorld, START } from '../../tests/support/mail-world.ts';
import { queuePasswordChangedMail } from '../domain/notices.ts';
import { projectRoot } from '../project-root.ts';
import { capsuleRecipients, serverState } from './schema.ts';
import { raiseLastSeen } from './server-state.ts';
import { findUserByEmail } from './users.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('a database that is there already began with its first person', async () => {
  const { db, sql } = database;
  await raiseLastSeen(db, new Date(START.getTime() + 1_000));
  const { addPerson } = createMailWorld(db);
  await addPerson('Later', { createdAt: new Date(START.getTime() + 500) });
  await addPerson('First');
  await sql`alter table server_state drop column born_at`;
  await migrate('0002_database_birth');
  expect(await db.select().from(serverState)).toMatchObject([{ bornAt: START }]);
});

test('addresses and names from before NFC are found, and look-alikes are left alone', async () => {
  const { db } = database;
  const world = createMailWorld(db);
  const decomposed = (text: string) => text.normalize('NFD');
  const add = (name: string, email: string) => world.addPerson(name, { email });
  const zoe = await add(decomposed('Zoë'), decomposed('zoë@example.org'));
  await queuePasswordChangedMail(db, world.deps, zoe);
  const twins = [
    await add('Composed', 'rené@example.org'),
    await add('Decomposed', decomposed('rené@example.org')),
  ];
  await migrate('0005_nfc');
  expect(await findUserByEmail(db, 'zoë@example.org')).toMatchObject({ id: zoe.id, name: 'Zoë' });
  expect(await world.mailRows()).toMatchObject([{ toAddress: 'zoë@example.org' }]);
  for (const { id, email } of twins) {
    expect(await findUserByEmail(db, email)).toMatchObject({ id });
  }
});

test('a server of the version before can still seal for recipients', async () => {
  const { db, sql } = database;
  const world = createMailWorld(db);
  const ada = await world.addPerson('Ada');
  const { id } = await world.addCapsule(ada, [], { dateToUnlock: '2031-02-03' });
  await sql`insert into capsule_recipients (capsule_id, user_id, position, created_at, unlock_at)
    values (${id}, ${ada.id}, 0, now(), now())`;
  expect(await db.select().from(capsuleRecipients)).toMatchObject([{ dateToUnlock: '2031-02-03' }]);
});

async function migrate(tag: string): Promise<void> {
  const migration = join(projectRoot, 'migrations', `${tag}.sql`);
  await database.sql.unsafe(await readFile(migration, 'utf8'));
}
