import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import { launchBrowser, SAME_PIXELS } from '../support/browser.ts';
import { type SampleWorld, startSampleWorld } from '../support/scenes/sample-world.ts';

/** Where the scenes of a file are shown, from its first test to its last. */
export function sharedPlace(): { browser: Browser; world: SampleWorld } {
  const place = {} as { browser: Browser; world: SampleWorld };
  beforeAll(async () => {
    const [world, browser] = await Promise.all([
      startSampleWorld(inject('designClient')),
      launchBrowser(SAME_PIXELS),
    ]);
    Object.assign(place, { world, browser });
  });
  afterAll(async () => {
    await place.browser.close();
    await place.world.close();
  });
  return place;
}
