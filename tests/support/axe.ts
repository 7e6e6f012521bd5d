import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const CONTRAST: RunOptions['runOnly'] = { type: 'rule', values: ['color-contrast'] };

/** Within closed details nothing is drawn, so a transition that starts there never ends. */
const ANIMATIONS_OVER = `Promise.all(
  document.getAnimations()
    .filter(({ effect }) => effect.target.checkVisibility() && effect.getComputedTiming().iterations !== Infinity)
    .map((animation) => animation.finished.catch(() => null)),
).then(() => true)`;

/** One line for each element of the page, as it stands, that breaks a rule. */
async function analyse(page: Page, runOnly: RunOptions['runOnly']): Promise<string[]> {
  // What still fades in has another contrast than what is there to stay.
  await page.evaluate(ANIMATIONS_OVER);
  // Read once a page: it is as much code as the app. What passes is not described, which takes longest.
  const options: RunOptions = { runOnly, resultTypes: ['violations'] };
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe.source}; true`);
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  );
}

/** The same page in both colour schemes, each line led by its scheme; only colours differ in the second. */
export async function axeInBothSchemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await analyse(page, CONTRAST);
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await analyse(page, RULES);
  return [...light.map((line) => `light: ${line}`), ...dark.map((line) => `dark: ${line}`)];
}
