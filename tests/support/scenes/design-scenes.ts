import type { Scene, Stage } from './scene.ts';

async function part({ page, go }: Stage, name: string): Promise<void> {
  await go('/design.html');
  await page.getByRole('tab', { name, exact: true }).click();
}

/** Each component in each state. */
export const designScenes: readonly Scene[] = [
  { name: 'design-seals', show: (stage) => part(stage, 'Seals') },
  {
    name: 'design-opening',
    // Its animations stand where the page has stopped them.
    isFrozen: true,
    async show(stage) {
      await stage.page.emulateMedia({ reducedMotion: 'no-preference' });
      await part(stage, 'Opening');
    },
  },
  { name: 'design-type', show: (stage) => part(stage, 'Type') },
  { name: 'design-actions', show: (stage) => part(stage, 'Actions') },
  {
    name: 'design-fields',
    async show(stage) {
      await part(stage, 'Fields');
      await stage.page.evaluate('scrollTo(0, 0)');
    },
  },
  { name: 'design-messages', show: (stage) => part(stage, 'Messages') },
  {
    name: 'design-dialog',
    async show(stage) {
      await part(stage, 'Actions');
      await stage.page.getByRole('button', { name: 'Dialog' }).click();
      await stage.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'design-toasts',
    async show(stage) {
      await part(stage, 'Actions');
      await stage.page.getByRole('button', { name: 'Failure' }).click();
      await stage.page.getByRole('button', { name: 'Offer' }).click();
      await stage.page.getByText('A new version is ready.').waitFor();
    },
  },
];
