import type { Bin, BinnedCapsule } from '../../../shared/api/bin.ts';
import type { Scene, Stage } from './scene.ts';

const binned = (count: number, change: Partial<BinnedCapsule>): BinnedCapsule => ({
  id: `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
  title: 'For the new kitchen, if it is ever finished',
  dateToUnlock: '2031-03-12',
  timeZone: 'UTC',
  recipients: [{ name: 'Grace Hopper', isOwner: false }],
  deletedAt: '2030-05-03T18:20:00.000Z',
  goneAt: '2030-05-10T18:20:00.000Z',
  ...change,
});

const person = (name: string) => ({ name, isOwner: false });

const FULL: Bin = {
  capsules: [
    binned(1, {}),
    binned(2, {
      title: `${'Donaudampfschifffahrtsgesellschaft'.repeat(3)} and all the summers that came after`,
      recipients: ['Grace Hopper', 'Mary Shelley', 'Emmy Noether', 'Rosa Parks', 'Ida'].map(person),
    }),
    binned(3, { title: 'To me', recipients: [{ name: 'Ada Lovelace', isOwner: true }] }),
    binned(4, { title: 'Nobody is left', recipients: [] }),
  ],
  totalItems: 4,
};

function bin(name: string, body: Bin, then?: (stage: Stage) => Promise<void>): Scene {
  return {
    name: `bin${name}`,
    as: 'ada',
    async show(stage) {
      await stage.break('/api/capsules/bin', { status: 200, body });
      await stage.go('/dashboard/bin');
      await then?.(stage);
    },
  };
}

/** What was deleted and can be brought back. */
export const binScenes: readonly Scene[] = [
  bin('', FULL),
  bin('-many', { ...FULL, totalItems: 130 }),
  bin('-empty', { capsules: [], totalItems: 0 }),
  bin('-delete', FULL, async ({ page }) => {
    await page.getByRole('button', { name: 'Delete now' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete now' }).click();
    await page.getByRole('dialog').getByText('Password is required').waitFor();
  }),
  {
    name: 'bin-offline',
    as: 'ada',
    async show(stage) {
      await stage.break('/api/capsules/bin', 'cut');
      await stage.go('/dashboard/bin');
    },
  },
];
