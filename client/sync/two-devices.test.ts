import 'fake-indexeddb/auto';
import { afterEach, it, vi } from 'vitest';
import { chanceOf } from '../../tests/support/chance.ts';
import { closeDatabase } from '../db/database.ts';
import { createAccountModel } from './account-model.support.ts';
import { walkTwoDevices } from './two-devices.support.ts';

/* Against a server that is only its rules; tests/devices has the same with the server itself. */

/** `DRAFT_SEEDS=1000` for the long run. */
const SEEDS = Number(process.env.DRAFT_SEEDS ?? 2);
/** Walks that have lost a file once. */
const LOST_ONCE = [407, 765, 920, 973].filter((seed) => seed >= SEEDS);

afterEach(() => {
  closeDatabase();
  vi.useRealTimers();
});

it.each([...Array(SEEDS).keys(), ...LOST_ONCE])(
  'no word and no file of two devices is lost, and no file is there twice, run %i',
  { timeout: 120_000 },
  async (seed) => {
    await walkTwoDevices(chanceOf(`two devices ${seed}`), createAccountModel());
  },
);
