import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { sharedDatabase } from '../../tests/support/database.ts';
import { createMailWorld } from '../../tests/support/mail-world.ts';
import { sampleId } from '../../tests/support/sample-capsule.ts';
import { serverState } from '../db/schema.ts';
import { raiseLastSeen } from '../db/server-state.ts';
import { stillYoursTokens } from '../domain/accounts/address-check.ts';
import { turnOffTokens } from '../domain/emails/email-choices.ts';
import type { AppEnv } from '../http/context.ts';
import { rememberDevice } from '../http/device-cookie.ts';
import { signId } from './link-signer.ts';

const database = sharedDatabase();

it('links in emails and known devices of earlier years stay valid', async () => {
  const { deps } = createMailWorld(database.db);
  await raiseLastSeen(deps.db, deps.clock.now());
  await deps.db.update(serverState).set({ signingKey: 'a key of earlier years' });
  const id = sampleId(1);
  expect((await turnOffTokens(deps))(id, 'capsule-opened')).toBe(
    `capsule-opened.${id}.iqh16Xbcusc8bhwQwhKEPhEjSyhochLm8Dwui0QbVrU`,
  );
  expect((await stillYoursTokens(deps))(id, 'ada@example.org')).toBe(
    `${id}.jHClp9nbWNzRmhJMMrEvSzKjc6bjWe9omP0vdS-sVNM`,
  );
  expect(await signId(deps, 'restore', id)).toBe(
    `${id}.g2n3YetGa5SvogrRmGGlEcMqO3alxD0elfS7YCgdIhw`,
  );

  const app = new Hono<AppEnv>().get('/', async (c) => {
    await rememberDevice(c, deps, { id, deviceRound: 1 });
    return c.body(null);
  });
  const device = 'a'.repeat(43);
  const headers = { cookie: `__Host-device=${device}` };
  const cookie = (await app.request('/', { headers })).headers.get('set-cookie');
  expect(cookie).toContain(`__Host-device=${device}.22438-5IFrJVjnH7c4yFS33PrVr6;`);
});
