import { beforeAll, describe, expect, it } from 'vitest';
import { listDrafts } from '../../shared/api/drafts.ts';
import { seal } from '../support/capsules.ts';
import { answerOf, PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { newDraft } from '../support/contributions.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

describe('what goes and what waits', () => {
  const { server, open } = sharedWorld();
  let ada: SignedIn;

  beforeAll(async () => {
    ada = await signUp(server.url, 'Ada Lovelace');
    // Its recipient can block who sent it, or report it.
    await seal(await signUp(server.url, 'Bob Lind'), ada, { title: 'The lake' });
  });

  it('Escape in a menu closes the menu, and not the dialog around it', async () => {
    const { page } = await open();
    await signIn(page, { email: ada.user.email, password: PASSWORD });
    await page.getByRole('tab', { name: 'Shared With Me (1)' }).click();
    await page.getByRole('button', { name: 'View details of The lake' }).click();
    const dialog = page.getByRole('dialog', { name: 'The lake' });
    await dialog.getByRole('button', { name: 'More about The lake' }).click();
    const menu = dialog.getByRole('menu');
    await menu.waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await dialog.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('what became of a draft elsewhere is told once the page is looked at again', async () => {
    const id = await newDraft(ada);
    const { page } = await open();
    await signIn(page, { email: ada.user.email, password: PASSWORD });
    await page.getByText('For Mia, 18').first().waitFor();
    const look = (state: string) =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await look('hidden');
    const { drafts } = answerOf(listDrafts, await ada.get('/api/drafts'));
    const base = drafts.find((draft) => draft.id === id)?.revision;
    await ada.delete(`/api/drafts/${id}?base=${base}`);
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await page.getByText('For Mia, 18').first().waitFor({ state: 'detached' });
    const news = page.getByText('“For Mia, 18” was discarded on another device.');
    expect(await news.count()).toBe(0);
    await look('visible');
    await news.waitFor();
  });
});
