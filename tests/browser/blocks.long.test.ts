import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { reports } from '../../server/db/schema.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import type { Visitor } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { chooseFor, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

describe('somebody who is not wanted', () => {
  const world = sharedWorld({ clock: '2029-12-31T12:00:00Z' });
  let visitor: Visitor;
  let page: Page;
  let ada: SignedIn;
  let grace: SignedIn;

  const card = (title: string) => page.getByRole('article').filter({ hasText: title });
  const cards = () => page.getByRole('heading', { level: 3 }).allInnerTexts();

  beforeEach(async () => {
    const { url } = world.server;
    const suffix = randomUUID().slice(0, 8);
    ada = await signUp(url, `Ada ${suffix}`);
    grace = await signUp(url, `Grace ${suffix}`);
    await seal(ada, grace, { title: 'An advert' });
    await seal(grace, grace, { title: 'To myself' });
    visitor = await world.open();
    ({ page } = visitor);
    await page.clock.setFixedTime('2029-12-31T12:00:00Z');
    await signIn(page, { email: grace.user.email, password: grace.password });
    await page.getByRole('tab', { name: /^Shared With Me/ }).click();
    await card('An advert').waitFor();
  });

  const reload = async () => {
    await page.reload();
    await card('To myself').waitFor();
  };

  it('is blocked from the menu of a capsule, by keyboard, and unblocked in the profile', async () => {
    await page.getByRole('button', { name: 'More about An advert' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem').first().and(page.locator(':focus')).press('ArrowDown');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `Block ${ada.user.name}?` });
    await dialog.waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await chooseFor(page, 'An advert', 'Block Ada');
    await dialog.getByRole('button', { name: 'Block' }).click();
    await page.getByText("You've blocked Ada.").waitFor();
    // What was received before stays.
    await card('An advert').waitFor();
    await seal(ada, grace, { title: 'Another advert' });
    await reload();
    expect(await cards()).toEqual(expect.arrayContaining(['To myself', 'An advert']));
    expect(await cards()).not.toContain('Another advert');

    await page.goto('/profile/safety');
    await page.getByRole('link', { name: 'See people' }).click();
    await page.getByRole('heading', { name: 'People', exact: true }).waitFor();
    await page.getByText(ada.user.email).waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: `Unblock ${ada.user.name}` }).click();
    await page.getByText(/^Nobody\./).waitFor();
    await page.goto('/dashboard?tab=received');
    await card('Another advert').waitFor();
  });

  it('goes out of sight with all they have sent, also on the device', async () => {
    // Another device has blocked them; this one has the list saved.
    const body = { putAway: true };
    expect((await grace.put(`/user/blocked/${ada.user.id}`, body)).status).toBe(200);
    await reload();
    await expect.poll(cards).not.toContain('An advert');
    await visitor.context.setOffline(true);
    await page.getByRole('tab', { name: 'Shared With Me (1)' }).waitFor();
    await page.getByRole('searchbox').first().fill('advert');
    await page
      .getByText(/No capsules (found|here|match)/)
      .first()
      .waitFor();
    expect(await cards()).not.toContain('An advert');
    await visitor.context.setOffline(false);
  });

  it('is reported from the details, and blocked as well', async () => {
    await page.getByRole('button', { name: 'View details of An advert' }).click();
    const details = page.getByRole('dialog', { name: 'An advert' });
    await details.getByRole('button', { name: 'More about An advert' }).click();
    await page.getByRole('menuitem', { name: 'Report' }).click();
    const dialog = page.getByRole('dialog', { name: 'Report “An advert”' });
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await dialog.getByText('Please choose a reason').waitFor();
    expect(await axeInBothSchemes(page)).toEqual([]);
    await dialog.getByRole('radio', { name: 'Spam or advertising' }).check();
    await dialog.getByRole('textbox').fill('Buys nothing, sells everything.');
    await dialog.getByRole('checkbox', { name: 'Block Ada as well' }).check();
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await page.getByText("We've passed it on, and you've blocked Ada.").waitFor();
    await details.waitFor({ state: 'detached' });
    const rows = await world.server.deps.db.select().from(reports);
    expect(rows).toContainEqual(
      expect.objectContaining({ reason: 'spam', text: 'Buys nothing, sells everything.' }),
    );
    expect((await grace.get('/user/blocked')).text).toContain(ada.user.id);
  });

  it('is on the page as before where the code of a dialog cannot be loaded', async () => {
    await page.route(/\/static\/js\/(people|report)/, (route) => route.abort());
    await chooseFor(page, 'An advert', 'Report');
    await page.getByText("We couldn't load this part of the app.").waitFor();
    await card('An advert').waitFor();
  });

  it('is not reported without a network, which is said where it can be seen', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    await chooseFor(page, 'An advert', 'Report');
    const dialog = page.getByRole('dialog', { name: 'Report “An advert”' });
    await dialog.getByRole('radio', { name: 'Spam or advertising' }).check();
    await visitor.context.setOffline(true);
    await dialog.getByRole('button', { name: 'Send report' }).click();
    const failure = dialog.getByText('You need a connection to report something.');
    await failure.waitFor();
    // The body of the dialog ends above its buttons.
    const isSeen = async () => {
      const words = await failure.boundingBox();
      const button = await dialog.getByRole('button', { name: 'Send report' }).boundingBox();
      return words && button ? words.y + words.height < button.y : false;
    };
    await expect.poll(isSeen).toBe(true);
    await visitor.context.setOffline(false);
  });

  it('is blocked and unblocked on their profile, which says so', async () => {
    await page.goto(`/profile/${ada.user.id}`);
    await chooseFor(page, ada.user.name, 'Block Ada');
    const dialog = page.getByRole('dialog', { name: `Block ${ada.user.name}?` });
    await dialog.getByRole('button', { name: 'Block' }).click();
    await page.getByText("You've blocked Ada.", { exact: true }).waitFor();
    await chooseFor(page, ada.user.name, 'Unblock Ada');
    await page.getByText("You've blocked Ada.", { exact: true }).waitFor({ state: 'detached' });
    // Nothing of the kind stands on one's own capsules and profile.
    await page.goto(`/profile/${grace.user.id}`);
    await page.getByText('Capsules Received').waitFor();
    expect(await page.getByRole('button', { name: /^More about/ }).count()).toBe(0);
    await page.goto('/dashboard?tab=received');
    await page.getByRole('button', { name: 'Move out of sight To myself' }).waitFor();
    expect(await page.getByRole('button', { name: 'More about To myself' }).count()).toBe(0);
  });
});
