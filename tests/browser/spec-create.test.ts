import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, addYears, dayAt } from '../../shared/day.ts';
import { whileBroken, whileHeld } from '../support/break-calls.ts';
import { signUp } from '../support/client.ts';
import { clip, pdf, photo } from '../support/fixtures.ts';
import { rare } from '../support/rare.ts';
import { answer, onDashboard, removeFile, SAVED, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

const NOTE = 'Once created, the capsule will be locked until the specified unlock date.';
const DROP_FILE = `(() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(['%PDF-1.4 late'], 'late.pdf', { type: 'application/pdf' }));
  const zone = document.querySelector('label:has([type=file])');
  zone.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
})()`;
const PLACEHOLDER = 'Write a personal message to be revealed when the capsule unlocks...';

describe('the create page', () => {
  const world = sharedWorld();
  let page: Page;

  const summary = () => page.getByRole('complementary');
  const submit = () => summary().getByRole('button', { name: 'Create Time Capsule' });
  const fact = (term: string) =>
    summary()
      .locator('dl > div')
      .filter({ has: page.getByText(term, { exact: true }) })
      .locator('dd')
      .innerText();
  const files = () => page.getByRole('tabpanel', { name: 'Content' }).getByRole('listitem');

  beforeAll(async () => {
    const { user, password } = await signUp(world.server.url, 'Ada Lovelace');
    ({ page } = await world.open());
    await signIn(page, { email: user.email, password }, '/create');
    await page.getByLabel('Capsule Title').waitFor();
  });

  it('has its heading and every field of the details [2.create.3 2.create.5 2.create.6]', async () => {
    await page.getByRole('heading', { level: 1, name: 'Create New Time Capsule' }).waitFor();
    await page.getByLabel('Description', { exact: true }).waitFor();
    await page.getByText('Recipient Emails', { exact: true }).first().waitFor();
    await page.getByText('Unlock Date', { exact: true }).first().waitFor();
    await page
      .getByRole('switch', { name: 'Notify recipients that a capsule is waiting for them' })
      .waitFor({ state: 'attached' });
  });

  it('goes back to the dashboard by its link [2.create.2]', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Back to Dashboard' }).click();
    await page.waitForURL('/dashboard');
    await page.goBack();
    await page.getByLabel('Capsule Title').waitFor();
  });

  it('sums up: nothing yet [2.create.13 2.create.14 2.create.15 2.create.16 2.create.17 2.create.20]', async () => {
    await page.getByRole('heading', { name: 'Capsule Summary' }).waitFor();
    await expect.poll(() => fact('Title')).toBe('Untitled Capsule');
    await expect.poll(() => fact('Recipients')).toBe('No recipients selected');
    await expect.poll(() => fact('Unlock date')).toBe('No date selected');
    await expect.poll(() => fact('Files')).toBe('0 files');
    await summary().getByText(NOTE, { exact: true }).waitFor();
    expect(await submit().isEnabled()).toBe(false);
    const position = await page.evaluate<string[]>(
      `[document.querySelector('aside'), ...document.querySelectorAll('aside > *')].map((part) => getComputedStyle(part).position)`,
    );
    expect(position).toContain('sticky');
  });

  it('has a tab for the message, which is chosen, and one for files [2.create.7 2.create.8 2.create.12]', async () => {
    const tabs = page.getByRole('tablist', { name: 'Contents' }).getByRole('tab');
    expect(await tabs.allInnerTexts()).toEqual(['Message', 'Content']);
    expect(await tabs.first().getAttribute('aria-selected')).toBe('true');
    const input = page.locator('input[type=file]');
    expect(await input.getAttribute('accept')).toMatch(/^image\/\*,video\/\*,application\/pdf,/);
    expect(await input.getAttribute('multiple')).not.toBeNull();
    const message = page.getByLabel('Personal Message', { exact: true });
    expect(await message.getAttribute('placeholder')).toBe(PLACEHOLDER);
    await tabs.last().click();
  });

  it('lists each file with icon, name, type, size and a way to remove it [2.create.9 2.create.10]', async () => {
    const picked = [await photo('lake.jpg'), await clip('steps.mp4'), pdf('letter.pdf')];
    const payload = picked.map(({ name, type, bytes }) => ({
      name,
      mimeType: type,
      buffer: bytes,
    }));
    await page.locator('input[type=file]').setInputFiles(payload);
    await page.getByRole('heading', { name: '3 File(s) Selected' }).waitFor();
    const types = ['JPG image', 'MP4 video', 'PDF'];
    for (const [at, { name, bytes }] of picked.entries()) {
      const row = files().filter({ hasText: name });
      const size = Math.max(0.01, bytes.length / 1_048_576).toFixed(2);
      await row.getByText(`${types[at]} · ${size} MB`).waitFor();
      await row.locator('svg, img').first().waitFor();
    }
    await files().filter({ hasText: 'letter.pdf' }).getByRole('img', { name: 'PDF' }).waitFor();
    await page.getByText('Copying your files to this device…').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove steps.mp4' }).click();
    await answer(page, 'Remove “steps.mp4” from this draft?', 'Cancel');
    await removeFile(page, 'steps.mp4');
    await files().filter({ hasText: 'steps.mp4' }).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: '2 File(s) Selected' }).waitFor();
  });

  it('has a calendar in which today and the past cannot be chosen [5.create.4]', async () => {
    const day = page.getByLabel('Unlock Date');
    const now = new Date();
    const today = dayAt(now, Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(await day.getAttribute('type')).toBe('date');
    expect(await day.getAttribute('min')).toBe(addDays(today, 1));
    expect(await day.getAttribute('max')).toBe(addYears(today, 100));
    await day.fill(today);
    const validity = "document.querySelector('input[type=date]').validity";
    expect(await page.evaluate(`${validity}.rangeUnderflow`)).toBe(true);
    await day.fill(addDays(today, 1));
    expect(await page.evaluate(`${validity}.valid`)).toBe(true);
    await page.getByText(/^Opens tomorrow, \w+day, at the start of the day/).waitFor();
  });

  it('can be sent only when title, description, recipients and day are there [2.create.21 5.create.1]', async () => {
    await expect.poll(() => fact('Unlock date')).toMatch(/^\d{1,2} \w+ \d{4}$/);
    expect(await submit().isEnabled()).toBe(false);
    await page.getByLabel('Capsule Title').fill('The lake');
    expect(await submit().isEnabled()).toBe(false);
    await page.getByLabel('Description', { exact: true }).fill('In winter');
    expect(await submit().isEnabled()).toBe(false);
    await page.getByRole('button', { name: /Recipient/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Select Recipients' });
    await dialog.getByRole('searchbox').fill('ada');
    await page.keyboard.press('Enter');
    await dialog.getByRole('checkbox', { name: /Ada/ }).click();
    await dialog.getByRole('button', { name: 'Confirm Selection (1)' }).click();
    await expect.poll(() => submit().isEnabled()).toBe(true);
    await page.getByLabel('Capsule Title').fill(' ');
    await expect.poll(() => submit().isEnabled()).toBe(false);
    await page.getByLabel('Capsule Title').fill('The lake');
  });

  it('sums up what is entered [2.create.15 2.create.16 2.create.17 2.create.18]', async () => {
    await expect.poll(() => fact('Title')).toBe('The lake');
    await expect.poll(() => fact('Recipients')).toContain('Ada Lovelace');
    await expect.poll(() => fact('Unlock date')).toMatch(/^\d{1,2} \w+ \d{4}$/);
    await expect.poll(() => fact('Files')).toBe('2 files');
  });

  it('that is refused shows why in a banner, is idle again, and the banner can be dismissed [2.create.4 4.create.5 4.create.6 8.errors.15]', async () => {
    const body = { message: 'The attic is full', code: 'VALIDATION_FAILED' };
    await whileBroken(page, '/api/capsules', { status: 400, body }, async () => {
      await submit().click();
      await page.getByText('Error: The attic is full', { exact: true }).waitFor();
    });
    await expect.poll(() => submit().isEnabled()).toBe(true);
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Capsule Title').inputValue()).toBe('The lake');
    expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe('In winter');
    await expect.poll(() => fact('Recipients')).toContain('Ada Lovelace');
    await expect.poll(() => fact('Unlock date')).toMatch(/^\d{1,2} \w+ \d{4}$/);
    await expect.poll(() => fact('Files')).toBe('2 files');
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
    await page.getByText('Error: The attic is full').waitFor({ state: 'detached' });
  });

  rare(
    'that is refused for a field leads to it, and the refusal does not outlive its cause',
    async () => {
      const title = page.getByLabel('Capsule Title');
      const refusal = page.getByText('Error: Please check the highlighted fields.', {
        exact: true,
      });
      const errors = { title: 'Title is taken', dateToUnlock: 'This day is full' };
      const body = {
        message: 'Please check the highlighted fields.',
        code: 'VALIDATION_FAILED',
        errors,
      };
      await whileBroken(page, '/api/capsules', { status: 400, body }, async () => {
        await submit().click();
        await refusal.waitFor();
      });
      await title.and(page.locator(':focus')).waitFor();
      await title.fill('The lake, again');
      await page.getByText(errors.title).waitFor({ state: 'detached' });
      await refusal.waitFor();
      await page.getByRole('button', { name: '5 years' }).click();
      await refusal.waitFor({ state: 'detached' });
      await title.fill('The lake');
      await page.getByRole('complementary').getByText(SAVED).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: '2 File(s) Selected' }).waitFor();
      expect(await refusal.count()).toBe(0);
      expect(await page.getByText(errors.title).count()).toBe(0);
    },
  );

  it('that is sent shows a whole percent, cannot be sent twice, and leads to the dashboard [2.create.19 2.create.22 4.create.1 4.create.2 4.create.4]', async () => {
    await whileHeld(page, '/api/capsules', async () => {
      await submit().click();
      const sending = page.getByRole('button', { name: /^Uploading\.\.\. \d+%$/ });
      await sending.waitFor();
      expect(await sending.getAttribute('aria-disabled')).toBe('true');
      await page.getByRole('progressbar', { name: 'Uploading' }).waitFor();
      // What comes now is too late for this capsule, and begins no other.
      await page.evaluate(DROP_FILE);
    });
    await page.getByText('Time capsule created successfully!').waitFor();
    await onDashboard(page);
    const first = page.getByRole('tabpanel').filter({ visible: true }).getByRole('article').first();
    await first.getByText('The lake').first().waitFor();
    await page.getByRole('tab', { name: 'My Capsules (1)' }).waitFor();
    expect(await page.getByRole('heading', { name: /unfinished draft/i }).count()).toBe(0);
  });

  it('scrolls its files beyond 300 px [2.create.11]', async () => {
    const { user, password } = await signUp(world.server.url, 'Many Files');
    const { page } = await world.open();
    await signIn(page, { email: user.email, password }, '/create');
    await page.getByRole('tab', { name: 'Content' }).click();
    const many = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => pdf(`page ${n}.pdf`, `Page ${n}`));
    const payload = many.map(({ name, type, bytes }) => ({ name, mimeType: type, buffer: bytes }));
    await page.locator('input[type=file]').setInputFiles(payload);
    await page.getByRole('heading', { name: '8 File(s) Selected' }).waitFor();
    const list = page.getByRole('list').filter({ hasText: 'page 8.pdf' });
    const heights = () =>
      list.evaluate((element) => {
        const { scrollHeight, clientHeight } = Object(element);
        return [
          scrollHeight > clientHeight,
          Object(globalThis).getComputedStyle(element).maxBlockSize,
        ];
      });
    await expect.poll(heights).toEqual([true, '300px']);
  });
});
