import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { whileBroken, whileHeld } from '../support/break-calls.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { sharedWorld } from '../support/world.ts';

describe('a public profile', () => {
  const world = sharedWorld();
  let page: Page;
  let grace: SignedIn;

  beforeAll(async () => {
    grace = await signUp(world.server.url, 'Grace Hopper');
    await grace.put('/user/update-profile', { ...grace.user, bio: 'Finds moths' });
    const ada = await signUp(world.server.url, 'Ada Lovelace');
    await seal(grace, ada);
    await seal(grace, ada);
    await seal(ada, grace);
    ({ page } = await world.open());
  });

  it('shows a skeleton, then name, e-mail, bio, joined date and counts, to a visitor too [2.routes.8 2.public.1 2.public.5 2.public.6 6.roles.2]', async () => {
    await whileHeld(page, '/community/public-profile', async () => {
      await page.goto(`/profile/${grace.user.id}`);
      await page.getByText('Loading profile...').waitFor({ state: 'attached' });
      expect(await page.getByRole('main').locator('[class*=skeleton]').count()).toBeGreaterThan(3);
    });
    const main = page.getByRole('main');
    await main.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
    await main.getByText(grace.user.email, { exact: true }).waitFor();
    await main.getByText('Finds moths', { exact: true }).waitFor();
    await main.getByText(/^Joined \d+ \w+ \d{4}$/).waitFor();
    const facts = async () =>
      (await main.locator('dl > div').allInnerTexts()).map((text) =>
        text.split(/\s*\n\s*/).toSorted(),
      );
    await expect.poll(facts).toEqual([
      ['2', 'Capsules Created'],
      ['1', 'Capsules Received'],
    ]);
  });

  it('announces public capsules [2.public.7]', async () => {
    await page.getByRole('heading', { name: 'Public Capsules' }).waitFor();
    await page.getByText('Public capsule sharing coming soon!', { exact: true }).waitFor();
  });

  it('of nobody is Profile Not Found, with a way back [2.public.3 2.public.4]', async () => {
    await page.goto('/terms');
    await page.goto('/profile/00000000-0000-4000-8000-000000000000');
    await page.getByRole('heading', { name: 'Profile Not Found' }).waitFor();
    await page.getByText("This user profile doesn't exist or is private.").waitFor();
    await page.getByRole('button', { name: 'Go Back' }).click();
    await page.waitForURL('/terms');
  });

  it('that fails shows the error message [2.public.2 8.errors.19]', async () => {
    await whileBroken(page, '/community/public-profile', 'cut', async () => {
      await page.goto(`/profile/${grace.user.id}`);
      await page.getByRole('heading', { name: 'Profile Not Found' }).waitFor();
      await page.getByText('Network Error', { exact: true }).waitFor();
    });
  });

  it('that fails without a word says Failed to load profile [8.errors.20]', async () => {
    const silent = { status: 500, body: { message: '', code: 'INTERNAL' } };
    await whileBroken(page, '/community/public-profile', silent, async () => {
      await page.goto(`/profile/${grace.user.id}`);
      await page.getByText('Failed to load profile', { exact: true }).waitFor();
    });
  });
});
