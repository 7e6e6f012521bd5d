import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Within closed details nothing is drawn, so a transition that starts there never ends. */
const ANIMATIONS_OVER = `Promise.all(
  document.getAnimations()
    .filter(({ effect }) => effect.target.checkVisibility() && effect.getComputedTiming().iterations !== Infinity)
    .map((animation) => animation.finished.catch(() => null)),
).then(() => true)`;

/** One line for each element of the page, as it stands, that breaks a rule. */
function axeViolations(page: Page): Promise<string[]> {
  return analyse(page, new AxeBuilder({ page }).withTags(RULES));
}

async function analyse(page: Page, builder: AxeBuilder): Promise<string[]> {
  // What still fades in has another contrast than what is there to stay.
  await page.evaluate(ANIMATIONS_OVER);
  // There are no frames; without this each run opens a page of its own.
  const { violations } = await builder.setLegacyMode(true).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  );
}

/** The same page in both colour schemes, each line led by its scheme; only colours differ in the second. */
export async function axeInBothSchemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await analyse(page, new AxeBuilder({ page }).withRules(['color-contrast']));
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await axeViolations(page);
  return [...light.map((line) => `light: ${line}`), ...dark.map((line) => `dark: ${line}`)];
}
