import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { whileHeld } from '../support/break-calls.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUp } from '../support/client.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const NOTHING_CREATED = "You haven't created a capsule yet.";

describe('the tab that is shown first', () => {
  const world = sharedWorld();
  let ada: SignedIn;

  const panel = (page: Page) => page.getByRole('tabpanel').filter({ visible: true });
  const selected = (page: Page) => page.getByRole('tab', { selected: true }).innerText();

  async function newcomer(name: string) {
    const person = await signUp(world.server.url, name);
    return { person, access: { email: person.user.email, password: person.password } };
  }

  beforeAll(async () => {
    ada = await signUp(world.server.url, 'Ada Lovelace');
  });

  it('is what was received, for who only receives: at each visit, and without a connection', async () => {
    const { person, access } = await newcomer('Mia Received');
    await seal(ada, person, { title: 'For Mia' });
    const { page, context } = await world.visit();
    await signIn(page, access);
    await panel(page).getByRole('heading', { name: 'For Mia' }).waitFor();
    expect(await selected(page)).toBe('Shared With Me (1)');
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.goto('/dashboard');
    await panel(page).getByRole('heading', { name: 'For Mia' }).waitFor();
    await context.setOffline(true);
    await page.goto('/dashboard');
    await panel(page).getByRole('heading', { name: 'For Mia' }).waitFor();
    expect(await page.getByText(NOTHING_CREATED).isVisible()).toBe(false);
  });

  it('is the chosen one for who has chosen, after a reload and by the header', async () => {
    const { person, access } = await newcomer('Mia Chooses');
    await seal(ada, person);
    const { page } = await world.open();
    await signIn(page, access);
    await panel(page).getByRole('article').waitFor();
    await page.getByRole('tab', { name: 'My Capsules (0)' }).click();
    await panel(page).getByText(NOTHING_CREATED).waitFor();
    await page.reload();
    await panel(page).getByText(NOTHING_CREATED).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Create Capsule' }).click();
    await page.waitForURL('/create');
    await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
    await panel(page).getByText(NOTHING_CREATED).waitFor();
  });

  it('shows the first capsule that came since, and nothing else before it', async () => {
    const { person, access } = await newcomer('Mia First');
    const { page } = await world.open();
    await signIn(page, access);
    await panel(page).getByText(NOTHING_CREATED).waitFor();
    await page.goto('/help');
    await seal(ada, person, { title: 'The very first' });
    await whileHeld(page, '/api/capsules/received', async () => {
      await page.goto('/dashboard');
      await panel(page).getByText('Loading capsules...').waitFor();
      expect(await page.getByText(NOTHING_CREATED).isVisible()).toBe(false);
    });
    await panel(page).getByRole('heading', { name: 'The very first' }).waitFor();
  });

  it('stays when something comes while it is read', async () => {
    const { person, access } = await newcomer('Mia Reads');
    const { page } = await world.open();
    await signIn(page, access);
    await panel(page).getByText(NOTHING_CREATED).waitFor();
    await seal(ada, person);
    await page.evaluate("dispatchEvent(new Event('online'))");
    await page.getByRole('tab', { name: 'Shared With Me (1)' }).waitFor();
    expect(await selected(page)).toBe('My Capsules (0)');
    await panel(page).getByText(NOTHING_CREATED).waitFor();
  });
});
