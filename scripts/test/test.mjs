import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { sizeLine, weigh } from '../build/sizes.mjs';
import { findBrowser, findHeadlessShell } from '../find/find-browser.mjs';
import { findFirefox, findOpenssl, findWebKit } from '../find/find-engines.mjs';
import { findPgbouncer } from '../find/find-pgbouncer.mjs';
import { NotAvailable } from '../find/find-program.mjs';
import { isMain } from '../is-main.mjs';
import { countTests, stageLine, summarize } from './count-tests.mjs';

const RESULTS = 'test-results';
const VITEST = 'node_modules/vitest/vitest.mjs';
/** A run that hangs is a failure, not a wait; a machine three times as slow is none. */
const TIMEOUT_MS = 90 * 60_000;

/** The newest Node we support; npx fetches it, since its 190 MB are too much for a dependency. */
const NEWER_NODE = 'node@24';

/** `npm run test:all`: rarer states, other engines, another Node and the pictures, too. */
const IS_ALL = process.argv.includes('--all');
/** Read by vitest.config.ts and by tests that repeat a race. */
const MORE = IS_ALL ? { TEST_ALL: '1', ROUNDS: '15' } : {};

/** @typedef {import('./count-tests.mjs').Outcome} Outcome */

/**
 * Projects of vitest.config.ts.
 * `find`: what they need of the machine, found or installed once, since two workers at a time could not.
 * @typedef {{
 *   name: string, project: string, needsBuild?: boolean, find?: (() => unknown)[], onlyAll?: boolean,
 * }} Suite
 */
const CHROMIUM = [findBrowser, findHeadlessShell];
const ENGINES = [findWebKit, findOpenssl, findFirefox];
/** @type {Suite[]} */
const SUITES = [
  { name: 'unit tests', project: 'unit' },
  { name: 'device tests', project: 'device' },
  { name: 'API tests', project: 'api' },
  { name: 'browser tests', project: 'browser', needsBuild: true, find: CHROMIUM },
  { name: 'fault tests', project: 'faults' },
  { name: 'engine tests', project: 'engines', needsBuild: true, find: ENGINES, onlyAll: true },
  { name: 'pooler tests', project: 'pooler', find: [findPgbouncer], onlyAll: true },
  { name: 'visual tests', project: 'visual', find: CHROMIUM, onlyAll: true },
];

/** @type {Map<string, Outcome>} */
const outcomes = new Map();

/** @param {string} name @param {Outcome} outcome */
function tell(name, outcome) {
  outcomes.set(name, outcome);
  progress.clear();
  console.log(stageLine(name, outcome));
}

/** A stage that is a single check. */
async function check(name) {
  const started = performance.now();
  const status = await spawned(name, 'npm', ['run', '--silent', name]);
  const seconds = secondsSince(started);
  tell(name, status === 0 ? { passed: 1, failed: 0, seconds } : { passed: 0, failed: 1, seconds });
  return status === 0;
}

async function checks() {
  for (const name of ['types', 'lint', 'arrows', 'coverage']) await check(name);
}

function sizes() {
  const rows = weigh();
  for (const row of rows.filter(({ ok }) => !ok)) console.log(sizeLine(row));
  const passed = rows.filter((row) => row.ok).length;
  tell('sizes', { passed, failed: rows.length - passed });
}

async function buildAndTest() {
  const isBuilt = await check('build');
  if (isBuilt) sizes();
  const wanted = SUITES.filter(({ onlyAll }) => IS_ALL || !onlyAll);
  const suites = wanted.filter((suite) => canRun(suite, isBuilt));
  const isFault = ({ project }) => project === 'faults';
  // Starting and stopping servers is mostly waiting: beside the others it takes no time of its own.
  await Promise.all([
    runTests('faults', suites.filter(isFault), { workers: '1' }),
    runTests(
      'tests',
      suites.filter((suite) => !isFault(suite)),
    ),
  ]);
  if (IS_ALL) await testOnNewerNode();
}

/** @param {Suite} suite @param {boolean} isBuilt */
function canRun({ name, project, needsBuild, find = [] }, isBuilt) {
  if (needsBuild && !isBuilt) {
    console.error('Not run: it needs the build.');
    tell(name, { passed: 0, failed: 1 });
    return false;
  }
  return isFound(name, project, () => find.map((program) => program()));
}

