import { describe, expect, it } from 'vitest';
import { judgeLayouts, lostThings } from '../support/layout.ts';
import { sceneCalled } from '../support/scenes/all-scenes.ts';
import { withScene } from '../support/scenes/scene.ts';
import { sharedPlace } from './shared-place.ts';

/** Those that hold what people may write: names, titles, letters and files as long as they may be. */
const SCENES = [
  'dashboard-long',
  'details-locked-long',
  'details-open-long',
  'profile-long',
  'public-profile-long',
  'recipients-chosen',
  'discover-users-found',
  'create-limits',
  'outbox',
];

describe('as long as it may be, at 320 and 360 px nothing scrolls sideways and no text is cut', () => {
  const place = sharedPlace();

  it.each(SCENES)('%s', async (name) => {
    await withScene(
      place,
      sceneCalled(name),
      { width: 320, colorScheme: 'light' },
      async ({ page }) => {
        const at320 = await lostThings(page);
        await page.setViewportSize({ width: 360, height: 740 });
        expect({ at320, at360: await lostThings(page) }).toEqual({ at320: [], at360: [] });
      },
    );
  });

  it('a text that is cut is found', async () => {
    const context = await place.browser.newContext({ viewport: { width: 320, height: 640 } });
    await judgeLayouts(context);
    const page = await context.newPage();
    await page.goto('about:blank');
    await page.setContent(`
      <button style="inline-size: 60px; overflow: hidden; white-space: nowrap">Create Time Capsule</button>
      <p style="inline-size: 400px">Wider than the window is wide, word for word for word for word</p>`);
    expect(await lostThings(page)).toEqual([
      expect.stringContaining('px too wide'),
      expect.stringContaining('“Create Time Capsule” is cut off sideways'),
      expect.stringContaining('reaches out of the window'),
    ]);
    await context.close();
  });
});
