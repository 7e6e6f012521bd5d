import { mkdir, writeFile } from 'node:fs/promises';
import { beforeAll, describe, it } from 'vitest';
import { allScenes } from '../support/scenes/all-scenes.ts';
import {
  type ColourScheme,
  type Scene,
  type Stage,
  takePicture,
  type Width,
  withScene,
} from '../support/scenes/scene.ts';
import { sharedPlace } from '../visual/shared-place.ts';

/** Pictures of every screen in every state for people to look at; `npm run screenshots` writes them here. */
const FOLDER = 'test-results/screenshots';

const WIDTHS: readonly Width[] = [360, 1280];
const SCHEMES: readonly ColourScheme[] = ['light', 'dark'];

describe('screenshots', () => {
  const place = sharedPlace();
  beforeAll(() => mkdir(FOLDER, { recursive: true }));

  describe.each(WIDTHS)('%i px', (width) => {
    it.each(allScenes)('$name', async (scene) => {
      await withScene(place, scene, { width, colorScheme: 'light' }, async (stage) => {
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
