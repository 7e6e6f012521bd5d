import { join } from 'node:path';
import { openBrowser, signInPage, slowDown } from '../support/browser.mjs';
import { medianRow } from '../support/measure.mjs';

const CAPSULES = 500;
const PAGES = Math.ceil(CAPSULES / 6);

/**
 * A device that has cached 500 capsules, without a network, the page's processor slowed four
 * times: from the key or the click to the result painted.
 */
export async function cached({ rounds, server, person, database, floorDirectory }) {
  const { id } = await person.call('GET', '/user/me');
  await database.addCapsules(id, CAPSULES);
  const browser = await openBrowser(join(floorDirectory, 'profile'), server.url);
  const { context, page } = browser;
  try {
    await signInPage(page, person);
    await page.getByRole('article').first().waitFor();
    await turnAllPages(page);
    await context.setOffline(true);
    const times = { search: [], page: [], card: [] };
    for (let round = 0; round <= rounds; round += 1) {
      await page.goto('/dashboard');
      await page.getByText(`of ${CAPSULES} capsules`).first().waitFor();
      // Chromium sets navigator.onLine of a new page only when the emulated state changes.
      await context.setOffline(false);
      await context.setOffline(true);
      await page.waitForFunction(() => !navigator.onLine);
      await slowDown(page, 4);
      const seen = {
        search: await search(page, `Letter ${100 + round * 50}`),
        page: await turnPage(page),
        card: await openCard(page),
      };
      for (const [name, milliseconds] of Object.entries(seen)) {
        if (round > 0) times[name].push(milliseconds);
      }
    }
    return [
      medianRow('Search in 500 cached capsules, CPU slowed 4×', 'ms', times.search, 200),
      medianRow('Next page of them', 'ms', times.page, 200),
      medianRow('Opening a card', 'ms', times.card, 200),
    ];
  } finally {
    await browser.close();
  }
}

/** Looks at every page once, as a person would, so that the device caches it. */
async function turnAllPages(page) {
  for (let number = 2; number <= PAGES; number += 1) {
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('region', { name: `Page ${number} of ${PAGES}` }).waitFor();
  }
}

async function turnPage(page) {
  const next = page.getByRole('button', { name: 'Next page' });
  const turned = page.evaluate(() => {
    const first = () =>
      document.querySelector('[role=tabpanel]:not([hidden]) article h3')?.textContent ?? null;
    const before = first();
    return benchFrom('click', () => first() !== null && first() !== before);
  });
  await next.click();
  return turned;
}

async function openCard(page) {
  const button = page.getByRole('button', { name: /^View details of/ }).first();
  const opened = page.evaluate(() => {
    const title = document.querySelector('[role=tabpanel]:not([hidden]) article h3').textContent;
    return benchFrom('click', () =>
      document.querySelector('dialog[open]')?.textContent.includes(title),
    );
  });
  await button.click();
  return opened;
}

async function search(page, text) {
  const box = page.getByRole('searchbox', { name: 'Search capsules' });
  const found = page.evaluate(
    (wanted) =>
      benchFrom('keydown Enter', () => {
        const titles = [...document.querySelectorAll('[role=tabpanel]:not([hidden]) article h3')];
        return titles.length === 1 && titles[0].textContent === wanted;
      }),
    text,
  );
  // As fast as fast people type. The measurement starts with the last key.
  await box.pressSequentially(text, { delay: 60 });
  await box.press('Enter');
  const milliseconds = await found;
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.getByText(`of ${CAPSULES} capsules`).first().waitFor();
  return milliseconds;
}
