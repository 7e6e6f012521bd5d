import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { lookAtMoments, type Visitor } from '../support/browser.ts';
import { signUp } from '../support/client.ts';
import { pdf } from '../support/fixtures.ts';
import { keyTo, pressAt, typeAt } from '../support/keyboard.ts';
import { SAVED } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const PASSWORD = 'engine no 1';
const HOLD_FRAMES = `{
  const { requestAnimationFrame } = window;
  const held = [];
  window.requestAnimationFrame = (draw) => held.push(draw);
  window.drawFrames = () => {
    Object.assign(window, { requestAnimationFrame });
    for (const draw of held) draw();
  };
}`;

describe('the whole job, by keyboard alone', () => {
  const world = sharedWorld();
  let visitor: Visitor;
  let page: Page;

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true }).first();
  const field = (name: string) => page.getByLabel(name, { exact: true });
  /** The focus is on this element, and nobody has to look for it. */
  const isFocused = async (target: Locator) => {
    try {
      await target.and(page.locator(':focus')).waitFor();
    } catch (cause) {
      const there = await page.evaluate('document.activeElement?.outerHTML.slice(0, 300)');
      throw new Error(`The focus is not on ${target} but on ${there}`, { cause });
    }
  };
  const arrives = (heading: string) =>
    isFocused(page.getByRole('heading', { level: 1, name: heading }));
  /** What is read out by itself, politely or at once. */
  const isSpoken = (text: string) =>
    page.locator('[aria-live], [role=status], [role=alert]').getByText(text).first().waitFor();

  beforeAll(async () => {
    await signUp(world.server.url, 'Grace Hopper');
    visitor = await world.open({ reducedMotion: 'reduce' });
    page = visitor.page;
    await lookAtMoments(page);
  });

  it('skips to the content, registers and signs in', async () => {
    await page.goto('/');
    await page.keyboard.press('Tab');
    await isFocused(link('Skip to content'));
    await page.keyboard.press('Enter');
    await isFocused(page.getByRole('main'));

    await page.goto('/');
    await pressAt(page, link('Register'), 'Enter');
    await arrives('Create your account');
    expect(await page.title()).toBe('Create your account · Time Capsule');
    await page.keyboard.press('Tab');
    await isFocused(field('Name'));
    await page.evaluate(HOLD_FRAMES);
    await page.keyboard.press('Enter');
    // The first field that is wrong, with its sentence.
    await isFocused(page.getByRole('textbox', { name: 'Name', description: 'Name is required' }));
    await page.keyboard.type('Ada Lovelace');
    await typeAt(page, field('Email'), 'ada');
    // A frame that a busy device draws late takes the focus from nobody who types on.
    await page.evaluate('drawFrames()');
    await page.keyboard.type('@example.org');
    await typeAt(page, field('Password'), PASSWORD);
    await pressAt(page, button('Show password'), 'Space');
    expect(await field('Password').getAttribute('type')).toBe('text');
    await keyTo(page, field('Password'), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await isSpoken('Account created successfully!');
    await page.waitForURL('/');
    // The news stands above the heading of the page.
    await isFocused(page.getByRole('heading', { level: 2, name: 'Your account is ready' }));

    await pressAt(page, link('Login'), 'Enter');
    await arrives('Sign in');
    await typeAt(page, field('Email'), 'ada@example.org');
    await typeAt(page, field('Password'), 'not this one');
    await page.keyboard.press('Enter');
    await isSpoken('Invalid email or password');
    await keyTo(page, field('Email'), 'Shift+Tab');
    await keyTo(page, field('Password'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await isSpoken('Welcome back!');
    await arrives('Time Capsule Dashboard');
    expect(await page.title()).toBe('Dashboard · Time Capsule');
  });

  it('writes and seals a capsule with recipients, a typed day and a file', async () => {
    await pressAt(page, page.getByRole('main').getByRole('link', { name: 'Create New' }), 'Enter');
    await arrives('Create New Time Capsule');
    await typeAt(page, field('Capsule Title'), 'The lake');
    await typeAt(page, field('Description'), 'In winter');

    await pressAt(page, button('Select Recipients'), 'Enter');
    const dialog = page.getByRole('dialog', { name: 'Select Recipients' });
    await isFocused(dialog.getByRole('searchbox'));
    await page.keyboard.type('grace');
    await page.keyboard.press('Enter');
    await isSpoken('1 user found');
    await pressAt(page, dialog.getByRole('checkbox', { name: /Grace/ }), 'Space');
    await dialog.getByText('Selected Recipients (1)').waitFor();
    await pressAt(page, button('Confirm Selection (1)'), 'Enter');
    await dialog.waitFor({ state: 'detached' });
    await isFocused(button('Change Recipients'));

    await keyTo(page, field('Unlock Date'));
    // The same in each order of day and month.
    await page.keyboard.type('02022031');
    await page.getByRole('complementary').getByText('2 February 2031').waitFor();

    const tab = (name: string) => page.getByRole('tab', { name, exact: true });
    await keyTo(page, tab('Message'));
    await page.keyboard.press('ArrowRight');
    await isFocused(tab('Content'));
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      pressAt(page, page.locator('input[type=file]'), 'Space'),
    ]);
    const { name, type, bytes } = pdf();
    const more = { name: 'more.pdf', mimeType: type, buffer: pdf('more.pdf', 'More').bytes };
    await chooser.setFiles([{ name, mimeType: type, buffer: bytes }, more]);
    await page.getByText('2 File(s) Selected').waitFor();
    await page.getByText('Copying your files to this device…').waitFor({ state: 'detached' });
    // What is removed takes its button with it, and not the focus.
    await pressAt(page, button('Remove more.pdf'), 'Enter');
    const removal = page.getByRole('alertdialog');
    // A Tab before it is there would move on in the page behind.
    await isFocused(removal.getByRole('button', { name: 'Cancel' }));
    await pressAt(page, removal.getByRole('button', { name: 'OK' }), 'Enter');
    await isFocused(page.getByRole('heading', { name: '1 File(s) Selected' }));
    await keyTo(page, tab('Content'), 'Shift+Tab');
    await page.keyboard.press('ArrowLeft');
    await isFocused(tab('Message'));
    await typeAt(page, field('Personal Message'), 'It was cold.');
    // Seen, not spoken: it would come after every pause.
    await page.getByRole('complementary').getByText(SAVED).waitFor();

    // Sealing is for ever: Enter in a field is no Create.
    await keyTo(page, field('Capsule Title'), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await pressAt(page, button('Create Time Capsule'), 'Enter');
    await isSpoken('Time capsule created successfully!');
    await isFocused(page.getByRole('heading', { name: /^Sealed until 2 February 2031/ }));
    await page.locator('[data-capsule]').waitFor();
    await pressAt(page, button('Done'), 'Enter');
    await isFocused(button('View details of The lake'));
  });

  it('finds its way about the dashboard: menu, tabs, details and deletion', async () => {
    const menu = button('Profile menu');
    await pressAt(page, menu, 'Enter');
    await isFocused(page.getByRole('menuitem', { name: 'Your profile' }));
    await page.keyboard.press('ArrowDown');
    await isFocused(page.getByRole('menuitem', { name: 'Discover Users' }));
    await page.keyboard.press('Escape');
    await isFocused(menu);

    await keyTo(page, page.getByRole('searchbox', { name: 'Search capsules' }));
    await page.keyboard.type('nothing like it');
    await isSpoken('No capsules found');
    await page.keyboard.press('Escape');
    await page.getByRole('tabpanel').getByRole('article').waitFor();

    await keyTo(page, page.getByRole('tab', { selected: true }));
    await page.keyboard.press('ArrowRight');
    await isFocused(page.getByRole('tab', { name: 'Shared With Me (0)', selected: true }));
    await page.keyboard.press('Home');
    await isFocused(page.getByRole('tab', { name: 'My Capsules (1)', selected: true }));

    const details = button('View details of The lake');
    await pressAt(page, details, 'Enter');
    await page.getByRole('dialog', { name: 'The lake' }).waitFor();
    await expect.poll(() => page.title()).toBe('The lake · Time Capsule');
    await page.keyboard.press('Escape');
    await isFocused(details);
    await expect.poll(() => page.title()).toBe('Dashboard · Time Capsule');

    const erase = button('Delete The lake');
    await pressAt(page, erase, 'Enter');
    const question = page.getByRole('alertdialog');
    await isFocused(question.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Escape');
    await isFocused(erase);
    const failed = page.getByText('Failed to delete capsule. Please try again.');
    await page.route('**/api/capsules/*', (route) => route.abort());
    await page.keyboard.press('Enter');
    await isFocused(question.getByRole('button', { name: 'Cancel' }));
    await pressAt(page, question.getByRole('button', { name: 'OK' }), 'Enter');
    await isSpoken('Failed to delete capsule. Please try again.');
    await page.keyboard.press('Escape');
    await failed.waitFor({ state: 'detached' });
    await page.unroute('**/api/capsules/*');

    await isFocused(erase);
    await page.keyboard.press('Enter');
    // A Tab before it is there would move on in the page behind.
    await isFocused(question.getByRole('button', { name: 'Cancel' }));
    await pressAt(page, question.getByRole('button', { name: 'OK' }), 'Enter');
    await isSpoken('Capsule deleted successfully!');
    await isFocused(page.getByRole('region', { name: 'Page 1 of 1' }));
  });

  it('keeps the focus on the heading while a page is still coming', async () => {
    await pressAt(page, button('Profile menu'), 'Enter');
    await isFocused(page.getByRole('menuitem', { name: 'Your profile' }));
    await page.keyboard.press('Enter');
    await arrives('Ada Lovelace');
    await typeAt(page, field('Display name'), 'Ada L');
    await page.route('**/user/update-profile', (route) => route.abort());
    await page.keyboard.press('Enter');
    await isSpoken('Failed to update profile');
    expect(
      visitor.problems.filter((problem) => !/status of 40[01]|ERR_FAILED/.test(problem)),
    ).toEqual([]);
  });
});
