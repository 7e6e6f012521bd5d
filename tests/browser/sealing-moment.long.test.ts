import { describe, expect, it } from 'vitest';
import { addDays, dayAt } from '../../shared/day.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import { atMoment } from '../support/moment.ts';
import { writeCapsule } from '../support/screens.ts';

describe('the moment of sealing', () => {
  const { at, moment, heading, inMoment, focused, cardOf, create, capsule } = atMoment();

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
});

const IN_SIGHT = (card: unknown) => {
  const { top, bottom } = Object(card).getBoundingClientRect();
  return top >= 0 && bottom <= Object(globalThis).innerHeight;
};
