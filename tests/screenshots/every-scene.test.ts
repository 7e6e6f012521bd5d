import { mkdir, writeFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import { launchBrowser, SAME_PIXELS } from '../support/browser.ts';
import { allScenes } from '../support/scenes/all-scenes.ts';
import { type SampleWorld, startSampleWorld } from '../support/scenes/sample-world.ts';
import {
  type ColourScheme,
  type Scene,
  type Stage,
  takePicture,
  type Width,
  withScene,
} from '../support/scenes/scene.ts';

/** Pictures of every screen in every state for people to look at; `npm run screenshots` writes them here. */
const FOLDER = 'test-results/screenshots';

const WIDTHS: readonly Width[] = [360, 1280];
const SCHEMES: readonly ColourScheme[] = ['light', 'dark'];

describe('screenshots', () => {
  let world: SampleWorld;
  let browser: Browser;

  beforeAll(async () => {
    [world, browser] = await Promise.all([
      startSampleWorld(inject('designClient')),
      launchBrowser(SAME_PIXELS),
    ]);
    await mkdir(FOLDER, { recursive: true });
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  describe.each(WIDTHS)('%i px', (width) => {
    it.each(allScenes)('$name', async (scene) => {
      await withScene({ browser, world }, scene, { width, colorScheme: 'light' }, async (stage) => {
        for (const colorScheme of SCHEMES) {
          await stage.page.emulateMedia({ colorScheme });
          await picture(stage, scene, `${scene.name}-${width}-${colorScheme}`);
        }
      });
    });
  });
});

async function picture(stage: Stage, scene: Scene, name: string): Promise<void> {
  // A dialog, a menu or a place that was scrolled to is in the window, not in the whole page.
  const isInWindow = await stage.page.evaluate<boolean>(
    'scrollY > 0 || document.querySelector("dialog[open], header [data-open=true]") !== null',
  );
  await writeFile(`${FOLDER}/${name}.png`, await takePicture(stage, scene, !isInWindow));
}
