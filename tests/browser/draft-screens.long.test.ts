import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listDrafts, saveAccountDraft } from '../../shared/api/drafts.ts';
import { axeInBothSchemes } from '../support/axe.ts';
import type { Visitor } from '../support/browser.ts';
import { answerOf, type SignedIn, signUp } from '../support/client.ts';
import { photo } from '../support/fixtures.ts';
import { answer, signIn } from '../support/screens.ts';
import { sharedWorld } from '../support/world.ts';

/** Longer than a device waits with what is typed. */
const SYNCED = { timeout: 20_000 };
const IN_ACCOUNT = /^Saved to your account \d\d:\d\d$/;

describe('a draft follows the person', { timeout: 120_000 }, () => {
  const { server, visit } = sharedWorld();
  let ada: SignedIn;
  let laptop: Visitor;
  let phone: Visitor;
  let people = 0;

  const title = (page: Page) => page.getByLabel('Capsule Title');
  const letter = (page: Page) => page.getByLabel('Personal Message');
  const press = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const saved = (page: Page) => page.getByRole('complementary').getByText(/^Saved .* \d\d:\d\d$/);
  const usual = (page: Page) => page.getByRole('switch', { name: /^New drafts stay/ });

  async function device(): Promise<Visitor> {
    const visitor = await visit();
    await signIn(visitor.page, { email: ada.user.email, password: ada.password });
    return visitor;
  }

  /** Begins a draft on the laptop, and waits until the account has it. */
  async function begin(words: string): Promise<void> {
    const { page } = laptop;
    await page.goto('/create');
    await title(page).fill('For Mia');
    await letter(page).fill(words);
    await untilInAccount(page);
  }

  /** The draft as the account has it. */
  async function inAccount() {
    const { drafts } = answerOf(listDrafts, await ada.get('/api/drafts'));
    return drafts[0]?.content;
  }

  function untilInAccount(page: Page): Promise<void> {
    return page.getByRole('complementary').getByText(IN_ACCOUNT).waitFor(SYNCED);
  }

  /** Signs in on the phone, and goes on with it there. */
  async function goOn(): Promise<void> {
    phone = await device();
    const { page } = phone;
    await page.getByRole('link', { name: 'Continue For Mia' }).click(SYNCED);
    await title(page).waitFor();
  }

  /** A page that is looked at asks once a minute what other devices have written. */
  async function aMinuteLater(page: Page): Promise<void> {
    await page.evaluate(`readRows('draftSync').then(([row]) =>
      putRows('draftSync', [{ ...row, askedAt: 0 }]))`);
    await page.evaluate(`dispatchEvent(new Event('pageshow'))`);
  }

  beforeEach(async () => {
    people += 1;
    ada = await signUp(server.url, `Ada ${people}`);
    laptop = await device();
    // Until a test has a second device.
    phone = laptop;
  });
  afterEach(() => {
    const problems = [laptop, phone].flatMap((visitor) => visitor.problems);
    expect(problems.filter((problem) => problem.startsWith('uncaught'))).toEqual([]);
  });

  it('what both have written comes together on both, and nothing is asked', async () => {
    await begin('Dear');
    await goOn();
    await phone.context.setOffline(true);
    await letter(phone.page).fill('Dear child, hold on');
    await letter(laptop.page).fill('Dear Mia, be brave');
    await untilInAccount(laptop.page);
    await phone.context.setOffline(false);
    const together = 'Dear Mia, be brave child, hold on';
    await expect.poll(() => letter(phone.page).inputValue(), SYNCED).toBe(together);
    await untilInAccount(phone.page);
    await aMinuteLater(laptop.page);
    await expect.poll(() => letter(laptop.page).inputValue(), SYNCED).toBe(together);
    expect(await axeInBothSchemes(phone.page)).toEqual([]);
  });

  it('a picture from the laptop is shown on the phone, and removed there', async () => {
    await begin('With a picture');
    const { name, type, bytes } = await photo();
    await laptop.page.getByRole('tab', { name: 'Content' }).click();
    await laptop.page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: type, buffer: bytes });
    await untilInAccount(laptop.page);
    await goOn();
    const { page } = phone;
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByText('1 File(s) Selected').waitFor(SYNCED);
    const picture = page.getByRole('img', { name });
    await expect
      .poll(() => picture.evaluate((image) => Object(image).naturalWidth), SYNCED)
      .toBeGreaterThan(0);

    await press(page, `Remove ${name}`);
    await answer(page, 'This removes it on all your devices.', 'OK');
    await page.getByText('1 File(s) Selected').waitFor({ state: 'detached' });
    await expect.poll(async () => (await inAccount())?.files, SYNCED).toEqual([]);
    await aMinuteLater(laptop.page);
    await laptop.page.getByText('1 File(s) Selected').waitFor({ state: 'detached', ...SYNCED });
  });

  it('choosing recipients removes nobody whom another device adds meanwhile', async () => {
    await begin('Dear Mia');
    const { page } = laptop;
    await press(page, 'Select Recipients');
    const { drafts } = answerOf(listDrafts, await ada.get('/api/drafts'));
    const { id, revision, content } = drafts[0] ?? {};
    const who = { name: 'Bob Brown', email: 'bob@example.org', avatar: 'B' };
    const bob = { ...who, id: randomUUID(), isYou: false, isInvited: false };
    const there = { ...content, fields: { ...content?.fields, recipients: [bob] } };
    answerOf(
      saveAccountDraft,
      await ada.put(`/api/drafts/${id}`, { base: revision, content: there }),
    );
    await aMinuteLater(page);
    await page.getByText('Change Recipients').waitFor({ state: 'attached', ...SYNCED });
    await page.getByRole('checkbox', { name: ada.user.name }).check();
    await press(page, 'Confirm Selection (1)');
    await page.getByRole('button', { name: `Remove ${ada.user.name}` }).waitFor();
    await page.getByRole('button', { name: 'Remove Bob Brown' }).waitFor();
  });

  it('signing out asks only about what is not in the account', async () => {
    await begin('Safe and sound');
    const { page } = laptop;
    await page.getByRole('button', { name: 'Logout' }).click();
    await answer(page, 'Are you sure you want to logout?', 'OK');
    await page.waitForURL('/');
    expect(await laptop.kept()).not.toContain('Safe and sound');

    await goOn();
    await phone.page.goto('/profile/safety');
    await usual(phone.page).check();
    await phone.page.getByText('Drafts you have begun stay as they are.').waitFor();
    await phone.page.goto('/create');
    await title(phone.page).fill('Only on the phone');
    await saved(phone.page).waitFor();
    await phone.page.getByRole('button', { name: 'Logout' }).click();
    const question = phone.page.getByRole('alertdialog').filter({
      hasText:
        "1 draft isn't fully saved to your account. Signing out deletes what is only on this device.",
    });
    await question.getByRole('button', { name: 'Stay signed in' }).click();
    await title(phone.page).waitFor();
  });

  it('new drafts stay on their device for who has chosen so', async () => {
    const { page } = laptop;
    await page.goto('/profile/safety');
    await usual(page).check();
    await page.getByText('Drafts you have begun stay as they are.').waitFor();
    await page.goto('/create');
    await title(page).fill('For Mia');
    await page.waitForURL(/draft=/);
    await page.reload();
    await page.getByText(/^Saved on this device \d\d:\d\d$/).click();
    await page.getByText("This draft isn't in your account.").waitFor();
    await page.getByText('Others can add something once').waitFor();
    expect(await inAccount()).toBeUndefined();
    phone = await device();
    await phone.page.goto('/profile/safety');
    await expect.poll(() => usual(phone.page).isChecked(), SYNCED).toBe(true);

    await press(page, 'Save it to your account');
    await untilInAccount(page);
    await page.getByText('Whoever runs this server could read them').waitFor();
    expect((await inAccount())?.fields.title).toBe('For Mia');
  });
});
