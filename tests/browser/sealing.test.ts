import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { addDays, dayAt } from '../../shared/day.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { downloaded, lookAtMoments, sealingMoment, type Visitor } from '../support/browser.ts';
import { signUp } from '../support/client.ts';
import { forgetZone } from '../support/forget-zone.ts';
import { fillCapsule, signIn, writeCapsule } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

describe('the moment of sealing', () => {
  const world = sharedWorld();
  let ada: Awaited<ReturnType<typeof signUp>>;
  let visitor: Visitor;
  let page: Page;

  const moment = () => sealingMoment(page);
  const heading = () => moment().getByRole('heading');
  const inMoment = (name: string) => moment().getByRole('button', { name });
  const focused = (target: Locator) => target.and(page.locator(':focus')).waitFor();
  // A letter to oneself is in both lists.
  const cardOf = (title: string) =>
    page.locator('[data-capsule]').filter({ hasText: title, visible: true });
  const create = () => page.getByRole('button', { name: 'Create Time Capsule' }).click();
  const capsule = (title: string, recipients = ['Ada Lovelace']) => ({
    title,
    description: 'In winter',
    recipients,
    message: 'It was cold, Mia.',
    files: [],
  });
  const arrive = async (options = {}) => {
    visitor = await world.open(options);
    page = visitor.page;
    lookAtMoments(page);
    await signIn(page, { email: ada.user.email, password: ada.password });
  };

  beforeAll(async () => {
    ada = await signUp(world.server.url, 'Ada Lovelace');
    await signUp(world.server.url, 'Mia Becker');
  });
  beforeEach(() => arrive());

  it('comes with the 201, rests until it is dismissed, and shows the new card', async () => {
    await writeCapsule(page, capsule('The lake'));
    await create();
    await page.getByText('Time capsule created successfully!').waitFor();
    await focused(heading());
    const tomorrow = addDays(dayAt(new Date(), 'UTC'), 1);
    expect(await heading().innerText()).toMatch(
      new RegExp(`^Sealed until ${Number(tomorrow.slice(8))} \\w+ \\d{4}\\.\\s+See you then\\.$`),
    );
    await page.waitForURL('/dashboard');
    // It closes by itself, and then it rests.
    await page.locator('dialog[data-rests]').waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    expect(await inMoment('Tell').count()).toBe(0);
    await inMoment('Done').click();
    await moment().waitFor({ state: 'detached' });
    await focused(page.getByRole('heading', { level: 1 }));
    const card = cardOf('The lake');
    await expect.poll(() => card.evaluate(IN_SIGHT)).toBe(true);
  });

  it('where the server does not know the time zone, it says by which the capsule opens', async () => {
    onTestFinished(forgetZone('Pacific/Apia'));
    await arrive({ timezoneId: 'Pacific/Apia', reducedMotion: 'reduce' });
    await writeCapsule(page, capsule('From Samoa'));
    await create();
    await moment().getByText("This site doesn't know your time zone yet.").waitFor();
    await moment().getByText('opens as the day begins in UTC+13.').waitFor();
  });

  it('a page that moves because of how high the messages are is no error', async () => {
    await page.getByRole('region', { name: 'Messages' }).evaluate(NARROW_BY_HEIGHT);
    await page.evaluate(RECORD_ERRORS);
    await writeCapsule(page, capsule('In motion'));
    await create();
    await page.getByText('Time capsule created successfully!').waitFor();
    await page.locator('dialog[data-rests]').waitFor();
    expect(await page.evaluate('uncaught')).toEqual([]);
  });

  it('on a phone, messages come one at a time, and none lies over its buttons', async () => {
    await arrive({ viewport: { width: 360, height: 640 }, reducedMotion: 'reduce' });
    await writeCapsule(page, capsule('Under messages', ['Ada Lovelace', 'Mia Becker']));
    await create();
    await moment().waitFor();
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("No"))');
    await inMoment('Tell Mia').click();
    const messages = page.getByRole('region', { name: 'Messages' });
    const failure = messages.getByText("We couldn't copy the link");
    await failure.waitFor();
    const success = messages.getByText('Time capsule created successfully!');
    expect([await success.count(), await success.isVisible()]).toEqual([1, false]);
    await moment().evaluate(SCROLL_TO_END);
    for (const name of ['Add to calendar', 'Tell Mia', 'Done']) {
      expect(await inMoment(name).evaluate(IS_ON_TOP), name).toBe(true);
    }
    // What lay beneath comes back, and goes by itself.
    await messages.getByRole('button', { name: /^Dismiss/ }).click();
    await success.waitFor();
    // It stays in sight while it has the focus, whatever comes.
    await success.locator('..').getByRole('button').focus();
    await inMoment('Tell Mia').dispatchEvent('click');
    await failure.waitFor();
    expect(await success.isVisible()).toBe(true);
    await inMoment('Done').focus();
    expect(await success.isVisible()).toBe(false);
    // It goes beside the failure as well, where the window has become wide enough for both.
    await page.setViewportSize({ width: 1280, height: 800 });
    await success.waitFor();
    await success.waitFor({ state: 'detached' });
    expect(await failure.isVisible()).toBe(true);
  });

  it('a press on what can be seen does it, while the seal still draws', async () => {
    await page.evaluate(PRESS_AT_ONCE);
    await writeCapsule(page, capsule('Told early', ['Mia Becker']));
    await create();
    await expect.poll(() => page.evaluate('copied')).toMatch(/^I've sealed a time capsule for you/);
  });

  it('by keyboard: Enter does not wait, Escape goes on', async () => {
    await writeCapsule(page, capsule('By keyboard'));
    await page.getByRole('button', { name: 'Create Time Capsule' }).press('Enter');
    await focused(heading());
    await page.keyboard.press('Enter');
    await page.locator('dialog[data-rests]').waitFor();
    await page.keyboard.press('Tab');
    await focused(inMoment('Add to calendar'));
    await page.keyboard.press('Tab');
    await focused(inMoment('Done'));
    await page.keyboard.press('Escape');
    await moment().waitFor({ state: 'detached' });
    await focused(page.getByRole('heading', { level: 1 }));
  });

  it('with reduced motion there is nothing to wait for', async () => {
    await arrive({ reducedMotion: 'reduce' });
    await writeCapsule(page, capsule('Quietly'));
    await create();
    await moment().waitFor();
    expect(await moment().getAttribute('data-rests')).not.toBeNull();
    await page.keyboard.press('Escape');
    await moment().waitFor({ state: 'detached' });
  });

  it('its day goes into the calendar, and nothing of what it holds', async () => {
    await writeCapsule(page, capsule('A secret title', ['Mia Becker']));
    await create();
    await page.locator('dialog[data-rests]').waitFor();
    const { name, bytes } = await downloaded(page, () => inMoment('Add to calendar').click());
    const tomorrow = addDays(dayAt(new Date(), 'UTC'), 1);
    expect(name).toBe(`time-capsule-${tomorrow}.ics`);
    const text = bytes.toString();
    expect(text).toContain(`DTSTART;VALUE=DATE:${tomorrow.replaceAll('-', '')}\r\n`);
    expect(text).toContain('SUMMARY:A time capsule opens\r\n');
    expect(text).not.toMatch(/secret|Mia|cold|winter/);
  });

  it('without a share sheet, a link for Mia is copied', async () => {
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await writeCapsule(page, capsule('For Mia', ['Mia Becker']));
    await create();
    await page.locator('dialog[data-rests]').waitFor();
    await inMoment('Tell Mia').click();
    await page.getByText('Link copied.').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(
      /^I've sealed a time capsule for you\. It opens on \d+ \w+ \d{4}\. http/,
    );
    const capsuleId = /capsule=([\w-]+)$/.exec(copied)?.[1];
    await page.locator(`[data-capsule="${capsuleId}"]`).filter({ hasText: 'For Mia' }).waitFor();
  });

  it('of a capsule sealed offline comes when it is true, and disturbs nobody who writes', async () => {
    await writeCapsule(page, capsule('From the train'));
    await visitor.context.setOffline(true);
    await create();
    await page.getByText(/^Waiting to be sent\. Saved on this device\./).waitFor();
    await page.getByText('1 capsule is waiting to be sent.').waitFor();
    expect(await moment().count()).toBe(0);
    const search = page.getByRole('searchbox', { name: 'Search capsules' });
    await search.focus();
    await visitor.context.setOffline(false);
    await page.getByText('“From the train” has been sealed.').waitFor();
    expect(await moment().count()).toBe(0);
    await search.blur();
    await moment().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await moment().waitFor({ state: 'detached' });
    await cardOf('From the train').waitFor();
  });

  it('is shown by one page of several, where the button was pressed', async () => {
    const other = await visitor.context.newPage();
    lookAtMoments(other);
    await other.goto('/dashboard');
    await other.evaluate(RECORD_DIALOGS);
    await writeCapsule(page, capsule('Side by side'));
    await create();
    await other.getByText('“Side by side” has been sealed.').waitFor();
    // By then the other page has long had a good moment.
    await page.locator('dialog[data-rests]').waitFor();
    await inMoment('Done').click();
    await moment().waitFor({ state: 'detached' });
    await cardOf('Side by side').waitFor();
    expect(await other.evaluate('dialogs')).toEqual([]);
    // The next one is shown again, on whichever page it is.
    await writeCapsule(other, capsule('Alone'));
    await other.getByRole('button', { name: 'Create Time Capsule' }).click();
    await sealingMoment(other).waitFor();
  });

  it('of several capsules that arrive together is one', async () => {
    await fillCapsule(page, capsule('First'));
    await visitor.context.setOffline(true);
    await create();
    await page.waitForURL('/dashboard');
    await fillCapsule(page, capsule('Second'));
    await create();
    await page.waitForURL('/dashboard');
    await visitor.context.setOffline(false);
    await page.getByText('“First” has been sealed.').waitFor();
    await page.getByText('“Second” has been sealed.').waitFor();
    await page.locator('dialog[data-rests]').waitFor();
    await inMoment('Done').click();
    await moment().waitFor({ state: 'detached' });
  });
});

