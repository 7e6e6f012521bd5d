import { it } from 'vitest';
import { sceneCalled } from '../support/scenes/all-scenes.ts';
import { type ColourScheme, takePicture, type Width, withScene } from '../support/scenes/scene.ts';
import { judge } from './judge.ts';
import { sharedPlace } from './shared-place.ts';

/** Few and stable: together they hold every component and every layout. */
export const KEY_SCENES = [
  'home',
  'register-errors',
  'dashboard',
  'dashboard-cards',
  'dashboard-empty',
  'details-locked',
  'details-open',
  'details-open-files',
  'details-by-many-turn',
  'create-filled',
  'create-filled-end',
  'create-letter',
  'sealed',
  'recipients-chosen',
  'outbox',
  'profile',
  'logout',
  'not-found',
] as const;

const SCHEMES: readonly ColourScheme[] = ['light', 'dark'];

/**
 * Makes a test of each scene: what people see has not changed by accident. One width a file,
 * so that they run side by side.
 */
export function testScenes(
  names: readonly string[],
  { width, fullPage }: { width: Width; fullPage: boolean },
): void {
  const place = sharedPlace();

  it.each(names)('%s', async (name) => {
    const scene = sceneCalled(name);
    await withScene(place, scene, { width, colorScheme: 'light' }, async (stage) => {
      const found: string[] = [];
      for (const colorScheme of SCHEMES) {
        await stage.page.emulateMedia({ colorScheme });
        const take = () => takePicture(stage, scene, fullPage);
        const finding = await judge(`${name}-${width}-${colorScheme}`, take);
        if (finding) found.push(finding);
      }
      if (found.length > 0) throw new Error(found.join('\n'));
    });
  });
}
