import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import { launchBrowser, SAME_PIXELS } from '../support/browser.ts';
import { sceneCalled } from '../support/scenes/all-scenes.ts';
import { type SampleWorld, startSampleWorld } from '../support/scenes/sample-world.ts';
import { type ColourScheme, takePicture, type Width, withScene } from '../support/scenes/scene.ts';
import { judge } from './judge.ts';

/** Few and stable: together they hold every component and every layout. */
const KEY_SCENES = [
  'home',
  'register-errors',
  'dashboard',
  'dashboard-cards',
  'dashboard-outbox-cards',
  'dashboard-empty',
  'details-locked',
  'details-open',
  'details-open-files',
  'create-filled',
  'create-filled-end',
  'recipients-chosen',
  'outbox',
  'profile',
  'logout',
  'not-found',
];
/** Every component in every state, as long as it is. */
const COMPONENTS = [
  'design-seals',
  'design-opening',
  'design-type',
  'design-actions',
  'design-fields',
  'design-messages',
];

const WIDTHS: readonly Width[] = [360, 1280];
const SCHEMES: readonly ColourScheme[] = ['light', 'dark'];

describe('what people see has not changed by accident', () => {
  let world: SampleWorld;
  let browser: Browser;

  beforeAll(async () => {
    [world, browser] = await Promise.all([
      startSampleWorld(inject('designClient')),
      launchBrowser(SAME_PIXELS),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  async function look(name: string, width: Width, fullPage: boolean): Promise<void> {
    const scene = sceneCalled(name);
    await withScene({ browser, world }, scene, { width, colorScheme: 'light' }, async (stage) => {
      const found: string[] = [];
      for (const colorScheme of SCHEMES) {
        await stage.page.emulateMedia({ colorScheme });
        const take = () => takePicture(stage, scene, fullPage);
        const finding = await judge(`${name}-${width}-${colorScheme}`, take);
        if (finding) found.push(finding);
      }
      if (found.length > 0) throw new Error(found.join('\n'));
    });
  }

  describe.each(WIDTHS)('%i px', (width) => {
    it.each(KEY_SCENES)('%s', (name) => look(name, width, false));
  });
  it.each(COMPONENTS)('%s', (name) => look(name, 1280, true));
});
