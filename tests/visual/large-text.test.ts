import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { brokenWords, lostThings } from '../support/layout.ts';
import { sceneCalled } from '../support/scenes/all-scenes.ts';
import { type Width, withScene } from '../support/scenes/scene.ts';
import { sharedPlace } from './shared-place.ts';

const SCENES = [
  'dashboard',
  'dashboard-empty',
  'details-locked',
  'details-notices',
  'profile',
  'public-profile',
  'help',
  'verify-email-failed',
];

/** Longer ones may need two lines on a phone. */
const LETTERS = 14;

describe('with text twice as large', () => {
  const place = sharedPlace();

  const large = (name: string, width: Width, look: (page: Page) => Promise<void>) =>
    withScene(
      place,
      sceneCalled(name),
      { width, colorScheme: 'light' },
      async ({ page, still }) => {
        await page.evaluate('document.documentElement.style.fontSize = "200%"');
        await still();
        await look(page);
      },
    );

  describe.each<Width>([360, 1280])('at %i px', (width) => {
    it.each(SCENES)('%s: no word is broken or lost', (name) =>
      large(name, width, async (page) => {
        expect({ broken: await brokenWords(page, LETTERS), lost: await lostThings(page) }).toEqual({
          broken: [],
          lost: [],
        });
      }),
    );
  });

  it('both tabs of the dashboard are within a phone', () =>
    large('dashboard', 360, async (page) => {
      const reach = await page.evaluate<number>(
        'Math.max(...[...document.querySelectorAll("[role=tab]")].map((tab) => tab.getBoundingClientRect().right))',
      );
      expect(reach).toBeLessThanOrEqual(360);
    }));

  it('the table of months is within its card', () =>
    large('dashboard-table', 1280, async (page) => {
      const over = await page.evaluate<number>(
        '((box) => box.scrollWidth - box.clientWidth)(document.querySelector("details:has(table)"))',
      );
      expect(over).toBeLessThanOrEqual(0);
    }));
});
