import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { axeInBothSchemes } from '../support/axe.ts';
import { launchBrowser, type Visitor } from '../support/browser.ts';
import { signUp } from '../support/client.ts';
import {
  type Cast,
  fillWorld,
  MEMBER_SCREENS,
  type Screen,
  VISITOR_SCREENS,
  yesterday,
} from '../support/every-screen.ts';
import {
  crampedTargets,
  judgeLayouts,
  lostThings,
  smallTargets,
  unseenFocus,
} from '../support/layout.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

/** A window of 1280 × 1024 at 400 %. */
const ZOOMED = { width: 320, height: 256 };
/** The smallest phone that is still sold, held by a finger. */
const PHONE = { width: 360, height: 740 };
const WIDE = { width: 1280, height: 800 };

describe('every screen, in every state', () => {
  const world = sharedWorld({ clock: yesterday() });
  let cast: Cast;
  let visitor: Visitor;

  beforeAll(async () => {
    cast = await fillWorld(world.server);
    visitor = await world.open({ reducedMotion: 'reduce', viewport: WIDE });
    await judgeLayouts(visitor.context);
  });

  describe('of a visitor', () => {
    it.each(VISITOR_SCREENS)('%s', (_, show) => judge(show));
  });

  describe('of a member', () => {
    beforeAll(async () => {
      const { user, password } = cast.ada;
      await signIn(visitor.page, { email: user.email, password });
    });
    it.each(MEMBER_SCREENS)('%s', (_, show) => judge(show));
  });

  async function judge(show: Screen[1]) {
    const { page } = visitor;
    try {
      await show(page, cast);
      expect(await findings(page)).toEqual([]);
    } finally {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.setViewportSize(WIDE);
    }
  }
});

describe('in forced colours', () => {
  const world = sharedWorld({ clock: yesterday() });
  let cast: Cast;
  let page: Page;

  /** Whether two things differ in one of these properties of their style. */
  const differ = (one: string, other: string, ...properties: string[]) =>
    page.evaluate<boolean>(`(() => {
      const look = (path) => getComputedStyle(document.querySelector(path));
      const [one, other] = [look(${JSON.stringify(one)}), look(${JSON.stringify(other)})];
      return ${JSON.stringify(properties)}.some((name) => one[name] !== other[name]);
    })()`);
  /** Buttons and fields without a border, a ring or an underline of their own. */
  const borderless = () =>
    page.evaluate<
      string[]
    >(`Array.from(document.querySelectorAll('main button, main input:not(.visually-hidden), main textarea'))
      .filter((control) => control.checkVisibility() && !control.querySelector('svg, img'))
      .filter((control) => Number.parseFloat(getComputedStyle(control).borderBlockEndWidth) === 0)
      .map((control) => control.outerHTML.slice(0, 120))`);

  beforeAll(async () => {
    cast = await fillWorld(world.server);
    ({ page } = await world.open({
      forcedColors: 'active',
      colorScheme: 'dark',
      reducedMotion: 'reduce',
    }));
    const { user, password } = cast.ada;
    await signIn(page, { email: user.email, password });
  });

  it('what is chosen, how far things are and where one is can still be told', async () => {
    await page.getByRole('article').first().waitFor();
    const seal = 'article svg[viewBox="0 0 160 160"] path';
    expect(await page.evaluate(`getComputedStyle(document.querySelector('${seal}')).fill`)).toBe(
      'rgb(0, 0, 0)',
    );
    expect(await page.evaluate(`getComputedStyle(document.querySelector('${seal}')).stroke`)).toBe(
      'rgb(255, 255, 255)',
    );
    expect(
      await differ('[aria-selected=true]', '[aria-selected=false]', 'borderBlockEndColor'),
    ).toBe(true);
    const current = 'main [aria-current=page]';
    expect(await differ(current, 'main [aria-label="Page 2"]', 'backgroundColor')).toBe(true);
    const here = 'header nav [aria-current]';
    expect(await differ(here, 'header nav a:not([aria-current])', 'textDecorationLine')).toBe(true);
    const theme = 'footer label:has(:checked)';
    expect(await differ(theme, 'footer label:not(:has(:checked))', 'outlineStyle')).toBe(true);
    expect(await borderless()).toEqual([]);

    await page.goto('/create');
    await page.getByLabel('Capsule Title').fill('For later');
    await page.getByRole('button', { name: '5 years', exact: true }).click();
    const pressed = '[aria-pressed=true]';
    expect(await differ(pressed, '[aria-pressed=false]', 'backgroundColor')).toBe(true);
    const background = `getComputedStyle(document.querySelector('[role=switch]')).backgroundColor`;
    const before = await page.evaluate(background);
    // Another switch comes once the draft is saved.
    await page.getByRole('switch', { name: /^Notify recipients/ }).click();
    await expect.poll(() => page.evaluate(background)).not.toBe(before);
    expect(await borderless()).toEqual([]);
  });
});

describe('with letters of twice the size', () => {
  const world = sharedWorld();

  it('set in the browser, a wide window has the layout of a narrow one', async () => {
    const browser = await launchBrowser(['--blink-settings=defaultFontSize=32']);
    try {
      const page = await browser.newPage({ viewport: WIDE });
      await page.goto(world.server.url);
      await page.getByRole('button', { name: 'Open menu' }).waitFor();
    } finally {
      await browser.close();
    }
  });

  it('set on the page, the summary of a capsule scrolls with it', async () => {
    const ada = await signUp(world.server.url, 'Ada Large');
    const { page } = await world.open({ viewport: WIDE });
    await signIn(page, { email: ada.user.email, password: ada.password }, '/create');
    await page.getByRole('heading', { name: 'Capsule Summary' }).waitFor();
    const position = () =>
      page.evaluate("getComputedStyle(document.querySelector('main aside')).position");
    expect(await position()).toBe('sticky');
    await style(page, 'fontSize', '200%');
    await expect.poll(position).toBe('static');
  });
});

async function findings(page: Page): Promise<string[]> {
  const found = await axeInBothSchemes(page);
  const add = (where: string, lines: string[]) =>
    found.push(...lines.map((line) => `${where}: ${line}`));

  await page.setViewportSize(PHONE);
  add('on a phone', await crampedTargets(page, 44));
  await page.setViewportSize(ZOOMED);
  add('400 % zoom', await lostThings(page));
  add('400 % zoom', await smallTargets(page, 24));
  add('400 % zoom', await unseenFocus(page));
  await style(page, 'direction', 'rtl');
  add('from right to left', await lostThings(page));
  await style(page, 'direction', '');
  await page.setViewportSize(WIDE);
  await style(page, 'fontSize', '200%');
  add('200 % text', await lostThings(page));
  await page.setViewportSize(PHONE);
  add('200 % text on a phone', await lostThings(page));
  await style(page, 'fontSize', '');
  return found;
}

async function style(page: Page, property: string, value: string): Promise<void> {
  await page.evaluate(`document.documentElement.style.${property} = '${value}'`);
}
