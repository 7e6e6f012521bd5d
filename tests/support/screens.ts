import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { STORAGE_KEY_LOGGED_IN, XSRF_COOKIE, XSRF_HEADER } from '../../shared/limits.ts';
import type { FixtureFile } from './fixtures.ts';

/** What a person does on each screen, by the words they read there. */

/** What the form says of a draft that is saved here, and a few seconds later in the account as well. */
export const SAVED = /^Saved (on this device|to your account)/;

export interface Account {
  name: string;
  email: string;
  password: string;
}

export async function register(page: Page, { name, email, password }: Account): Promise<void> {
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Register' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Create Account' }).click();
  await page.getByText('Account created successfully!').waitFor();
  await page.waitForURL('/');
}

/** Signs in by the form, as a person does. */
export async function signInByForm(page: Page, { email, password }: Omit<Account, 'name'>) {
  await page.goto('/auth');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Welcome back!').waitFor();
  // To the dashboard, or back to where a session has ended.
  await page.waitForURL(({ pathname }) => pathname !== '/auth');
}

/** Signs in by a call, which takes a third of the time of the form, and shows this page. */
export async function signIn(
  page: Page,
  { email, password }: Omit<Account, 'name'>,
  path = '/dashboard',
) {
  // A page of the site that runs nothing of the app.
  await page.goto('/healthz');
  const context = page.context();
  const { origin } = new URL(page.url());
  // Hands out the first XSRF token, as loading the app does.
  await context.request.get(`${origin}/user/me`);
  const cookies = await context.cookies(origin);
  const token = cookies.find(({ name }) => name === XSRF_COOKIE)?.value ?? '';
  const answer = await context.request.post(`${origin}/auth/login`, {
    data: { email, password },
    headers: { [XSRF_HEADER]: token },
  });
  if (!answer.ok()) throw new Error(`Signing in: ${answer.status()} ${await answer.text()}`);
  await page.evaluate(`localStorage.setItem('${STORAGE_KEY_LOGGED_IN}', 'true')`);
  await page.goto(path);
}

interface CapsuleToCreate {
  title: string;
  description: string;
  /** Names of registered people, found by search. */
  recipients: string[];
  message: string;
  files: FixtureFile[];
}

/** Seals a capsule until tomorrow, the first day that the calendar allows. */
export async function createCapsule(page: Page, capsule: CapsuleToCreate): Promise<void> {
  await writeCapsule(page, capsule);
  await page.getByRole('button', { name: 'Create Time Capsule' }).click();
  await page.getByText('Time capsule created successfully!').waitFor();
  await onDashboard(page);
}

/** The dashboard, on whichever tab: the end of the moment chooses one. */
export async function onDashboard(page: Page): Promise<void> {
  await page.waitForURL(({ pathname }) => pathname === '/dashboard');
}

/** Writes all of a capsule, from the dashboard on, and waits until this device keeps it. */
export async function writeCapsule(page: Page, capsule: CapsuleToCreate): Promise<void> {
  await fillCapsule(page, capsule);
  await page.getByRole('complementary').getByText(SAVED).waitFor();
}

/** Writes all of a capsule, from the dashboard on, wherever it may be kept. */
export async function fillCapsule(page: Page, capsule: CapsuleToCreate): Promise<void> {
  await page.getByRole('link', { name: 'Create New Capsule' }).click();
  await page.getByRole('heading', { name: 'Create New Time Capsule' }).waitFor();
  await page.getByLabel('Capsule Title').fill(capsule.title);
  await page.getByLabel('Description').fill(capsule.description);
  await chooseRecipients(page, capsule.recipients);
  await chooseTomorrow(page);
  await page.getByRole('tab', { name: 'Message' }).click();
  await page.getByLabel('Personal Message').fill(capsule.message);
  if (capsule.files.length > 0) await addFiles(page, capsule.files);
}

async function addFiles(page: Page, files: FixtureFile[]): Promise<void> {
  await page.getByRole('tab', { name: 'Content' }).click();
  const input = page.locator('input[type=file]');
  if (files.some(({ bytes }) => bytes.length > HANDED_OVER_MAX)) {
    await input.setInputFiles(await onDisk(files));
  } else {
    await input.setInputFiles(
      files.map(({ name, type, bytes }) => ({ name, mimeType: type, buffer: bytes })),
    );
  }
  await page.getByText(`${files.length} File(s) Selected`).waitFor();
}

/** Larger files are picked from the disk; to hand their bytes to the browser takes too long. */
const HANDED_OVER_MAX = 1_000_000;

/** Files as a person has them, on the disk. @returns their paths; they are gone after the test */
export async function onDisk(files: FixtureFile[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'time-capsule-picked-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return Promise.all(
    files.map(async ({ name, bytes }) => {
      const path = join(folder, name);
      await writeFile(path, bytes);
      return path;
    }),
  );
}

async function chooseRecipients(page: Page, names: string[]): Promise<void> {
  await page.getByRole('button', { name: /Recipient/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Select Recipients' });
  for (const name of names) {
    await dialog.getByRole('searchbox').fill(name);
    await dialog.getByRole('button', { name: 'Search', exact: true }).click();
    await dialog.getByRole('checkbox', { name }).click();
  }
  await dialog.getByRole('button', { name: `Confirm Selection (${names.length})` }).click();
  await dialog.waitFor({ state: 'hidden' });
}

async function chooseTomorrow(page: Page): Promise<void> {
  const day = page.getByLabel('Unlock Date');
  const tomorrow = await day.getAttribute('min');
  await day.fill(tomorrow ?? '');
}

/** Takes a picked file out again, which is asked about. */
export async function removeFile(page: Page, name: string): Promise<void> {
  // One that is still being copied goes without a question.
  await page.getByText('Copying your files to this device…').waitFor({ state: 'detached' });
  const remove = page.getByRole('button', { name: `Remove ${name}` });
  await remove.click();
  await answer(page, `Remove “${name}” from this draft?`, 'OK');
  // The list moves up: the next press must not fall between two rows.
  await remove.waitFor({ state: 'detached' });
}

/** Chooses from the menu of a card on the dashboard. */
export async function chooseFor(page: Page, title: string, action: string): Promise<void> {
  const only = page.getByRole('button', { name: `${action} ${title}`, exact: true });
  const menu = page.getByRole('button', { name: `More about ${title}`, exact: true });
  await only.or(menu).click();
  if (await menu.isVisible()) await page.getByRole('menuitem', { name: action }).click();
}

/** Answers the modal question. */
export async function answer(page: Page, text: string, button: string): Promise<void> {
  const dialog = page.getByRole('alertdialog').filter({ hasText: text });
  // A message may stand in it, with a button that dismisses it.
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/** Shows the dashboard's figures, storage and chart, which are folded around a few capsules. */
export async function unfoldFigures(page: Page): Promise<void> {
  const figures = page.getByRole('region', { name: 'Summary' }).locator('details').first();
  await figures.waitFor();
  const isOpen = await figures.evaluate((details) => Object(details).open === true);
  if (!isOpen) await figures.locator('summary').first().click();
}
