import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { listAdded } from '../../shared/api/contributions.ts';
import { answerOf, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { newDraft, newLink, Writer } from '../support/contributions.ts';
import { answer, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

describe('adding to a draft, in rarer states', () => {
  const { server, open, visit } = sharedWorld({ wholeBrowser: true });
  let anna: SignedIn;

  beforeAll(async () => {
    anna = await signUp(server.url, 'Anna Lind');
  });

  async function ask() {
    const draft = await newDraft(anna);
    return { draft, token: await newLink(anna, draft) };
  }

  const letter = (page: Page) => page.getByLabel('Your letter');

  async function write(page: Page, text: string) {
    await page.getByLabel('Your name').fill('Grandpa Karl');
    await letter(page).fill(text);
    await page.getByText(/^Saved in this browser/).waitFor();
  }

  async function names(draft: string) {
    const list = answerOf(listAdded, await anna.get(`/api/drafts/${draft}/contributions`));
    return list.contributions.map(({ name }) => name);
  }

  const arrived = (page: Page) =>
    page.getByRole('heading', { name: 'Sent to Anna', exact: true }).waitFor();

  it('goes on from another device by the personal link, and shows both letters', async () => {
    const { draft, token } = await ask();
    const { context, page } = await visit();
    const tablet = await open();
    for (const one of [context, tablet.context]) {
      await one.grantPermissions(['clipboard-read', 'clipboard-write']);
    }
    const linkOn = async (device: Page) => {
      await device.getByRole('button', { name: /my private link|Send it to yourself/ }).click();
      const copied = String(await device.evaluate('navigator.clipboard.readText()'));
      return copied.split('/add')[1] ?? '';
    };
    await page.goto(`/add#${token}`);
    await write(page, 'My blessing');
    await page.getByRole('button', { name: 'Send it to Anna' }).click();
    await arrived(page);
    const personal = await linkOn(page);

    await tablet.page.goto(`/add${personal}`);
    await tablet.page.getByText('My blessing').waitFor();
    await tablet.page.getByText('Whoever has the link you came by').waitFor();
    await tablet.page.getByText(/^Anna.* is making a time capsule/).waitFor();
    // Its secret does not stay in the address, which people copy.
    await expect.poll(() => tablet.page.url()).toBe(`${server.url}/add`);
    await page.getByRole('button', { name: 'Change it' }).click();
    await context.setOffline(true);
    await letter(page).fill('My blessing, from the train');
    await tablet.page.getByRole('button', { name: 'Change it' }).click();
    await letter(tablet.page).fill('My blessing, from the garden');
    await tablet.page.getByRole('button', { name: 'Done' }).click();
    // The server knows the new secret: before that, the link is still the former one.
    await tablet.page.getByText('Whoever has the link you came by').waitFor({ state: 'detached' });

    const next = await linkOn(tablet.page);
    expect(next).not.toBe(personal);

    await context.setOffline(false);
    const heading = "You've gone on with it on another device";
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.getByText('from the train').waitFor();
    await page.goto(`/add${next}`);
    // A word that both replaced stands twice, and what both began with once.
    const words = page.getByRole('region', { name: 'What you wrote' });
    await words.getByText(/^My blessing, from the (garden train|train garden)$/).waitFor();
    expect(await names(draft)).toEqual(['Grandpa Karl']);
  });

  it('an old personal link says so, and nothing that was removed is offered to be sent by one', async () => {
    const { draft, token } = await ask();
    const begun = new Writer(server.url, token);
    const newSecret = randomBytes(32).toString('base64url');
    await begun.save(0, { newSecret });
    const { page } = await open();
    await page.goto(`/add#${begun.id}.${begun.secret}`);
    await page.getByRole('heading', { name: "This link doesn't work any more" }).waitFor();
    await page.goto(`/add#${begun.id}.${newSecret}`);
    await page.getByText('A blessing').waitFor();
    await anna.delete(`/api/drafts/${draft}/contributions/${begun.id}`);
    await page.reload();
    await page.getByRole('heading', { name: "It isn't there any more" }).waitFor();
    expect(await page.getByRole('button', { name: 'Send it again' }).count()).toBe(0);
  });

  it('what is deleted leaves an empty form', async () => {
    const { token } = await ask();
    const { page } = await open();
    await page.goto(`/add#${token}`);
    await write(page, 'Half a letter');
    await page.getByRole('button', { name: 'Delete it' }).click();
    await answer(page, 'Delete it from this browser?', 'Delete it');
    await expect.poll(() => letter(page).inputValue()).toBe('');
    await page.reload();
    await expect.poll(() => letter(page).inputValue()).toBe('');
    expect(await page.getByText('Also from this browser').count()).toBe(0);
  });

  it('is written and sent by keyboard alone', async () => {
    const { draft, token } = await ask();
    const { page } = await open();
    await page.goto(`/add#${token}`);
    await page.getByLabel('Your name').waitFor();
    for (let tabs = 0; tabs < 5; tabs += 1) {
      await page.keyboard.press('Tab');
      if ((await page.locator('[name=name]:focus').count()) > 0) break;
    }
    await page.keyboard.type('Grandpa Karl');
    await page.keyboard.press('Tab');
    await page.keyboard.type('My blessing');
    for (let tabs = 0; tabs < 8; tabs += 1) {
      await page.keyboard.press('Tab');
      if ((await page.locator('[type=submit]:focus').count()) > 0) break;
    }
    await page.keyboard.press('Enter');
    await arrived(page);
    // Where the form was, its heading has the focus.
    const focused = await page.evaluate('document.activeElement.textContent');
    expect(focused).toMatch(/Sent to Anna|Sending/);
    expect(await names(draft)).toEqual(['Grandpa Karl']);
  });

  it('outlives a sign-out in the same browser, which knows nothing of it', async () => {
    const { token } = await ask();
    const { page } = await open();
    await page.goto(`/add#${token}`);
    await write(page, 'Half a letter');
    await signIn(page, { email: anna.user.email, password: PASSWORD });
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await answer(page, 'Are you sure you want to logout?', 'OK');
    await page.getByRole('link', { name: 'Login' }).first().waitFor();
    await page.goto(`/add#${token}`);
    await expect.poll(() => letter(page).inputValue()).toBe('Half a letter');
  });
});
