import { describe, expect, it } from 'vitest';
import { PASSWORD, signUp } from '../support/client.ts';
import { answer, signInByForm } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

describe('an account, in the browser', () => {
  const { server, open } = sharedWorld();

  it('another cookie named XSRF-TOKEN, which comes before ours, keeps nobody out', async () => {
    const { user } = await signUp(server.url, 'Sub Domain');
    const { page, context } = await open();
    // The browser puts the cookie of the longer path first.
    const foreign = { name: 'XSRF-TOKEN', value: '%E0%A4%A', path: '/auth' };
    await context.addCookies([{ ...foreign, domain: new URL(server.url).hostname }]);
    await signInByForm(page, { email: user.email, password: PASSWORD });
  });

  it('a link that lost its end says so, and not that it was used', async () => {
    const { page, problems } = await open();
    for (const path of [
      '/auth/confirm-email',
      '/auth/undo-email#token=',
      '/auth/new-password?token=',
      '/auth/new-password',
      '/auth/still-yours',
      '/auth/verify-email',
      '/auth/refuse-invitation',
      '/auth?register=true&invitation=',
      '/auth?register=true#invitation=',
      '/notices/off',
    ]) {
      await page.goto('about:blank');
      await page.goto(path);
      await page.getByRole('heading', { level: 1, name: "This link isn't complete" }).waitFor();
      const text = await page.getByRole('main').innerText();
      expect(text, path).toContain('Please open the link in the email again');
      expect(text, path).not.toMatch(/used|expired|any more/);
    }
    await page.goto('/auth/reset-password');
    await page.getByText('Invalid or expired reset link', { exact: true }).waitFor();
    await page.getByText('Please open the link in the email again').waitFor();
    expect(problems).toEqual([]);
  });

  it.each(['#', '?'])('the token of a link leaves the address: %stoken=', async (mark) => {
    const { page, problems } = await open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`/notices/off${mark}token=keepsake.secret.part`);
    await page.getByText("We'll stop asking whether your address is still yours").waitFor();
    await expect.poll(() => page.url()).toBe(`${server.url}/notices/off`);
    await page.reload();
    await page.getByText("We'll stop asking whether your address is still yours").waitFor();
    await page.getByRole('button', { name: 'Turn them off' }).click();
    await page.getByRole('heading', { name: "This link doesn't work any more" }).waitFor();
    const named = asked.filter((url) => url.includes('secret') && !url.includes('#'));
    // Emails that were sent with it in the query ask for their page by it, once.
    expect(named.map((url) => new URL(url).pathname)).toEqual(mark === '?' ? ['/notices/off'] : []);
    expect(problems.filter((problem) => !problem.includes('status of 400'))).toEqual([]);
  });

  it('the link of another email, opened in the same page, asks anew', async () => {
    const { page } = await open();
    await page.goto('/notices/off#token=keepsake.secret.part');
    await page.getByText("We'll stop asking whether your address is still yours").waitFor();
    await page.getByRole('button', { name: 'Turn them off' }).click();
    await page.getByRole('heading', { name: "This link doesn't work any more" }).waitFor();
    await page.goto('/notices/off#token=capsule-opened.secret.part');
    await page.getByText("We'll stop emailing you when a capsule opens").waitFor();
    await page.getByRole('button', { name: 'Turn them off' }).waitFor();
  });

  it('a visitor who wants to create a capsule gets there by registering', async () => {
    const { page, problems } = await open();
    await page.goto('/');
    await page.getByRole('button', { name: 'Create Your Capsule' }).click();
    await answer(
      page,
      'You need to log in first to create a time capsule. Would you like to go to the login page?',
      'OK',
    );
    await page.getByRole('link', { name: "Don't have an account? Create one" }).click();
    await page.getByLabel('Name', { exact: true }).fill('New Nora');
    await page.getByLabel('Email', { exact: true }).fill('nora@example.org');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create Account' }).click();

    await page.waitForURL('/');
    const ready = page.getByRole('region', { name: 'Your account is ready' });
    // The news is above the heading of the page: reading, and the Tab key, go on from it.
    const focused = page.locator(':focus');
    await ready.getByRole('heading').and(focused).waitFor();
    await expect.poll(() => page.title()).toBe('Time Capsule');
    await page.keyboard.press('Tab');
    await ready.getByRole('link', { name: 'Sign in', exact: true }).and(focused).press('Enter');
    const email = page.getByLabel('Email', { exact: true });
    await expect.poll(() => email.inputValue()).toBe('nora@example.org');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
    await page.waitForURL('/create');
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await ready.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('signs in and out with nothing but a keyboard', async () => {
    const { user, password } = await signUp(server.url, 'Keyboard Kim');
    const { page, problems } = await open();
    await page.goto('/auth');
    const email = page.getByLabel('Email', { exact: true });
    await email.waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.getAttribute("type")');
    for (let step = 0; step < 20 && (await focused()) !== 'email'; step += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type(user.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.waitForURL('/dashboard');
    // A page that has just been changed to takes the focus once more.
    await page.getByRole('heading', { name: 'Time Capsule Dashboard' }).waitFor();

    const logout = page.getByRole('button', { name: 'Logout' }).first();
    await logout.press('Enter');
    const question = page.getByRole('alertdialog');
    await question.getByText('Are you sure you want to logout?').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe('/dashboard');

    await logout.click();
    await answer(page, 'Are you sure you want to logout?', 'OK');
    await page.waitForURL('/');
    expect(await page.evaluate('localStorage.getItem("isLoggedIn")')).toBeNull();

    expect(problems).toEqual([]);
  });
});
