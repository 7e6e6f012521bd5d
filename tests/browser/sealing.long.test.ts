import { describe, expect, it, onTestFinished } from 'vitest';
import { addDays, dayAt } from '../../shared/day.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { downloaded, lookAtMoments, sealingMoment } from '../support/browser.ts';
import { forgetZone } from '../support/forget-zone.ts';
import { atMoment } from '../support/moment.ts';
import { fillCapsule, writeCapsule } from '../support/screens.ts';

describe('the moment of sealing', () => {
  const { at, arrive, moment, heading, inMoment, focused, cardOf, create, capsule } = atMoment();

  it('comes with the 201, rests until it is dismissed, and shows the new card', async () => {
    await writeCapsule(at.page, capsule('The lake'));
    await create();
    const said = at.page.getByText('Time capsule created successfully!');
    await said.waitFor({ state: 'attached' });
    await focused(heading());
    // It is spoken, and covers nothing of the moment.
    const toast = at.page.getByRole('listitem').filter({ has: said });
    expect((await toast.boundingBox())?.height).toBeLessThanOrEqual(1);
    expect(await toast.getByRole('button').count()).toBe(0);
    expect(await toast.evaluate((item) => Object(item).parentElement.ariaLive)).toBe('polite');
    const tomorrow = addDays(dayAt(new Date(), 'UTC'), 1);
    expect(await heading().innerText()).toMatch(
      new RegExp(`^Sealed until ${Number(tomorrow.slice(8))} \\w+ \\d{4}\\.\\s+See you then\\.$`),
    );
    await at.page.waitForURL('/dashboard');
    // It closes by itself, and then it rests.
    await at.page.locator('dialog[data-rests]').waitFor();
    expect(await axeInBothSchemes(at.page)).toEqual([]);
    expect(await inMoment('Tell').count()).toBe(0);
    const card = cardOf('The lake');
    await card.waitFor();
    await inMoment('Done').click();
    await moment().waitFor({ state: 'detached' });
    await focused(card.getByRole('button', { name: 'View details of The lake' }));
    await expect.poll(() => card.evaluate(IN_SIGHT)).toBe(true);
    expect(await at.page.evaluate('scrollY')).toBe(0);
  });

  it('of a capsule sealed offline comes when it is true, and disturbs nobody', async () => {
    await writeCapsule(at.page, capsule('From the train'));
    await at.visitor.context.setOffline(true);
    await create();
    await at.page.getByText(/^Waiting to be sent\. Saved on this device\./).waitFor();
    await at.page.getByText('“From the train” is waiting to be sent.').waitFor();
    expect(await moment().count()).toBe(0);
    const search = at.page.getByRole('searchbox', { name: 'Search capsules' });
    await search.focus();
    await at.visitor.context.setOffline(false);
    await at.page.getByText('“From the train” has been sealed.').waitFor();
    expect(await moment().count()).toBe(0);
    await search.blur();
    await moment().waitFor();
    await at.page.keyboard.press('Escape');
    await at.page.keyboard.press('Escape');
    await moment().waitFor({ state: 'detached' });
    await cardOf('From the train').waitFor();
  });

  it('where the server does not know the time zone, it says by which the capsule opens', async () => {
    onTestFinished(forgetZone('Pacific/Apia'));
    await arrive({ timezoneId: 'Pacific/Apia', reducedMotion: 'reduce' });
    await writeCapsule(at.page, capsule('From Samoa'));
    await create();
    await moment().getByText("This site doesn't know your time zone yet.").waitFor();
    await moment().getByText('opens at the start of the day in UTC+13.').waitFor();
  });

  it('a page that moves because of how high the messages are is no error', async () => {
    await at.page.getByRole('region', { name: 'Messages' }).evaluate(NARROW_BY_HEIGHT);
    await at.page.evaluate(RECORD_ERRORS);
    await writeCapsule(at.page, capsule('In motion'));
    await create();
    await at.page.getByText('Time capsule created successfully!').waitFor();
    await at.page.locator('dialog[data-rests]').waitFor();
    expect(await at.page.evaluate('uncaught')).toEqual([]);
  });

  it('on a phone, messages come one at a time, and none lies over its buttons', async () => {
    await arrive({ viewport: { width: 360, height: 640 }, reducedMotion: 'reduce' });
    await writeCapsule(at.page, capsule('Under messages', ['Ada Lovelace', 'Mia Becker']));
    await create();
    await moment().waitFor();
    await at.page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("No"))');
    await inMoment('Copy a link for Mia').click();
    const messages = at.page.getByRole('region', { name: 'Messages' });
    const failure = messages.getByText("We couldn't copy the link");
    await failure.waitFor();
    const success = messages.getByText('Time capsule created successfully!');
    expect([await success.count(), await success.isVisible()]).toEqual([1, false]);
    await moment().evaluate(SCROLL_TO_END);
    for (const name of ['Add to calendar', 'Copy a link for Mia', 'Done']) {
      expect(await inMoment(name).evaluate(IS_ON_TOP), name).toBe(true);
    }
    // What lay beneath comes back, and goes by itself.
    await messages.getByRole('button', { name: /^Dismiss/ }).click();
    await success.waitFor();
    await inMoment('Copy a link for Mia').click();
    await failure.waitFor();
    // It goes beside the failure as well, where the window has become wide enough for both.
    await at.page.setViewportSize({ width: 1280, height: 800 });
    await success.waitFor();
    await success.waitFor({ state: 'detached' });
    expect(await failure.isVisible()).toBe(true);
  });

  it('is shown by a page that has the focus', async () => {
    const other = await at.visitor.context.newPage();
    await lookAtMoments(other);
    await other.goto('/dashboard');
    // Here all pages say that they have the focus.
    await other.evaluate('document.hasFocus = () => false');
    await writeCapsule(at.page, capsule('Side by side'));
    await create();
    await other.getByText('“Side by side” has been sealed.').waitFor();
    // By then the other page has long had a good moment.
    await at.page.locator('dialog[data-rests]').waitFor();
    await inMoment('Done').click();
    await moment().waitFor({ state: 'detached' });
    await cardOf('Side by side').waitFor();
    expect(await sealingMoment(other).count()).toBe(0);
    await other.close();
  });

  it('of several capsules that arrive together is one', async () => {
    await fillCapsule(at.page, capsule('First'));
    await at.visitor.context.setOffline(true);
    await create();
    await at.page.waitForURL('/dashboard');
    await fillCapsule(at.page, capsule('Second'));
    await create();
    await at.page.waitForURL('/dashboard');
    await at.visitor.context.setOffline(false);
    await at.page.getByText('“First” has been sealed.').waitFor();
    await at.page.getByText('“Second” has been sealed.').waitFor();
    await at.page.locator('dialog[data-rests]').waitFor();
    await inMoment('Done').click();
    await moment().waitFor({ state: 'detached' });
  });

  it('by keyboard: Enter does not wait, Escape goes on', async () => {
    await writeCapsule(at.page, capsule('By keyboard'));
    await at.page.getByRole('button', { name: 'Create Time Capsule' }).press('Enter');
    await focused(heading());
    await at.page.keyboard.press('Enter');
    await at.page.locator('dialog[data-rests]').waitFor();
    await at.page.keyboard.press('Tab');
    await focused(inMoment('Add to calendar'));
    await at.page.keyboard.press('Tab');
    await focused(inMoment('Done'));
    const card = cardOf('By keyboard');
    await card.waitFor();
    await at.page.keyboard.press('Escape');
    await moment().waitFor({ state: 'detached' });
    await focused(card.getByRole('button', { name: 'View details of By keyboard' }));
  });

  it('with reduced motion there is nothing to wait for', async () => {
    await arrive({ reducedMotion: 'reduce' });
    await writeCapsule(at.page, capsule('Quietly'));
    await create();
    await moment().waitFor();
    expect(await moment().getAttribute('data-rests')).not.toBeNull();
    await at.page.keyboard.press('Escape');
    await moment().waitFor({ state: 'detached' });
  });

  it('its day goes into the calendar, and nothing of what it holds', async () => {
    await writeCapsule(at.page, capsule('A secret title', ['Mia Becker']));
    await create();
    await at.page.locator('dialog[data-rests]').waitFor();
    const { name, bytes } = await downloaded(at.page, () => inMoment('Add to calendar').click());
    const tomorrow = addDays(dayAt(new Date(), 'UTC'), 1);
    expect(name).toBe(`time-capsule-${tomorrow}.ics`);
    const text = bytes.toString();
    expect(text).toContain(`DTSTART;VALUE=DATE:${tomorrow.replaceAll('-', '')}\r\n`);
    expect(text).toContain('SUMMARY:A time capsule opens\r\n');
    expect(text).not.toMatch(/secret|Mia|cold|winter/);
  });

  it('without a share sheet, a link for Mia is copied', async () => {
    await at.visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await writeCapsule(at.page, capsule('For Mia', ['Mia Becker']));
    await create();
    await at.page.locator('dialog[data-rests]').waitFor();
    const place = () => inMoment('Done').boundingBox();
    const before = await place();
    await inMoment('Copy a link for Mia').click();
    await at.page.getByText('Link copied.').waitFor();
    expect(await place()).toEqual(before);
    const copied = await at.page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(
      /^I've sealed a time capsule for you\. It opens on \d+ \w+ \d{4}\.\nhttp/,
    );
    const capsuleId = /capsule=([\w-]+)$/.exec(copied)?.[1];
    await at.page.locator(`[data-capsule="${capsuleId}"]`).filter({ hasText: 'For Mia' }).waitFor();
  });
});

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
