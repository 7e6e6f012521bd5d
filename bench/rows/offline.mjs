import { spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { openBrowser, signInPage, slowDown } from '../support/browser.mjs';
import { limitRow } from '../support/measure.mjs';
import { capsuleFor } from '../support/person.mjs';
import { sendCapsule } from '../support/transfer.mjs';

/**
 * The installed app without a network, in a new browser process: from the address to cards of
 * the cache painted, with the page's processor slowed four times. The service worker and the
 * database start cold; they run beside the page and are not slowed. Each start is the first one since
 * the person has signed in on a new device, alone and beside a program that never rests.
 */
export async function offlineStart({ rounds, server, person, floorDirectory }) {
  for (let number = 1; number <= 12; number += 1) {
    await sendCapsule(server.port, {
      headers: person.headers(),
      capsule: capsuleFor(person.email, `Capsule ${number}`),
      bytes: 1_000,
    });
  }
  const seconds = { alone: [], beside: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const device = join(floorDirectory, `device-${round}`);
    const same = `${device}-copy`;
    await install(device, server.url, person);
    await cp(device, same, { recursive: true });
    const alone = await startOffline(device, server.url);
    const busy = spawn(process.execPath, ['-e', 'for (;;);']);
    const beside = await startOffline(same, server.url).finally(() => busy.kill());
    if (round === 0) continue;
    seconds.alone.push(alone);
    seconds.beside.push(beside);
  }
  return [
    limitRow('Offline start, CPU slowed 4×: cards on screen', 's', seconds.alone, 2.5),
    limitRow('The same, one of the processors busy', 's', seconds.beside, 2.5),
  ];
}

/** Signs in on a new device, and looks at the cards until the worker has saved the app. */
async function install(device, url, person) {
  const { page, close } = await openBrowser(device, url);
  await signInPage(page, person);
  await page.getByRole('article').first().waitFor();
  await close();
}

async function startOffline(device, url) {
  const { context, page, close } = await openBrowser(device, url);
  try {
    await context.setOffline(true);
    await slowDown(page, 4);
    await page.goto('/dashboard', { waitUntil: 'commit' });
    const milliseconds = await page.evaluate(() =>
      benchPainted(
        () => document.querySelectorAll('[role=tabpanel]:not([hidden]) article h3').length >= 6,
      ),
    );
    return milliseconds / 1000;
  } finally {
    await close();
  }
}