/** On a machine of one's own a missing program is told and counted; in CI it is a failure. */
function isFound(name, project, find) {
  try {
    find();
    return true;
  } catch (error) {
    if (error instanceof NotAvailable && !process.env.CI) {
      const skipped = testsOf(project);
      tell(name, { passed: 0, failed: 0, skipped, missing: error.message });
    } else {
      console.error(error.message);
      tell(name, { passed: 0, failed: 1 });
    }
    return false;
  }
}

/** @param {string} run @param {Suite[]} suites */
async function runTests(run, suites, { node = process.execPath, workers = '' } = {}) {
  // Without the name of a project vitest would run all of them.
  if (suites.length === 0) return;
  const report = `${RESULTS}/${run}.json`;
  rmSync(report, { force: true });
  const projects = suites.map(({ project }) => `--project=${project}`);
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  // What the tests that pass have printed is nobody's news.
  const options = [
    '--silent=passed-only',
    ...(workers ? [`--maxWorkers=${workers}`] : []),
    ...reporters,
  ];
  const started = performance.now();
  const status = await spawned(run, node, [VITEST, 'run', ...projects, ...options]);
  const written = readReport(report);
  const counted = suites.map(({ project }) => countTests(written, project));
  for (const [place, { name }] of suites.entries()) tell(name, counted[place]);
  // Such as an error after the last test of a file.
  const endedBadly = status !== 0 && counted.every(({ failed }) => failed === 0);
  if (endedBadly) tell(run, { passed: 0, failed: 1, seconds: secondsSince(started) });
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    console.error(`${path} was not written.`);
    return null;
  }
}

async function testOnNewerNode() {
  const name = `API, ${NEWER_NODE}`;
  let node = '';
  const isThere = isFound(name, 'api', () => {
    const options = ['-y', `--package=${NEWER_NODE}`, '-c', 'node -p process.execPath'];
    node = spawnSync('npx', options, { encoding: 'utf8' }).stdout?.trim();
    if (!node) throw new NotAvailable(`npx could not fetch ${NEWER_NODE}.`);
  });
  if (isThere) await runTests(NEWER_NODE, [{ name, project: 'api' }], { node });
}

/** How many tests a project has, without running them. */
function testsOf(name) {
  const { stdout } = spawnSync(process.execPath, [VITEST, 'list', '--project', name, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...MORE },
    maxBuffer: 64 * 1024 * 1024,
  });
  try {
    return JSON.parse(stdout).length;
  } catch {
    // A list that cannot be made must not look as if nothing was left out.
    return 1;
  }
}

/**
 * Runs a command whose output goes to a log of its name, which is shown when it has failed.
 * @returns {Promise<number | null>} its exit code; null when it was killed
 */
async function spawned(name, command, args) {
  const path = `${RESULTS}/${name}.log`;
  const log = createWriteStream(path);
  const env = { ...process.env, ...MORE };
  const child = spawn(command, args, { env, timeout: TIMEOUT_MS });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      log.write(text);
      progress.show(text.split('·').length - 1);
    });
  }
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  await new Promise((resolve) => log.end(resolve));
  if (status !== 0) {
    progress.clear();
    process.stdout.write(readFileSync(path));
  }
  return status;
}

/** How many tests have passed so far, on a line that a terminal overwrites; nothing in a file. */
const progress = {
  passed: 0,
  show(more) {
    this.passed += more;
    if (process.stdout.isTTY) process.stdout.write(`\r${this.passed} tests passed\x1b[K`);
  },
  clear() {
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
  },
};

function secondsSince(started) {
  return ((performance.now() - started) / 1000).toFixed(1);
}

async function main() {
  mkdirSync(RESULTS, { recursive: true });
  const started = performance.now();
  await Promise.all([checks(), buildAndTest()]);
  const { notRun, last, isGood } = summarize(outcomes);
  if (notRun.length > 0) console.log('\nNot run on this machine:');
  for (const line of notRun) console.log(line);
  if (!IS_ALL) console.log('\nRarer states, other browsers and pictures: npm run test:all.');
  console.log(`It took ${secondsSince(started)} s.`);
  console.log(last);
  process.exitCode = isGood ? 0 : 1;
}

if (isMain(import.meta.url)) await main();
