import { expect, it } from 'vitest';
import { setMaintenance } from '../../server/db/doors/maintenance.ts';
import { ERRORS } from '../../shared/errors.ts';
import { rowsOf } from '../support/at-device.ts';
import { signUp } from '../support/client.ts';
import { untilSealed } from '../support/ledger.ts';
import { fillCapsule, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const { server, open } = sharedWorld();

it('while the server is worked on, a capsule waits in the outbox with the reason, and then goes', async () => {
  const { db, clock } = server.deps;
  const ada = await signUp(server.url, 'Ada');
  const { page } = await open();
  await signIn(page, { email: ada.user.email, password: ada.password });
  await setMaintenance(db, clock.now());
  const about = { description: 'For later', recipients: ['Ada'], message: 'See you', files: [] };
  await fillCapsule(page, { title: 'Patient', ...about });
  await page.getByRole('button', { name: 'Create Time Capsule' }).click();
  // Whoever leaves while it is being sent reads that the connection was lost.
  await expect.poll(() => rowsOf(page, 'outbox')).toMatchObject([{ state: 'retry-at' }]);
  await page.goto('/outbox');
  const item = page.getByRole('article', { name: 'Patient' });
  await item.getByText(ERRORS.MAINTENANCE[1]).waitFor();
  await item.getByText(/^Trying again/).waitFor();
  await setMaintenance(db, null);
  await item.getByRole('button', { name: 'Try now: Patient' }).click();
  expect(await untilSealed(server.deps, ada.user.id)).toMatchObject([{ title: 'Patient' }]);
});
