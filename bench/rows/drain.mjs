import { join } from 'node:path';
import {
  fillCapsule,
  openBrowser,
  pickFile,
  signInPage,
  watchBrowserMemory,
} from '../support/browser.mjs';
import { writeFilm } from '../support/film.mjs';
import { inTurn, limitRow, ratioRow, settleDisk } from '../support/measure.mjs';
import { capsuleFor } from '../support/person.mjs';

const MEGABYTES = 200;
/** A fast connection of a home. Without a limit, browser and server would share the processor. */
const LINE = { offline: false, latency: 20, downloadThroughput: -1, uploadThroughput: 12_500_000 };

/**
 * A queued capsule of 200 MB, sent in parts from Create to "created", against one bare
 * XMLHttpRequest with the documented multipart: the same bytes from the same page to the same
 * server. Also the memory it took.
 */
export async function drain({ rounds, server, person, floorDirectory }) {
  const film = join(floorDirectory, 'film.mp4');
  await writeFilm(film, MEGABYTES);
  const browser = await openBrowser(join(floorDirectory, 'profile'), server.url);
  const { context, page } = browser;
  const growth = [];
  try {
    await signInPage(page, person);
    const queued = async () => {
      await fillCapsule(page, person, 'In parts');
      await pickFile(page, film);
      settleDisk();
      const watched = await watchBrowserMemory(context, () => create(page));
      growth.push(watched.growth.renderer);
      await deleteAll(person);
      return MEGABYTES / (watched.result / 1000);
    };
    const bare = async () => {
      await page.goto('/help');
      const milliseconds = await sendBare(page, film, capsuleFor(person.email, 'In one'));
      await deleteAll(person);
      return MEGABYTES / (milliseconds / 1000);
    };
    const session = await context.newCDPSession(page);
    await session.send('Network.emulateNetworkConditions', LINE);
    const speeds = await inTurn(rounds, queued, bare);
    return [
      ratioRow('Sending 200 MB over a line of 100 Mbit/s', 'MB/s', speeds, 0.9),
      limitRow('Memory growth of page and worker for it', 'MB', growth, 80),
    ];
  } finally {
    await browser.close();
  }
}

async function create(page) {
  const sent = page.evaluate(() =>
    benchFrom('click', () =>
      document.body.textContent.includes('Time capsule created successfully!'),
    ),
  );
  await page.getByRole('button', { name: 'Create Time Capsule' }).click();
  return sent;
}

async function sendBare(page, film, capsule) {
  await page.evaluate(() => {
    const input = document.createElement('input');
    input.type = 'file';
    input.id = 'bench-file';
    document.body.append(input);
  });
  await page.locator('#bench-file').setInputFiles(film);
  return page.evaluate(async (fields) => {
    const body = new FormData();
    body.append('capsule', new Blob([JSON.stringify(fields)], { type: 'application/json' }));
    const input = /** @type {HTMLInputElement} */ (document.getElementById('bench-file'));
    body.append('files', input.files[0]);
    const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '';
    const started = performance.now();
    await new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.onload = () =>
        request.status === 201 ? resolve(null) : reject(request.responseText);
      request.onerror = () => reject(new Error('no answer'));
      request.open('POST', '/api/capsules');
      request.setRequestHeader('X-XSRF-TOKEN', token);
      request.send(body);
    });
    return performance.now() - started;
  }, capsule);
}

async function deleteAll(person) {
  const { capsules } = await person.call('GET', '/api/capsules/created?limit=50');
  for (const { id } of capsules) await person.call('DELETE', `/api/capsules/${id}`);
  settleDisk();
}
