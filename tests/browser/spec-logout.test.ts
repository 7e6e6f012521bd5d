import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { whileBroken, whileHeld } from '../support/break-calls.ts';
import type { Visitor } from '../support/browser.ts';
import { signUp } from '../support/client.ts';
import { answer, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const QUESTION = 'Are you sure you want to logout?';
const FAILURE = 'Unable to logout due to technical issues. Please try again.';
const stored = (key: string) => `localStorage.getItem('${key}')`;

describe('logging out', () => {
  const world = sharedWorld();
  let visitor: Visitor;
  let page: Page;

  const logout = () => page.getByRole('banner').getByRole('button', { name: 'Logout' });

  beforeAll(async () => {
    const { user, password } = await signUp(world.server.url, 'Leaving Lee');
    visitor = await world.open();
    page = visitor.page;
    await signIn(page, { email: user.email, password });
  });

  it('asks first, and declining does nothing [2.logout.1]', async () => {
    let calls = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/auth/logout')) calls += 1;
    });
    await logout().click();
    await answer(page, QUESTION, 'Cancel');
    await logout().waitFor();
    expect(calls).toBe(0);
    expect(await page.evaluate(stored('isLoggedIn'))).toBe('true');
  });

  it('that fails is logged and said, and one stays signed in [8.errors.6]', async () => {
    await whileBroken(page, '/auth/logout', 'cut', async () => {
      await logout().click();
      await answer(page, QUESTION, 'OK');
      await page.getByText(FAILURE, { exact: true }).waitFor();
    });
    await expect.poll(() => visitor.problems).toContain('uncaught: Network Error');
    await logout().waitFor();
    expect(await page.evaluate(stored('isLoggedIn'))).toBe('true');
    await page.reload();
    await page.getByRole('tab', { name: /My Capsules/ }).waitFor();
  });

  it('is busy, then clears flag and authToken and leads home [2.logout.2 2.logout.3 2.logout.4 4.auth.4 9.limits.18]', async () => {
    await whileBroken(page, '/auth/logout', 'cut', async () => {
      await logout().click();
      await answer(page, QUESTION, 'OK');
      await page.getByText(FAILURE).waitFor();
    });
    await page.evaluate(`localStorage.setItem('authToken', 'left by an older version')`);
    await whileHeld(page, '/auth/logout', async () => {
      await logout().click();
      await answer(page, QUESTION, 'OK');
      await page.getByRole('button', { name: 'Logging out...' }).waitFor();
    });
    await page.waitForURL('/');
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
    // What was said to one person is nothing for the next one.
    await page.getByText(FAILURE).waitFor({ state: 'detached' });
    expect(await page.evaluate(stored('isLoggedIn'))).toBeNull();
    expect(await page.evaluate(stored('authToken'))).toBeNull();
  });
});
