import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { createMailWorld } from '../../tests/support/mail-world.ts';
import { openKey } from './capsule-keys.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('asks whoever has deleted their account meanwhile to sign in', async () => {
  const { deps } = createMailWorld(database.db);
  const gone = { userId: deps.ids.uuid() };
  await expect(openKey(deps, gone, deps.ids.uuid())).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
});
