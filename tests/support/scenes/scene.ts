import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { OutboxRow } from '../../../client/db/tables.ts';
import { STORAGE_KEY_LOGGED_IN } from '../../../shared/limits.ts';
import { type Breakage, breakCalls, holdCalls } from '../break-calls.ts';
import { openVisitor } from '../browser.ts';
import { judgeLayouts } from '../layout.ts';
import { NOW, type SamplePerson, type SampleWorld } from './sample-world.ts';

/** One screen in one state, reached as a person reaches it. */
export interface Scene {
  /** Kebab-case; the name of its picture. */
  name: string;
  /** Whose device it plays on; a visitor's without. */
  as?: SamplePerson;
  /** It has paused its animations where they shall be seen; all others are shown as they end. */
  isFrozen?: boolean;
  show(stage: Stage): Promise<void>;
}

/** A browser of one's own, where the scene is set. */
export interface Stage {
  page: Page;
  world: SampleWorld;
  isPhone: boolean;
  /** Opens an address and waits until nothing loads any more. */
  go(path: string): Promise<void>;
  /** Until fonts and images are there and nothing moves any more; what waits for a call may wait on. */
  still(): Promise<void>;
  /** No call of this path is answered from here on. */
  hold(path: string): Promise<void>;
  /** Every call of this path fails so from here on. */
  break(path: string, breakage: Breakage): Promise<void>;
  setOffline(offline: boolean): Promise<void>;
  /** Puts rows into the outbox of this device; a page that is open shows them when it is opened anew. */
  queue(rows: readonly OutboxRow[]): Promise<void>;
}

export type Width = 320 | 360 | 1280;
export type ColourScheme = 'light' | 'dark';

export interface View {
  width: Width;
  colorScheme: ColourScheme;
}

const HEIGHTS = { 320: 640, 360: 740, 1280: 900 } as const;

const STILL = `Promise.all([
  document.fonts.ready,
  ...[...document.images]
    .filter((image) => image.loading !== 'lazy' && !image.complete)
    .map((image) => new Promise((done) => { image.onload = image.onerror = done; })),
  ...document.getAnimations()
    .filter((animation) => animation.playState === 'running' && animation.effect.getComputedTiming().iterations !== Infinity)
    .map((animation) => animation.finished.catch(() => null)),
]).then(() => true)`;

/** Sets the scene in a fresh browser context, looks at it, and clears it away. */
export async function withScene(
  { browser, world }: { browser: Browser; world: SampleWorld },
  scene: Scene,
  { width, colorScheme }: View,
  look: (stage: Stage) => Promise<void>,
): Promise<void> {
  const isPhone = width < 720;
  const options: BrowserContextOptions = {
    viewport: { width, height: HEIGHTS[width] },
    isMobile: isPhone,
    hasTouch: isPhone,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    serviceWorkers: 'block',
    ...(scene.as ? { storageState: await stateOf(world, scene.as) } : {}),
  };
  const visitor = await openVisitor(browser, world.server.url, options);
  try {
    await visitor.context.clock.setFixedTime(NOW);
    await visitor.context.addInitScript(REPEATABLE);
    await judgeLayouts(visitor.context);
    const stage = createStage(visitor.page, world, isPhone);
    // The account would carry the drafts of one scene into the next.
    await stage.break('/api/drafts', 'cut');
    await scene.show(stage);
    // Nothing is hovered by chance, where the last press has left the pointer.
    await stage.page.mouse.move(0, 0);
    await stage.still();
    await look(stage);
  } catch (error) {
    throw new Error(`${scene.name}, ${width} px, ${colorScheme}: ${describe(error)}`, {
      cause: error,
    });
  } finally {
    // What is broken here is mended as it closes: a capsule of this scene would arrive after all.
    await visitor.context.setOffline(true);
    await visitor.close();
  }
}

function loading(page: Page): Locator {
  return page
    .getByText(/^Loading/)
    .and(page.locator(':visible'))
    .first();
}

/** Drafts get the same ids each time, and failed tries wait as long each time. */
const REPEATABLE = `{
  let count = 0;
  crypto.randomUUID = () => '00000000-0000-4000-8000-' + String(++count).padStart(12, '0');
  Math.random = () => 0.5;
}`;

function createStage(page: Page, world: SampleWorld, isPhone: boolean): Stage {
  const still = async () => {
    await page.evaluate(STILL);
  };
  return {
    page,
    world,
    isPhone,
    still,
    async go(path) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      await loading(page).waitFor({ state: 'detached' });
      await still();
    },
    hold: (path) => holdCalls(page, path),
    break: (path, breakage) => breakCalls(page, path, breakage),
    setOffline: (offline) => page.context().setOffline(offline),
    queue: (rows) => page.evaluate(`putRows('outbox', ${JSON.stringify(rows)})`),
  };
}

async function stateOf({ signIn, server }: SampleWorld, person: SamplePerson) {
  const { cookies } = await signIn(person);
  const { origin, hostname } = new URL(server.url);
  return {
    cookies: cookies.map(({ name, value }) => ({
      name,
      value,
      domain: hostname,
      path: '/',
      expires: -1,
      httpOnly: false,
      secure: false,
      sameSite: 'Lax' as const,
    })),
    origins: [{ origin, localStorage: [{ name: STORAGE_KEY_LOGGED_IN, value: 'true' }] }],
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** As it stands: nothing moves, no cursor blinks. */
export function takePicture(
  { page }: Stage,
  { isFrozen = false }: Scene,
  fullPage: boolean,
): Promise<Buffer> {
  return page.screenshot({
    fullPage,
    animations: isFrozen ? 'allow' : 'disabled',
    caret: 'hide',
    scale: 'css',
    // The player is the browser's, another one with each version. One beneath an enlarged image is not
    // seen, but its mask would lie over the image's buttons.
    mask: [page.locator(':is(video, audio):not(dialog:has(dialog[open]) *)')],
    maskColor: '#4b6470',
  });
}

/** An element as the page has it; the tests are checked without a browser's types. */
interface Scrolled {
  scrollIntoView(to: { block: 'start' | 'center' }): void;
}

/** Scrolls the page, or the dialog, until this is at the top of what is seen, or in its middle. */
export function scrollTo(place: Locator, block: 'start' | 'center' = 'start'): Promise<void> {
  return place.evaluate((element, to) => (element as unknown as Scrolled).scrollIntoView(to), {
    block,
  });
}
