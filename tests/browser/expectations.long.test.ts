import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Capsule } from '../../shared/api/capsules.ts';
import { breakCalls, whileBroken, whileHeld } from '../support/break-calls.ts';
import type { Visitor } from '../support/browser.ts';
import { seal } from '../support/capsules.ts';
import { PASSWORD, type SignedIn, signUp } from '../support/client.ts';
import { type FixtureFile, photo } from '../support/fixtures.ts';
import { answer, SAVED, signIn, writeCapsule } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

/** What no line of the specification says, and everybody expects. */
describe('what people expect', () => {
  const world = sharedWorld();
  let ada: SignedIn;
  let capsule: Capsule;
  let visitor: Visitor;
  let stranger: Visitor;
  let phone: Visitor;
  let page: Page;

  const main = () => page.getByRole('main');
  const field = (name: string) => main().getByLabel(name, { exact: true });
  const dialog = () => page.getByRole('dialog', { name: capsule.title });
  const query = () => Object.fromEntries(new URL(page.url()).searchParams);

  beforeAll(async () => {
    const { url } = world.server;
    ada = await signUp(url, 'Ada Lovelace');
    const grace = await signUp(url, 'Grace Hopper');
    for (let n = 1; n <= 7; n += 1) {
      capsule = await seal(grace, ada, { title: `From Grace ${n}`, dateToUnlock: '2060-01-01' });
    }
    // Opened here, because several tests in a row use each of them.
    visitor = await world.open({ reducedMotion: 'reduce' });
    stranger = await world.open();
    phone = await world.open({ hasTouch: true, isMobile: true, locale: 'en-US' });
    page = visitor.page;
  });

  it('a link to a capsule leads there through the sign-in, also after a session has ended', async () => {
    const link = `/dashboard?tab=received&capsule=${capsule.id}`;
    await page.goto(link);
    await page.waitForURL('/');
    await main().getByRole('heading', { name: 'A capsule is waiting for you.' }).waitFor();
    // A day in the picture would pass for the day of this capsule.
    expect(await main().locator('figure text').count()).toBe(0);
    await main().getByRole('link', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('/auth');
    await enter(ada.user.email, PASSWORD);
    await dialog().waitFor();
    await expect.poll(query).toEqual({ tab: 'received', capsule: capsule.id });

    const messages = page.getByRole('region', { name: 'Messages' });
    await world.server.deps.db.execute('delete from sessions');
    await page.goto(link);
    await page.waitForURL('/');
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click();
    await enter(ada.user.email, PASSWORD);
    await dialog().waitFor();
    expect(await messages.getByText("You've been signed out.").count()).toBe(0);
  });

  it('closing what a link has opened stays on the dashboard; who leaves wants nothing back', async () => {
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/dashboard');
    await page.getByRole('button', { name: 'Logout' }).click();
    await answer(page, 'Are you sure you want to logout?', 'OK');
    await page.waitForURL('/');
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
    expect(await page.getByText("You've been signed out.").count()).toBe(0);
    await signIn(page, { email: ada.user.email, password: PASSWORD });
    expect(query()).not.toHaveProperty('capsule');
  });

  it('the back button takes back one step: a tab, a page, an open capsule', async () => {
    await page.goto('/help');
    await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
    await page.waitForURL('/dashboard');
    await page.getByRole('tab', { name: 'Shared With Me (7)' }).click();
    await main().getByRole('button', { name: 'Page 2' }).click();
    await main().getByRole('button', { name: 'View details of From Grace 1' }).click();
    const first = page.getByRole('dialog', { name: 'From Grace 1' });
    await first.waitFor();
    expect(query()).toMatchObject({ tab: 'received', page: '2' });

    await page.goBack();
    await first.waitFor({ state: 'detached' });
    expect(query()).toEqual({ tab: 'received', page: '2' });
    // Open, then closed by its button: that is no step of its own.
    await main().getByRole('button', { name: 'View details of From Grace 1' }).click();
    await first.getByRole('button', { name: 'Close' }).click();
    await first.waitFor({ state: 'detached' });
    await page.reload();
    await page.goBack();
    expect(query()).toEqual({ tab: 'received' });
    await page.goBack();
    expect(query()).toEqual({});
    await page.goBack();
    await page.waitForURL('/help');
  });

  it('turning a page leads the keyboard to its top, also while it is on its way', async () => {
    const { page } = await world.open({ storageState: await visitor.context.storageState() });
    const top = page.locator('section:focus');
    const name = () => top.getAttribute('aria-label');
    await page.goto('/dashboard?tab=received');
    const next = page.getByRole('main').getByRole('button', { name: 'Next page' });
    await next.waitFor();
    await whileHeld(page, '/api/capsules/received', async () => {
      await next.press('Enter');
      await expect.poll(name).toBe('Page 2');
    });
    await expect.poll(name).toBe('Page 2 of 2');
  });

  it('a question does not outlive the page that asked it', async () => {
    await page.goto('/help');
    await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('alertdialog').waitFor();
    await page.goBack();
    await page.waitForURL('/help');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Logout' }).waitFor();
  });

  it('every page has a title of its own', async () => {
    const titles: string[] = [];
    for (const path of ['/', '/dashboard', '/create', '/outbox', '/profile', '/help', '/no/such']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      titles.push(await page.title());
    }
    expect(titles).toEqual([
      'Time Capsule',
      'Dashboard · Time Capsule',
      'Create Capsule · Time Capsule',
      'Outbox · Time Capsule',
      'Profile · Time Capsule',
      'Help Center · Time Capsule',
      'Page not found · Time Capsule',
    ]);
    await page.goto(`/profile/${ada.user.id}`);
    await expect.poll(() => page.title()).toBe('Ada Lovelace · Time Capsule');
  });

  it('files can be dropped, pictures show themselves, counters warn', async () => {
    await page.goto('/create');
    await page.getByRole('tab', { name: 'Content' }).click();
    const zone = page.getByText('Add photos, videos or PDFs');
    await page.getByText('Up to 20 files, 100 MB each and 500 MB together.').waitFor();
    const dataTransfer = await page.evaluateHandle<unknown>(transferOf(await photo('lake.jpg')));
    await zone.dispatchEvent('drop', { dataTransfer });
    await page.getByText('1 File(s) Selected').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'lake.jpg' }).locator('img').waitFor();

    await field('Capsule Title').fill('x'.repeat(179));
    const left = main().getByRole('status').getByText('characters left');
    expect(await left.count()).toBe(0);
    await field('Capsule Title').press('y');
    await left.getByText('20 of 200').waitFor();
  });

  it('a capsule that the server has no time for is kept and goes later', async () => {
    await field('Capsule Title').fill('For a quiet day');
    await field('Description').fill('Not now');
    await main().getByRole('button', { name: 'Select Recipients' }).click();
    const people = page.getByRole('dialog', { name: 'Select Recipients' });
    await people.getByRole('searchbox').fill('ada');
    await people.getByRole('searchbox').press('Enter');
    await people.getByRole('checkbox', { name: /Ada/ }).click();
    // A chip takes its button along; the keyboard goes on beside it.
    await people.getByRole('button', { name: 'Remove Ada Lovelace' }).press('Enter');
    await people.getByRole('searchbox').and(page.locator(':focus')).waitFor();
    await people.getByRole('checkbox', { name: /Ada/ }).click();
    await people.getByRole('button', { name: 'Confirm Selection (1)' }).click();
    await main().getByRole('button', { name: '5 years' }).click();
    const card = main().getByRole('article').filter({ hasText: 'For a quiet day' });
    const body = { message: 'Too many attempts.', code: 'RATE_LIMITED' };
    await whileBroken(page, '/api/capsules', { status: 429, body }, async () => {
      await main().getByRole('button', { name: 'Create Time Capsule' }).click();
      await page.getByText("Saved on this device. We'll try again.").waitFor();
      await page.waitForURL('/dashboard');
    });
    await page.evaluate(`window.dispatchEvent(new Event('online'))`);
    await page.getByText('“For a quiet day” has been sealed.').waitFor();
    await page.getByRole('tab', { name: 'My Capsules (1)' }).waitFor();
    await card.getByRole('button', { name: 'View details of For a quiet day' }).waitFor();
    await card.getByText('1 file').waitFor();
  });

  it('what is discarded leaves the keyboard at the heading', async () => {
    await page.goto('/create');
    await field('Capsule Title').fill('Not worth it');
    await main().getByRole('button', { name: 'Discard draft' }).press('Enter');
    const focused = (heading: string) =>
      main().getByRole('heading', { level: 1, name: heading }).and(page.locator(':focus'));
    await answer(page, 'Discard the draft “Not worth it”?', 'Discard');
    await focused('Time Capsule Dashboard').waitFor();
    await page.getByText('“Not worth it” has been discarded.').waitFor();
    await page.goto('/create');
    await field('Capsule Title').fill('Nor this');
    await page.getByRole('complementary').getByText(SAVED).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
    await main().getByRole('button', { name: 'Discard Nor this' }).press('Enter');
    await answer(page, 'Discard the draft “Nor this”?', 'Discard');
    await focused('Time Capsule Dashboard').waitFor();
  });

  it('what was typed is still there after every refusal', async () => {
    await page.goto('/profile');
    const avatar = page.getByLabel('Avatar image');
    await field('Display name').fill('A');
    await field('Bio').fill('Engines');
    await main().getByRole('button', { name: 'Save Changes' }).click();
    await field('Display name').and(page.locator(':focus')).waitFor();
    expect(await field('Bio').inputValue()).toBe('Engines');

    await field('Display name').fill('Ada L');
    const { name, type, bytes } = await photo();
    await whileHeld(page, '/user/update-profile-photo', async () => {
      await avatar.setInputFiles({ name, mimeType: type, buffer: bytes });
      await main().getByRole('button', { name: 'Uploading...' }).waitFor();
      expect(await main().getByRole('button', { name: 'Save Changes' }).isEnabled()).toBe(false);
    });
    await main().getByRole('button', { name: 'Change avatar' }).waitFor();
    expect(await field('Display name').inputValue()).toBe('Ada L');
    await whileBroken(page, '/user/update-profile', 'cut', async () => {
      await main().getByRole('button', { name: 'Save Changes' }).click();
      await page.getByText('Failed to update profile').waitFor();
    });
    expect(await field('Display name').inputValue()).toBe('Ada L');

    // Saved after all, without an answer, it is nobody's change, and no newer name is taken back.
    const saved = () => page.evaluate(`localStorage.getItem('typed-profile:${ada.user.id}')`);
    expect(await saved()).not.toBeNull();
    for (const name of ['Ada L', 'Ada Lovelace']) {
      const change = `update users set name = '${name}', bio = 'Engines' where id = '${ada.user.id}'`;
      await world.server.deps.db.execute(change);
      await page.reload();
      await expect.poll(() => field('Display name').inputValue()).toBe(name);
      await expect.poll(saved).toBeNull();
    }
    await field('Display name').fill('Ada L');

    // The session has ended meanwhile: that is said.
    await world.server.deps.db.execute('delete from sessions');
    await main().getByRole('button', { name: 'Save Changes' }).click();
    await page.waitForURL('/');
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByText("You've been signed out.").waitFor();
    await messages.getByRole('button', { name: 'Sign in', exact: true }).click();
    await enter(ada.user.email, PASSWORD);
    await page.waitForURL('/profile');
    await expect.poll(() => field('Display name').inputValue()).toBe('Ada L');
    expect(await messages.getByText("You've been signed out.").count()).toBe(0);
    await main().getByRole('link', { name: 'Safety and data' }).click();
    await main().getByRole('link', { name: 'Change password' }).click();
    await page.waitForURL('/auth/forgot-password');
    await page.reload();
    await main().getByRole('heading', { name: 'Change password', level: 1 }).waitFor();
    await expect.poll(() => field('Email').inputValue()).toBe(ada.user.email);
    await main().getByRole('button', { name: 'Send Reset Link' }).click();
    await main().getByText(`We've sent a link to ${ada.user.email}.`).waitFor();
    await main().getByRole('link', { name: 'Back to Safety' }).click();
    await page.waitForURL('/profile/safety');

    page = stranger.page;
    await page.goto('/auth?register=true');
    await field('Name').fill('Ada');
    await enter(ada.user.email, PASSWORD, 'Create Account');
    await page.getByRole('alert').getByText('already exists').waitFor();
    expect(await field('Name').inputValue()).toBe('Ada');
    expect(await field('Email').inputValue()).toBe(ada.user.email);
    expect(await field('Password').inputValue()).toBe(PASSWORD);
  });

  it('browsers know each field, and passwords can be pasted and looked at', async () => {
    const purposes = async (path: string) => {
      await page.goto(path);
      await page.locator('form input').first().waitFor();
      return page.evaluate<string[]>(
        `Array.from(document.querySelectorAll('form input'), (input) => [input.autocomplete, input.type, input.enterKeyHint].join(' '))`,
      );
    };
    await breakCalls(page, '/auth/validate-token', { status: 200, body: { valid: true } });
    expect(await purposes('/auth/reset-password?token=good')).toEqual([
      'new-password password next',
      'new-password password go',
    ]);
    expect(await purposes('/auth/forgot-password')).toEqual(['username email send']);
    expect(await purposes('/auth?register=true')).toEqual([
      'name text next',
      'email email next',
      'new-password password go',
    ]);
    await field('Name').fill('x'.repeat(44));
    const left = main().getByRole('status').getByText('characters left');
    expect(await left.count()).toBe(0);
    await field('Name').press('y');
    await left.getByText('5 of 50').waitFor();
    expect(await purposes('/auth')).toEqual([
      'username email next',
      'current-password password go',
    ]);

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(`navigator.clipboard.writeText('from a manager')`);
    await field('Password').press('Control+V');
    expect(await field('Password').inputValue()).toBe('from a manager');
    expect(await field('Password').getAttribute('type')).toBe('password');
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await field('Password').getAttribute('type')).toBe('text');
  });

  it('a reset link is tried again when nobody has answered', async () => {
    await page.unrouteAll();
    await whileBroken(page, '/auth/validate-token', 'cut', async () => {
      await page.goto('/auth/reset-password?token=some');
      await main().getByText('Network Error').waitFor();
    });
    await main().getByRole('button', { name: 'Try again' }).click();
    await main().getByText('Invalid or expired reset link').waitFor();
    expect(await main().getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  it('a phone offers its camera, and dates are written as its owner writes them', async () => {
    page = phone.page;
    await signIn(page, { email: ada.user.email, password: PASSWORD }, '/create');
    await page.getByRole('tab', { name: 'Content' }).click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Take a photo' }).click(),
    ]);
    expect(await chooser.element().getAttribute('capture')).toBe('environment');
    const { name, type, bytes } = await photo();
    await chooser.setFiles({ name, mimeType: type, buffer: bytes });
    await page.getByText('1 File(s) Selected').waitFor();
    // It comes into view, above three buttons in one row.
    const top = async (name: string) =>
      (await page.getByRole('button', { name, exact: true }).boundingBox())?.y ?? Number.NaN;
    const row = () =>
      Promise.all(['Take a photo', 'Record a video', 'Record a voice memo'].map(top));
    // Asked until it rests: the page still scrolls to the file that came.
    await expect.poll(async () => new Set(await row()).size).toBe(1);
    const isAbove = async () => (await top(`Remove ${name}`)) < (await top('Take a photo'));
    await expect.poll(isAbove).toBe(true);
    await expect.poll(() => page.getByText('1 File(s) Selected').evaluate(IN_SIGHT)).toBe(true);
    // Below several files, what could not be added comes into view.
    await page.locator('input[type=file]').setInputFiles([
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((at) => ({
        ...{ name: `${at}.jpg`, mimeType: type },
        buffer: Buffer.concat([bytes, Buffer.from(at)]),
      })),
      { name: 'notes.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') },
    ]);
    await page.getByText('7 File(s) Selected').waitFor();
    const refused = page.getByText("We couldn't add notes.zip.");
    await expect.poll(() => refused.evaluate(IN_SIGHT)).toBe(true);

    // In the browser's own date field; the words follow the reader's English.
    await page.getByLabel('Unlock Date').fill('2031-01-31');
    await page.getByRole('complementary').getByText('January 31, 2031').waitFor();
  });

  it('a date that is half typed, or not on the calendar, is said and not lost', async () => {
    const day = page.getByLabel('Unlock Date');
    await day.fill('');
    await day.focus();
    await page.keyboard.type('0202');
    await day.blur();
    await page.getByText('Please enter a complete date').waitFor();
    await page.getByRole('button', { name: '5 years', exact: true }).click();
    await page.getByText('Please enter a complete date').waitFor({ state: 'detached' });
    await page.getByText(/^Opens on a \w+day, in 5 years, at the start of the day/).waitFor();
    await day.fill('2031-11-30');
    await page.getByRole('complementary').getByText('November 30, 2031').waitFor();
  });

  it('a text that is too long is not cut off', async () => {
    await page.getByLabel('Description', { exact: true }).fill('x'.repeat(2100));
    await page.getByText('2100 / 2000').waitFor();
    await page.getByText('100 characters too many').waitFor({ state: 'attached' });
    expect(await page.getByLabel('Description', { exact: true }).inputValue()).toHaveLength(2100);
  });

  it('what is refused again is shown again', async () => {
    await page.goto('/dashboard');
    const words = { title: 'A letter', description: 'In winter', recipients: ['Ada Lovelace'] };
    await writeCapsule(page, { ...words, message: 'x'.repeat(50_001), files: [] });
    for (let time = 0; time < 2; time += 1) {
      await page.getByRole('tab', { name: 'Content' }).click();
      await page.getByRole('button', { name: 'Create Time Capsule' }).click();
      await page.getByLabel('Personal Message').and(page.locator(':focus')).waitFor();
      await page.getByText('Message must be at most 50000 characters').waitFor();
    }
  });

  async function enter(email: string, password: string, button = 'Sign In') {
    await field('Email').fill(email);
    await field('Password').fill(password);
    await main().getByRole('button', { name: button, exact: true }).click();
  }
});

/** An expression for a file as a drag carries it. */
function transferOf({ name, type, bytes }: FixtureFile): string {
  const file = JSON.stringify([name, type, bytes.toString('base64')]);
  return `(([name, type, text]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], name, { type }));
    return data;
  })(${file})`;
}

const IN_SIGHT = (element: unknown) => {
  const { top, bottom } = Object(element).getBoundingClientRect();
  return top >= 0 && bottom <= Object(globalThis).innerHeight;
};
