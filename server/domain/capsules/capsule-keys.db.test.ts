import { expect, it } from 'vitest';
import { sharedDatabase } from '../../../tests/support/database.ts';
import { createMailWorld } from '../../../tests/support/mail-world.ts';
import { openKey } from './capsule-keys.ts';

const database = sharedDatabase();

it('asks whoever has deleted their account meanwhile to sign in', async () => {
  const { deps } = createMailWorld(database.db);
  const gone = { userId: deps.ids.uuid() };
  await expect(openKey(deps, gone, deps.ids.uuid())).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
});
