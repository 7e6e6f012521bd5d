import { describe, expect, it } from 'vitest';
import { addDays, dayAt } from '../../shared/day.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { downloaded } from '../support/browser.ts';
import { atMoment } from '../support/moment.ts';
import { writeCapsule } from '../support/screens.ts';

describe('the moment of sealing', () => {
  const { at, arrive, moment, heading, inMoment, focused, cardOf, create, capsule } = atMoment();

  it('comes with the 201, rests until it is dismissed, and shows the new card', async () => {
    await writeCapsule(at.page, capsule('The lake'));
    await create();
    await at.page.getByText('Time capsule created successfully!').waitFor();
    await focused(heading());
    const tomorrow = addDays(dayAt(new Date(), 'UTC'), 1);
    expect(await heading().innerText()).toMatch(
      new RegExp(`^Sealed until ${Number(tomorrow.slice(8))} \\w+ \\d{4}\\.\\s+See you then\\.$`),
    );
    await at.page.waitForURL('/dashboard');
    // It closes by itself, and then it rests.
    await at.page.locator('dialog[data-rests]').waitFor();
    expect(await axeInBothSchemes(at.page)).toEqual([]);
    expect(await inMoment('Tell').count()).toBe(0);
    await inMoment('Done').click();
    await moment().waitFor({ state: 'detached' });
    await focused(at.page.getByRole('heading', { level: 1 }));
    const card = cardOf('The lake');
    await expect.poll(() => card.evaluate(IN_SIGHT)).toBe(true);
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
    await at.page.keyboard.press('Escape');
    await moment().waitFor({ state: 'detached' });
    await focused(at.page.getByRole('heading', { level: 1 }));
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
    await inMoment('Tell Mia').click();
    await at.page.getByText('Link copied.').waitFor();
    const copied = await at.page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(
      /^I've sealed a time capsule for you\. It opens on \d+ \w+ \d{4}\. http/,
    );
    const capsuleId = /capsule=([\w-]+)$/.exec(copied)?.[1];
    await at.page.locator(`[data-capsule="${capsuleId}"]`).filter({ hasText: 'For Mia' }).waitFor();
  });

  it('of a capsule sealed offline comes when it is true, and disturbs nobody who writes', async () => {
    await writeCapsule(at.page, capsule('From the train'));
    await at.visitor.context.setOffline(true);
    await create();
    await at.page.getByText(/^Waiting to be sent\. Saved on this device\./).waitFor();
    await at.page.getByText('1 capsule is waiting to be sent.').waitFor();
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
});

const IN_SIGHT = (card: unknown) => {
  const { top, bottom } = Object(card).getBoundingClientRect();
  return top >= 0 && bottom <= Object(globalThis).innerHeight;
};
