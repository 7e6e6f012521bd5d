import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROXY_ERROR, whileBroken, whileHeld } from '../support/break-calls.ts';
import type { Visitor } from '../support/browser.ts';
import { signUp } from '../support/client.ts';
import { rare } from '../support/rare.ts';
import { signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const RESET = '/auth/reset-password';
const refusal = (message: string) => ({ status: 400, body: { message, code: 'INTERNAL' } });

describe('a forgotten password', () => {
  const world = sharedWorld();
  let visitor: Visitor;
  let page: Page;
  let email: string;

  const field = (label: string) => page.getByLabel(label, { exact: true });
  /** The view has changed: reading goes on at its heading, and the window says where one is. */
  const arrivesAt = async (heading: string) => {
    const h1 = page.getByRole('heading', { level: 1, name: heading });
    await h1.and(page.locator(':focus')).waitFor();
    await expect.poll(() => page.title()).toBe(`${heading} · Time Capsule`);
  };
  const button = (name: string) => page.getByRole('main').getByRole('button', { name });

  beforeAll(async () => {
    ({ email } = (await signUp(world.server.url, 'Fred Forgot')).user);
    visitor = await world.open();
    page = visitor.page;
    // The browser's clock runs as ever until a test stops it.
    await page.clock.install();
    await page.goto('/auth/forgot-password');
  });

  it('asks for an address, and says what is wrong with it [2.routes.3 2.forgot.1 2.forgot.2 5.forgot.1 5.forgot.2]', async () => {
    await button('Send Reset Link').click();
    await page.getByText('Please enter your email address', { exact: true }).waitFor();
    await page.getByLabel('Email', { exact: true }).fill('fred@home');
    await button('Send Reset Link').click();
    await page.getByText('Please enter a valid email address', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Back to Login' }).waitFor();
  });

  it("says why a link was not sent: the server's sentence, else its own [8.errors.21]", async () => {
    await page.getByLabel('Email', { exact: true }).fill(email);
    await whileBroken(page, '/auth/forgot-password', refusal('No mail today'), async () => {
      await button('Send Reset Link').click();
      await page.getByText('No mail today').waitFor();
    });
    for (const breakage of [PROXY_ERROR, 'cut' as const]) {
      await whileBroken(page, '/auth/forgot-password', breakage, async () => {
        await button('Send Reset Link').click();
        await page.getByText('Failed to send reset link. Please try again.').waitFor();
      });
    }
    expect(await field('Email').inputValue()).toBe(email);
  });

  it('then shows Check Your Email with the address and the five minutes [2.forgot.3 2.forgot.4 4.other.1]', async () => {
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/auth/forgot-password')) sent += 1;
    });
    await whileHeld(page, '/auth/forgot-password', async () => {
      await field('Email').press('Enter');
      await button('Sending…').waitFor();
      await field('Email').press('Enter');
    });
    await arrivesAt('Check Your Email');
    // The browser may tell of a request after the page has changed.
    await expect.poll(() => sent).toBe(1);
    await page.getByText(email).waitFor();
    await page
      .getByText("The link will expire in 5 minutes. Check your spam folder if you don't see it.", {
        exact: true,
      })
      .waitFor();
    await page.getByRole('link', { name: 'Back to Login' }).waitFor();
    expect(sent).toBe(1);
  });

  it('resending keeps the view, and says when it failed [2.forgot.5 8.errors.22]', async () => {
    await whileBroken(page, '/auth/forgot-password', 'cut', async () => {
      await button('Resend Email').click();
      await page.getByText('Failed to resend email. Please try again.').waitFor();
    });
    await button('Resend Email').click();
    await page.getByText('Sent again.').waitFor();
    await page.getByRole('heading', { name: 'Check Your Email' }).waitFor();
    await page.getByText(email).waitFor();
  });

  it('Back to Login leads to /auth [2.forgot.6 6.roles.1]', async () => {
    await page.getByRole('link', { name: 'Back to Login' }).click();
    await page.waitForURL('/auth');
  });

  it('a link is validated first [2.reset.1]', async () => {
    await whileHeld(page, '/auth/validate-token', async () => {
      await page.goto(`${RESET}?token=unknown`);
      await page.getByText('Validating reset link...').waitFor();
    });
  });

  it('an invalid link says so, why, and what to do [2.reset.2 2.reset.3 2.reset.4 4.other.2]', async () => {
    await page.getByRole('heading', { name: 'Invalid Reset Link' }).waitFor();
    await page.getByText('Invalid or expired reset link', { exact: true }).waitFor();
    await page
      .getByText(
        'The link may have expired or been used already. Please request a new password reset.',
      )
      .waitFor();
    const main = page.getByRole('main');
    await main.getByRole('link', { name: 'Back to Login' }).waitFor();
    await main.getByRole('link', { name: 'Request New Reset Link' }).click();
    await page.waitForURL('/auth/forgot-password');
  });

  it("a validation that fails shows the server's sentence, else its own [2.reset.2 8.errors.23]", async () => {
    await whileBroken(page, '/auth/validate-token', refusal('Used on Monday'), async () => {
      await page.goto(`${RESET}?token=x`);
      await page.getByText('Used on Monday').waitFor();
    });
    await whileBroken(page, '/auth/validate-token', PROXY_ERROR, async () => {
      await page.goto(`${RESET}?token=x`);
      await page.getByRole('heading', { name: 'Invalid Reset Link' }).waitFor();
      await page.getByText('Invalid or expired reset link', { exact: true }).waitFor();
    });
  });

  it('a valid link shows two password fields, each with a show and hide toggle [2.routes.4 2.reset.5 2.reset.6 6.roles.1]', async () => {
    await page.goto((await world.server.mailedLink(email, RESET)).href);
    for (const label of ['New Password', 'Confirm New Password']) {
      const field = page.getByLabel(label, { exact: true });
      await field.waitFor();
      expect(await field.getAttribute('type')).toBe('password');
      await page.getByRole('button', { name: `Show ${label.toLowerCase()}`, exact: true }).click();
      expect(await field.getAttribute('type')).toBe('text');
      await page.getByRole('button', { name: `Hide ${label.toLowerCase()}`, exact: true }).click();
      expect(await field.getAttribute('type')).toBe('password');
    }
  });

  it('a new password is refused when missing, short or not confirmed [2.reset.7 5.forgot.3 5.forgot.4 5.forgot.5]', async () => {
    const update = button('Update Password');
    await update.click();
    await page.getByText('Password is required', { exact: true }).waitFor();
    await page.getByLabel('New Password', { exact: true }).fill('1234');
    await update.click();
    await page.getByText('Password must be at least 5 characters long', { exact: true }).waitFor();
    await page.getByLabel('New Password', { exact: true }).fill('remembered');
    await page.getByLabel('Confirm New Password', { exact: true }).fill('remembred');
    await update.click();
    await page.getByText('Passwords do not match', { exact: true }).waitFor();
    await page.getByLabel('Confirm New Password', { exact: true }).fill('remembered');
  });

  it("a reset that fails shows the server's sentence, else its own [8.errors.24]", async () => {
    // A POST to the address of the page itself.
    const update = button('Update Password');
    await whileBroken(page, RESET, refusal('Not on a Sunday'), async () => {
      await update.click();
      await page.getByText('Not on a Sunday').waitFor();
    });
    for (const breakage of [PROXY_ERROR, 'cut' as const]) {
      await whileBroken(page, RESET, breakage, async () => {
        await update.click();
        await page.getByText('Failed to reset password. Please try again.').waitFor();
      });
    }
    expect(await button('Try again').count()).toBe(0);
    expect(await page.getByRole('main').getByRole('link').count()).toBe(0);
    // Five minutes are soon over while one thinks about a password.
    const expired = { message: 'Invalid or expired reset link', code: 'INVALID_RESET_TOKEN' };
    await whileBroken(page, RESET, { status: 400, body: expired }, async () => {
      await update.click();
      await page.getByText('Invalid or expired reset link').waitFor();
    });
    const again = page.getByRole('main').getByRole('link', { name: 'Request New Reset Link' });
    expect(await again.getAttribute('href')).toBe('/auth/forgot-password');
    expect(await field('New Password').inputValue()).toBe('remembered');
    expect(await field('Confirm New Password').inputValue()).toBe('remembered');
  });

  it('a reset is confirmed, and leads to /auth after exactly three seconds [2.reset.8 2.reset.9 2.reset.10 4.other.3 9.limits.11]', async () => {
    // From here on time stands still but for what the test lets pass.
    await page.clock.pauseAt(Date.now() + 60_000);
    await field('Confirm New Password').press('Enter');
    await arrivesAt('Password Reset Successful');
    await page.getByText('Your password has been successfully updated.').waitFor();
    await page.getByRole('link', { name: 'Go to Login' }).waitFor();
    await page.clock.runFor(2_999);
    expect(new URL(page.url()).pathname).toBe(RESET);
    await page.clock.runFor(1);
    await page.waitForURL('/auth');
    await page.clock.resume();
  });

  rare('by somebody else leaves a person signed in who has this device', async () => {
    const anna = await signUp(world.server.url, 'Anna Stays');
    const ben = await signUp(world.server.url, 'Ben Resets');
    await ben.post('/auth/forgot-password', { email: ben.user.email });
    const link = await world.server.mailedLink(ben.user.email, RESET);
    const { page } = await world.open();
    await signIn(page, { email: anna.user.email, password: anna.password }, link.href);
    for (const label of ['New Password', 'Confirm New Password']) {
      await page.getByLabel(label, { exact: true }).fill('remembered');
    }
    await page.getByRole('main').getByRole('button', { name: 'Update Password' }).click();
    await page.getByRole('heading', { name: 'Password Reset Successful' }).waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).waitFor();
  });
});
