import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addDays, dayAt } from '../../shared/day.ts';
import { holdCalls, whileBroken, whileHeld } from '../support/break-calls.ts';
import { seal } from '../support/capsules.ts';
import { type SignedIn, signUpAnother } from '../support/client.ts';
import { newDraft } from '../support/contributions.ts';
import { answer, SAVED, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const DELETE = 'Are you sure you want to delete this capsule?';

describe('who is quicker than the line', () => {
  const { server, open } = sharedWorld();

  async function begin(path: string): Promise<{ page: Page; person: SignedIn }> {
    const person = await signUpAnother(server.url, 'Hedy Hurry');
    const { page } = await open();
    await signIn(page, { email: person.user.email, password: person.password }, path);
    return { page, person };
  }

  /** Opens the details of a capsule on the dashboard, which was come to from the profile. */
  async function details() {
    const { page, person } = await begin('/profile');
    const dateToUnlock = addDays(dayAt(new Date(), 'UTC'), 2);
    const { id } = await seal(person, person, { title: 'The snow', dateToUnlock });
    await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('button', { name: 'View details of The snow' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'The snow' });
    await dialog.getByRole('button', { name: 'Delete' }).waitFor();
    return { page, dialog, id };
  }

  it('reads in the details that a capsule could not be deleted, and can press it away', async () => {
    const { page, dialog, id } = await details();
    await whileBroken(page, `/api/capsules/${id}`, 'cut', async () => {
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await answer(page, DELETE, 'OK');
      const failure = dialog.getByText('Failed to delete capsule. Please try again.');
      await failure.waitFor();
      const message = dialog.getByRole('listitem').filter({ hasText: 'Failed to delete' });
      expect(await message.getAttribute('aria-live')).toBeNull();
      await dialog.getByRole('button', { name: /^Dismiss: Failed/ }).click();
      await failure.waitFor({ state: 'detached' });
      await dialog.locator('h2:focus').waitFor();
    });
    await dialog.getByText('1 day remaining').or(dialog.getByText('2 days remaining')).waitFor();
  });

  it('hears a message once, and sees it as long, whatever opens above it', async () => {
    const { page, dialog } = await details();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await answer(page, DELETE, 'OK');
    const message = page.getByRole('listitem').filter({ hasText: 'Capsule deleted successfully!' });
    await message.waitFor();
    await page.clock.runFor(5_000);
    await page.getByRole('button', { name: 'Discover Users' }).click();
    await page.getByRole('dialog').filter({ has: message }).waitFor();
    expect(await message.getAttribute('aria-live')).toBe('off');
    await page.clock.runFor(1_500);
    await message.waitFor({ state: 'detached' });
  });

  it('reads why a form was refused, whatever message is still there', async () => {
    const person = await signUpAnother(server.url, 'Hedy Hurry');
    const { page } = await open({ viewport: { width: 360, height: 640 } });
    await page.goto('/dashboard');
    const message = page.getByRole('listitem').filter({ hasText: 'Please sign in first.' });
    await message.waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Get Started Free' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Hedy Hurry');
    await page.getByLabel('Email', { exact: true }).fill(person.user.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('main').getByRole('button', { name: 'Create Account' }).click();
    const failure = page.getByRole('alert').getByText('already exists');
    await failure.waitFor();
    const isCovered = async () => {
      const [over, under] = [await message.boundingBox(), await failure.boundingBox()];
      if (!over || !under) throw new Error('One of them is gone.');
      return over.y < under.y + under.height && under.y < over.y + over.height;
    };
    await expect.poll(isCovered).toBe(false);
  });

  it('stays where they have gone when a capsule is deleted after its details were closed', async () => {
    const { page, dialog, id } = await details();
    await whileHeld(page, `/api/capsules/${id}`, async () => {
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await answer(page, DELETE, 'OK');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    });
    await page.getByText('Capsule deleted successfully!').waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Hedy Hurry' }).waitFor();
  });

  it('closes the details once by two presses', async () => {
    const { page, dialog } = await details();
    const close = dialog.getByRole('button', { name: 'Close', exact: true });
    await close.evaluate((button) => {
      Object(button).click();
      Object(button).click();
    });
    await dialog.waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Hedy Hurry' }).waitFor();
  });

  it('finds recovery codes that were made while they went back', async () => {
    const { page, person } = await begin('/profile/safety');
    const toCodes = page.getByRole('link', { name: 'See your sign-ins' });
    await toCodes.click();
    await page.getByRole('button', { name: 'Make recovery codes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make recovery codes?' });
    await dialog.getByLabel('Password', { exact: true }).fill(person.password);
    const made = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await whileHeld(page, '/user/recovery-codes', async () => {
      await dialog.getByRole('button', { name: 'Make them' }).click();
      await dialog.getByRole('button', { name: 'Make them', disabled: true }).waitFor();
      await page.goBack();
      await dialog.waitFor({ state: 'detached' });
    });
    await made;
    await page.getByText("You haven't saved your new recovery codes yet.").waitFor();
    await toCodes.click();
    await page.getByText(/^Recovery codes for/).waitFor();
    await page.getByRole('button', { name: "I've saved them" }).click();
    await page.getByText(/^8 of 8 codes left/).waitFor();
  });

  it('signs out once: the button is busy while drafts are still saved', async () => {
    const { page } = await begin('/create');
    await page.clock.install();
    await holdCalls(page, '/api/drafts');
    await page.route(/\/api\/drafts\//, async () => undefined);
    await page.getByLabel('Capsule Title').fill('Not yet on the account');
    await page.getByRole('complementary').getByText(SAVED).waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click();
    await page.locator('[aria-disabled]', { hasText: 'Logout' }).waitFor();
    await page.clock.fastForward(3_000);
    await page
      .getByRole('alertdialog')
      .getByText("1 draft isn't fully saved to your account.")
      .waitFor();
  });

  it('loses no note and no last day to a press beside the dialog', async () => {
    const { page } = await begin('/create');
    await page.getByLabel('Capsule Title').fill('For Mia');
    await page.getByRole('button', { name: 'Ask others to add something' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ask others to add' });
    const note = dialog.getByLabel('A note to them');
    await note.fill('A story of when she was small.');
    await page.mouse.click(5, 5);
    // It would have closed by the time this has been typed.
    await dialog.getByLabel(/^Add by/).pressSequentially('1406');
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    await dialog.getByText(/^Please enter a complete date/).waitFor();
    expect(await note.inputValue()).toBe('A story of when she was small.');
  });

  it('is shown no choice about emails before it is known', async () => {
    const { page } = await begin('/profile');
    await whileBroken(page, '/user/notices', 'cut', async () => {
      await page.getByRole('link', { name: 'Emails and addresses' }).click();
      await page.getByText('You need a connection to see which emails you get.').waitFor();
    });
    expect(await page.getByRole('switch', { name: 'When a capsule opens' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('switch', { name: 'When a capsule opens' }).waitFor();
  });

  it('sees both choices taken back when the first of two could not be saved', async () => {
    const { page, person } = await begin('/profile/emails');
    const waiting = page.getByRole('switch', { name: 'When somebody seals a capsule for you' });
    const yearly = page.getByRole('switch', { name: /^Once a year/ });
    const isOn = (choice: Locator, on: boolean) =>
      expect.poll(() => choice.isChecked({ timeout: 1_000 })).toBe(on);
    const asked: unknown[] = [];
    await page.route('**/user/notices', async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      asked.push(route.request().postDataJSON());
      if (asked.length > 1) return route.fallback();
      await isOn(yearly, false);
      await route.abort('connectionfailed');
    });
    await isOn(yearly, true);
    await waiting.click();
    await yearly.click();
    await page.getByText('You need a connection to change this.').waitFor();
    await isOn(waiting, true);
    await isOn(yearly, true);
    // The next one is on its own.
    await yearly.click();
    const saved = async () => (await person.get('/user/notices')).json;
    await expect.poll(saved).toMatchObject({ waiting: true, addressCheck: false });
    expect(asked).toEqual([
      { waiting: false, opened: true },
      { waiting: true, opened: true, addressCheck: false },
    ]);
  });

  it('is led to the outbox when a full device cannot make a refused capsule a draft again', async () => {
    const { page } = await begin('/create?begin=year');
    await page.getByRole('button', { name: 'Remove Hedy Hurry' }).waitFor();
    await page.getByLabel('Capsule Title').fill('To myself');
    await page.getByLabel('Personal Message').fill('Dear me, it rained.');
    await page.getByRole('complementary').getByText(SAVED).waitFor();
    const body = { message: 'No', code: 'VALIDATION_FAILED', errors: { title: 'Not this' } };
    await page.route('**/api/capsules', async (route) => {
      await page.evaluate(NO_DRAFTS);
      await route.fulfill({ status: 400, json: body });
    });
    await page.getByRole('button', { name: 'Create Time Capsule' }).click();
    await page.waitForURL('/outbox');
  });

  it('is asked nothing of drafts that are folded', async () => {
    const { page, person } = await begin('/profile');
    for (const n of [1, 2, 3, 4, 5]) await newDraft(person, `Draft ${n}`);
    await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
    const heading = page.getByRole('heading', { name: '5 unfinished drafts' });
    await heading.waitFor();
    await page.waitForLoadState('networkidle');
    const asked = new Set<string>();
    page.on('request', (request) => {
      if (request.url().endsWith('/contributions')) asked.add(request.url());
    });
    await page.reload();
    await heading.waitFor();
    await expect.poll(() => asked.size).toBeGreaterThan(2);
    await page.waitForLoadState('networkidle');
    expect(asked.size).toBe(3);
    await page.getByText('Show 2 more').click();
    await expect.poll(() => asked.size).toBe(5);
  });
});

const NO_DRAFTS = `{
  const { put, add } = IDBObjectStore.prototype;
  const unlessDraft = (write) =>
    function (...row) {
      if (this.name === 'drafts') throw new DOMException('No room', 'QuotaExceededError');
      return write.apply(this, row);
    };
  Object.assign(IDBObjectStore.prototype, { put: unlessDraft(put), add: unlessDraft(add) });
} undefined`;
