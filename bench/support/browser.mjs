import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findBrowser } from '../../scripts/find/find-browser.mjs';

const IN_PAGE = fileURLToPath(new URL('in-page.js', import.meta.url));

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser with the profile folder `profile`, for the app at `url`. */
export async function openBrowser(profile, url) {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findBrowser(),
    args: FLAGS,
    baseURL: url,
    viewport: { width: 1280, height: 900 },
  });
  context.setDefaultTimeout(120_000);
  await context.addInitScript({ path: IN_PAGE });
  const page = context.pages()[0] ?? (await context.newPage());
  return { context, page, close: () => context.close() };
}

/** Signs in by the form and waits until the service worker has cached the app. */
export async function signInPage(page, { email, password }) {
  await page.goto('/auth');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL('/dashboard');
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
}

/** Fills the create form, addressed to the person themself. Files are left to the caller. */
export async function fillCapsule(page, { name }, title) {
  await page.goto('/create');
  await page.getByLabel('Capsule Title').fill(title);
  await page.getByLabel('Description').fill('A capsule of the bench.');
  await page.getByRole('button', { name: /Recipient/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Select Recipients' });
  await dialog.getByRole('searchbox').fill(name);
  await dialog.getByRole('button', { name: 'Search', exact: true }).click();
  await dialog.getByRole('checkbox', { name }).check();
  await dialog.getByRole('button', { name: 'Confirm Selection (1)' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const day = page.getByLabel('Unlock Date');
  await day.fill(await day.getAttribute('min'));
  await page.getByRole('tab', { name: 'Content' }).click();
}

/** Picks a file on the create form. @returns milliseconds until all of it is saved on this device */
export async function pickFile(page, path) {
  const kept = page.evaluate(() =>
    benchFrom('change', () => {
      const text = document.body.textContent;
      return text.includes('1 File(s) Selected') && !/Copying…|Waiting to be copied/.test(text);
    }),
  );
  await page.locator('input[type=file]').setInputFiles(path);
  return kept;
}

/** Slows the page's main thread. @param times 1 turns the slowdown off */
export async function slowDown(page, times) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: times });
  return session;
}

/** The ids of a browser's processes by kind: `renderer` runs pages and workers. */
export async function processesOf(context) {
  const session = await context.browser().newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.map(({ type, id }) => ({ type, pid: id }));
}

/**
 * Runs `work`. @returns its result, and for each kind of process the growth of resident memory at
 * its peak, in megabytes
 */
export async function watchBrowserMemory(context, work) {
  const processes = (await processesOf(context)).map(({ type, pid }) => {
    // Linux resets the peak of resident memory (VmHWM) on writing 5.
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return { type, pid, before: statusOf(pid).now };
  });
  const result = await work();
  const growth = {};
  for (const { type, pid, before } of processes) {
    growth[type] = (growth[type] ?? 0) + Math.max(0, statusOf(pid).peak - before);
  }
  return { result, growth };
}

function statusOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}
