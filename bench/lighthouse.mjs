import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { findBrowser } from '../scripts/find/find-browser.mjs';
import { FLAGS } from './support/browser.mjs';
import { leastRow, medianRow } from './support/measure.mjs';
import { capsuleFor, signUp } from './support/person.mjs';
import { startServer, temporaryDirectory } from './support/process.mjs';
import { table, writeReport } from './support/report.mjs';
import { sendCapsule } from './support/transfer.mjs';
import { longTasks } from './typing.mjs';

/** Fetched by npx when it is run, so that it is not a dependency. */
const LIGHTHOUSE = 'lighthouse@12.8.2';

const USAGE = `npm run lighthouse [-- --rounds 5] [--no-report]
  Needs the built app (npm run build) and, the first time, a connection.`;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    rounds: { type: 'string', default: '5' },
    report: { type: 'boolean', default: true },
    help: { type: 'boolean' },
  },
});
if (values.help || !existsSync('dist/client/index.html')) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 1);
}

const directory = await temporaryDirectory();
const server = await startServer(join(directory.path, 'data'));
try {
  const person = await signUp(server.port, 'Ada');
  const friend = await signUp(server.port, 'Grace');
  for (let number = 1; number <= 12; number += 1) {
    await sendCapsule(server.port, {
      headers: (number % 3 === 0 ? friend : person).headers(),
      capsule: capsuleFor(person.email, `Capsule ${number}`),
      bytes: 1_000,
    });
  }
  const rounds = Number(values.rounds);
  const rows = [
    ...(await screen('Landing', '/', null, 95, rounds)),
    ...(await screen('Dashboard', '/dashboard', person, 85, rounds)),
    await longTasks({ rounds, server, person, directory: join(directory.path, 'typing') }),
  ];
  console.log(table(rows));
  if (values.report) {
    writeReport('Pages', rows, 'npm run build && npm run lighthouse', {
      intro: `Lighthouse ${LIGHTHOUSE.split('@')[1]} with its defaults: a phone on Slow 4G, the processor slowed four times,
a new browser each time, first visit only. The dashboard belongs to a signed-in person with twelve capsules.`,
    });
  }
} finally {
  await server.stop();
  await directory.remove();
}

async function screen(name, path, person, leastPerformance, rounds) {
  const reports = [];
  for (let round = 0; round < rounds; round += 1) {
    console.error(`${name} ${round + 1} of ${rounds} …`);
    reports.push(await visit(path, person, join(directory.path, `${name}-${round}`)));
  }
  const score = (id) => reports.map(({ categories }) => categories[id].score * 100);
  const audit = (id, unit) => reports.map(({ audits }) => audits[id].numericValue / unit);
  return [
    leastRow(`${name}: performance`, score('performance'), leastPerformance),
    leastRow(`${name}: accessibility`, score('accessibility'), 100),
    leastRow(`${name}: best practices`, score('best-practices'), 100),
    medianRow(`${name}: largest contentful paint`, 's', audit('largest-contentful-paint', 1000), 2),
    medianRow(`${name}: layout shift`, '', audit('cumulative-layout-shift', 1), 0.02),
  ];
}

/** One visit by a new browser. For a person it has only their cookies and the signed-in flag. */
async function visit(path, person, place) {
  await mkdir(place, { recursive: true });
  const port = await freePort();
  const context = await chromium.launchPersistentContext(join(place, 'profile'), {
    executablePath: findBrowser(),
    args: [...FLAGS, `--remote-debugging-port=${port}`],
  });
  try {
    if (person) await rememberSession(context, person);
    const report = join(place, 'report.json');
    await promisify(execFile)('npx', [
      '-y',
      LIGHTHOUSE,
      server.url + path,
      `--port=${port}`,
      '--output=json',
      `--output-path=${report}`,
      '--only-categories=performance,accessibility,best-practices',
      '--quiet',
      ...(person ? ['--disable-storage-reset'] : []),
    ]);
    const result = JSON.parse(await readFile(report, 'utf8'));
    if (result.runtimeError) throw new Error(result.runtimeError.message);
    if (new URL(result.finalDisplayedUrl).pathname !== path) {
      throw new Error(`${path} led to ${result.finalDisplayedUrl}`);
    }
    return result;
  } finally {
    await context.close();
  }
}

/** Sets the cookies and the flag of a sign-in from a page outside the app, so that the app is not cached yet. */
async function rememberSession(context, person) {
  const cookies = person
    .headers()
    .Cookie.split('; ')
    .map((pair) => pair.split('='))
    .map(([name, value]) => ({ name, value, url: server.url, httpOnly: name === 'session' }));
  await context.addCookies(cookies);
  const [page] = context.pages();
  await page.goto(`${server.url}/robots.txt`);
  await page.evaluate("localStorage.setItem('isLoggedIn', 'true')");
  await page.goto('about:blank');
}

async function freePort() {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = /** @type {import('node:net').AddressInfo} */ (listener.address());
  await new Promise((resolve) => listener.close(resolve));
  return port;
}