/** From here on the names of dialogs are listed in `dialogs`. */
const RECORD_DIALOGS = `
  globalThis.dialogs = [];
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    dialogs.push(...added.filter(({ nodeName }) => nodeName === 'DIALOG').map((one) => one.textContent));
  }).observe(document.body, { childList: true, subtree: true });
  0`;

const IN_SIGHT = (card: unknown) => {
  const { top, bottom } = Object(card).getBoundingClientRect();
  return top >= 0 && bottom <= Object(globalThis).innerHeight;
};

/** Those about the layout are told to the page alone. */
const RECORD_ERRORS = `
  globalThis.uncaught = [];
  addEventListener('error', ({ message }) => uncaught.push(message));
`;

/** As where a scroll bar comes or goes with the room for the messages. */
const NARROW_BY_HEIGHT = (messages: unknown) => {
  Object(messages).style.paddingInlineStart = 'calc(var(--messages, 0px) / 10)';
};

const SCROLL_TO_END = (stage: unknown) => Object(stage).scrollTo(0, Object(stage).scrollHeight);

const IS_ON_TOP = (button: unknown) => {
  const { left, right, top, bottom } = Object(button).getBoundingClientRect();
  const { document } = Object(globalThis);
  return [top + 2, bottom - 2].every((y) =>
    Object(button).contains(document.elementFromPoint((left + right) / 2, y)),
  );
};

/** Presses "Tell Mia" as soon as it can be seen, which is before the seal rests. */
const PRESS_AT_ONCE = `
  navigator.share = undefined;
  navigator.clipboard.writeText = async (text) => { window.copied = text; };
  const look = () => {
    const button = [...document.querySelectorAll('dialog:not([data-rests]) button')]
      .find(({ innerText }) => innerText === 'Tell Mia');
    if (!button?.checkVisibility({ checkOpacity: true })) return requestAnimationFrame(look);
    button.click();
  };
  look();
`;
