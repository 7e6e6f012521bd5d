import { join } from 'node:path';
import { openBrowser, signInPage, slowDown } from '../support/browser.mjs';
import { medianRow } from '../support/measure.mjs';
import { capsuleFor } from '../support/person.mjs';
import { sendCapsule } from '../support/transfer.mjs';

/**
 * The installed app without a network, in a new browser process: from the address to cards of
 * the cache painted, with the page's processor slowed four times. The service worker and the
 * database start cold; they run beside the page and are not slowed.
 */
export async function offlineStart({ rounds, server, person, floorDirectory }) {
  for (let number = 1; number <= 12; number += 1) {
    await sendCapsule(server.port, {
      headers: person.headers(),
      capsule: capsuleFor(person.email, `Capsule ${number}`),
      bytes: 1_000,
    });
  }
  const profile = join(floorDirectory, 'profile');
  const first = await openBrowser(profile, server.url);
  await signInPage(first.page, person);
  await first.page.getByRole('article').first().waitFor();
  await first.page.reload();
  await first.page.getByRole('article').first().waitFor();
  await first.close();
  const seconds = [];
  for (let round = 0; round <= rounds; round += 1) {
    const { context, page, close } = await openBrowser(profile, server.url);
    try {
      await context.setOffline(true);
      await slowDown(page, 4);
      await page.goto('/dashboard', { waitUntil: 'commit' });
      const milliseconds = await page.evaluate(() =>
        benchPainted(
          () => document.querySelectorAll('[role=tabpanel]:not([hidden]) article h3').length >= 6,
        ),
      );
      if (round > 0) seconds.push(milliseconds / 1000);
    } finally {
      await close();
    }
  }
  return [medianRow('Offline start, CPU slowed 4×: cards on screen', 's', seconds, 2.5)];
}
