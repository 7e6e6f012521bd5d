import { join } from 'node:path';
import { openBrowser, signInPage, slowDown } from '../support/browser.mjs';
import { medianRow } from '../support/measure.mjs';

const CAPSULES = 5_000;

/**
 * A device that keeps 5,000 capsules, without a network, the page's processor slowed four
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
    await page.evaluate((owner) => benchFillCache(owner), id);
    await context.setOffline(true);
    const times = { search: [], page: [], card: [] };
    for (let round = 0; round <= rounds; round += 1) {
      await page.goto('/dashboard');
      await page.getByText(`of ${CAPSULES} capsules`).first().waitFor();
      // A new page of a browser that is offline believes itself online until it is told again.
      await context.setOffline(false);
      await context.setOffline(true);
      await page.waitForFunction(() => !navigator.onLine);
      await slowDown(page, 4);
      const seen = {
        search: await search(page, `Letter ${1_000 + round * 700}`),
        page: await turnPage(page),
        card: await openCard(page),
      };
      for (const [name, milliseconds] of Object.entries(seen)) {
        if (round > 0) times[name].push(milliseconds);
      }
    }
    return [
      medianRow('Search in 5,000 kept capsules, CPU slowed 4×', 'ms', times.search, 100),
      medianRow('Next page of them', 'ms', times.page, 100),
      medianRow('Opening a card', 'ms', times.card, 100),
    ];
  } finally {
    await browser.close();
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
  // As fast as fast people type; the last key starts what is measured.
  await box.pressSequentially(text, { delay: 60 });
  await box.press('Enter');
  const milliseconds = await found;
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.getByText(`of ${CAPSULES} capsules`).first().waitFor();
  return milliseconds;
}
