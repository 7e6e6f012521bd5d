import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const ANIMATIONS_OVER = `Promise.all(
  document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().iterations !== Infinity)
    .map((animation) => animation.finished.catch(() => null)),
).then(() => true)`;

/** One line for each element of the page, as it stands, that breaks a rule. */
export async function axeViolations(page: Page): Promise<string[]> {
  // What still fades in has another contrast than what is there to stay.
  await page.evaluate(ANIMATIONS_OVER);
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  );
}

/** The same page in both colour schemes, each line led by its scheme. */
export async function axeInBothSchemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await axeViolations(page)).map((line) => `${colorScheme}: ${line}`));
  }
  return found;
}
