import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROXY_ERROR, whileBroken, whileHeld } from '../support/break-calls.ts';
import type { Visitor } from '../support/browser.ts';
import { PASSWORD, signUp } from '../support/client.ts';
import { sharedWorld } from '../support/world.ts';

const LOGGED_IN = 'localStorage.getItem("isLoggedIn")';

describe('the auth screen', () => {
  const world = sharedWorld();
  let visitor: Visitor;
  let page: Page;

  const field = (name: string) => page.getByRole('main').getByLabel(name, { exact: true });
  const submit = (name: string) =>
    page.getByRole('main').getByRole('button', { name, exact: true }).click();
  /** The sentence that a field is described by. */
  const errorOf = async (name: string) => {
    const id = (await field(name).getAttribute('aria-describedby'))?.split(' ')[0];
    const isInvalid = (await field(name).getAttribute('aria-invalid')) === 'true';
    return id && isInvalid ? page.locator(`[id="${id}"]`).innerText() : null;
  };

  beforeAll(async () => {
    visitor = await world.open();
    page = visitor.page;
    await page.goto('/auth');
  });

  it('login mode: no name, a link to register and Forgot password? [2.routes.2 2.auth.4 6.roles.1]', async () => {
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
    expect(await field('Name').count()).toBe(0);
    await page.getByRole('link', { name: "Don't have an account? Create one" }).waitFor();
    await field('Email').fill('ada@example.com');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.waitForURL('/auth/forgot-password');
    expect(await field('Email').inputValue()).toBe('ada@example.com');
    await page.goBack();
  });

  it('login mode: what is missing or wrong is said under each field [2.auth.8 5.auth.2 5.auth.3 5.auth.4 5.auth.5]', async () => {
    await submit('Sign In');
    await expect.poll(() => errorOf('Email')).toBe('Email is required');
    await expect.poll(() => errorOf('Password')).toBe('Password is required');
    await field('Email').fill('ada@nowhere');
    await field('Password').fill('1234');
    await submit('Sign In');
    await expect.poll(() => errorOf('Email')).toBe('Please enter a valid email');
    await expect.poll(() => errorOf('Password')).toBe('Password must be at least 5 characters');
  });

  it('an error clears when its own field is edited [5.auth.6]', async () => {
    await field('Email').fill('ada@nowhere.org');
    await expect.poll(() => errorOf('Email')).toBeNull();
    await expect.poll(() => errorOf('Password')).toBe('Password must be at least 5 characters');
  });

  it('the toggle link opens register mode with an empty form [2.auth.2 2.auth.4 2.auth.6]', async () => {
    await page.getByRole('link', { name: "Don't have an account? Create one" }).click();
    await page.waitForURL('/auth?register=true');
    await field('Name').waitFor();
    expect(await field('Email').inputValue()).toBe('');
    expect(await field('Password').inputValue()).toBe('');
    expect(await errorOf('Password')).toBeNull();
    expect(await page.getByRole('link', { name: 'Forgot password?' }).count()).toBe(0);
  });

  it('register mode: what is missing is said under each field [5.auth.1 5.auth.2 5.auth.4 5.auth.5]', async () => {
    await submit('Create Account');
    await expect.poll(() => errorOf('Name')).toBe('Name is required');
    await expect.poll(() => errorOf('Email')).toBe('Email is required');
    await expect.poll(() => errorOf('Password')).toBe('Password is required');
    await field('Name').fill('Ada');
    await expect.poll(() => errorOf('Name')).toBeNull();
    await field('Password').fill('1234');
    await submit('Create Account');
    await expect.poll(() => errorOf('Password')).toBe('Password must be at least 5 characters');
  });

  it('the other toggle link leads back to login mode [2.auth.3]', async () => {
    await page.getByRole('link', { name: 'Already have an account? Sign In' }).click();
    await page.waitForURL('/auth');
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
    expect(await field('Email').inputValue()).toBe('');
  });

  it("a refused sign-in shows the server's sentence above the form [2.auth.7 8.errors.1]", async () => {
    await field('Email').fill('nobody@example.org');
    await field('Password').fill('wrong one');
    await submit('Sign In');
    const alert = page.getByRole('main').getByRole('alert');
    await alert.getByText('Invalid email or password').waitFor();
    const isAbove = async () => {
      const [first, second] = [await alert.boundingBox(), await field('Email').boundingBox()];
      return first && second && first.y < second.y;
    };
    await expect.poll(isAbove).toBe(true);
    const broken = { status: 500, body: { message: 'The cellar is flooded', code: 'INTERNAL' } };
    await whileBroken(page, '/auth/login', broken, async () => {
      await submit('Sign In');
      await alert.getByText('The cellar is flooded').waitFor();
    });
  });

  it('a sign-in that fails without a sentence has one of its own [8.errors.2]', async () => {
    const alert = page.getByRole('main').getByRole('alert');
    await whileBroken(page, '/auth/login', PROXY_ERROR, async () => {
      await submit('Sign In');
      await alert.getByText('Invalid email or password').waitFor();
    });
    await whileBroken(page, '/auth/login', 'cut', async () => {
      await submit('Sign In');
      await alert.getByText('Network Error').waitFor();
    });
    expect(await field('Email').inputValue()).toBe('nobody@example.org');
    expect(await field('Password').inputValue()).toBe('wrong one');
  });

  it("a refused registration shows the server's sentence, else its own [8.errors.3]", async () => {
    const { user } = await signUp(world.server.url, 'Ada Taken');
    await page.goto('/auth?register=true');
    await field('Name').fill('Ada');
    await field('Email').fill(user.email);
    await field('Password').fill(PASSWORD);
    await submit('Create Account');
    const alert = page.getByRole('main').getByRole('alert');
    await alert.getByText('An account with this email already exists').waitFor();
    await whileBroken(page, '/auth/register', PROXY_ERROR, async () => {
      await submit('Create Account');
      await alert.getByText('Failed to create account').waitFor();
    });
    const tooMany = { message: 'Too many attempts.', code: 'RATE_LIMITED' };
    await whileBroken(page, '/auth/register', { status: 429, body: tooMany }, async () => {
      await submit('Create Account');
      await alert.getByText('Too many attempts.').waitFor();
    });
    const typed = ['Name', 'Email', 'Password'].map((name) => field(name).inputValue());
    expect(await Promise.all(typed)).toEqual(['Ada', user.email, PASSWORD]);
  });

  it('a registration says so, leads home and does not sign in [4.auth.2]', async () => {
    await field('Email').fill('new@example.org');
    await submit('Create Account');
    await page.getByText('Account created successfully!').waitFor();
    await page.waitForURL('/');
    expect(await page.evaluate(LOGGED_IN)).toBeNull();
  });

  it('EMAIL_NOT_VERIFIED opens the verification prompt with the returned address [4.auth.6 8.errors.4]', async () => {
    await page.goto('/auth');
    await field('Email').fill('typed@example.org');
    await field('Password').fill(PASSWORD);
    const body = { message: 'Verify', code: 'EMAIL_NOT_VERIFIED', email: 'told@example.org' };
    const prompt = page.getByRole('dialog', { name: 'Verify your email' });
    await whileBroken(page, '/auth/login', { status: 403, body }, async () => {
      await submit('Sign In');
      await prompt.getByText('told@example.org').waitFor();
    });
    await page.keyboard.press('Escape');
    await prompt.waitFor({ state: 'hidden' });
  });

  it('a sign-in is busy, then welcomes, stores the flag and leads to the dashboard [4.auth.3]', async () => {
    await field('Email').fill('new@example.org');
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/auth/login')) sent += 1;
    });
    await whileHeld(page, '/auth/login', async () => {
      await submit('Sign In');
      await page.getByRole('button', { name: 'Signing in…' }).press('Enter');
      await field('Password').press('Enter');
    });
    await page.getByText('Welcome back!').waitFor();
    await page.waitForURL('/dashboard');
    // The browser may tell of a request after the page has changed.
    await expect.poll(() => sent).toBe(1);
    expect(await page.evaluate(LOGGED_IN)).toBe('true');
  });

  it('who is signed in is led from /auth to the dashboard, after a reload too [2.auth.5 4.auth.1 6.roles.10]', async () => {
    await page.goto('/auth?register=true');
    await page.waitForURL('/dashboard');
  });

  it('any 401 removes the stored flag [4.auth.5 6.roles.6 8.errors.5]', async () => {
    await world.server.deps.db.execute('delete from sessions');
    await page.goto('/dashboard');
    await page.waitForURL('/');
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
    expect(await page.evaluate(LOGGED_IN)).toBeNull();
  });
});
