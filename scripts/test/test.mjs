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
/** All that a stage prints is there; it is shown when the stage has failed. */
const LOG = `${RESULTS}/stage.log`;
/** A project that hangs is a failure, not a wait; a machine three times as slow is none. */
const STAGE_TIMEOUT_MS = 30 * 60_000;

/** The newest Node we support; npx fetches it, since its 190 MB are too much for a dependency. */
const NEWER_NODE = 'node@24';

/** `npm run test:all`: rarer states, other engines' last keys, another Node and the pictures, too. */
const IS_ALL = process.argv.includes('--all');
/** Read by vitest.config.ts and by tests that repeat a race. */
const MORE = IS_ALL ? { TEST_ALL: '1', ROUNDS: '15' } : {};

/** @typedef {import('./count-tests.mjs').Outcome} Outcome */

/**
 * In this order. A stage fails too if a stage it needs has failed. `project`: the tests that cannot
 * run where a program is missing.
 * @typedef {{
 *   name: string, run: () => Outcome | Promise<Outcome>, needs?: string, project?: string,
 *   onlyAll?: boolean,
 * }} Stage
 * @type {Stage[]}
 */
const STAGES = [
  { name: 'types', run: () => script('types') },
  { name: 'lint', run: () => script('lint') },
  { name: 'arrows', run: () => script('arrows') },
  { name: 'coverage', run: () => script('coverage') },
  { name: 'unit tests', run: () => project('unit') },
  { name: 'API tests', run: () => project('api') },
  { name: `API, ${NEWER_NODE}`, onlyAll: true, project: 'api', run: onNewerNode },
  { name: 'pooler tests', onlyAll: true, project: 'pooler', run: behindPooler },
  { name: 'build', run: () => script('build') },
  { name: 'sizes', needs: 'build', run: sizes },
  { name: 'browser tests', needs: 'build', project: 'browser', run: () => inBrowser('browser') },
  { name: 'engine tests', needs: 'build', project: 'engines', run: inOtherEngines },
  { name: 'visual tests', onlyAll: true, project: 'visual', run: () => inBrowser('visual') },
  { name: 'fault tests', needs: 'build', run: () => project('faults') },
];

/** A stage that is a single check. */
async function script(name) {
  const status = await spawned('npm', ['run', '--silent', name]);
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function project(name, node = process.execPath) {
  const report = `${RESULTS}/${name}.json`;
  rmSync(report, { force: true });
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  // What the tests that pass have printed is nobody's news.
  const options = ['--silent=passed-only', ...reporters];
  const status = await spawned(node, [VITEST, 'run', '--project', name, ...options]);
  return countTests(readReport(report), status);
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    console.error(`${path} was not written.`);
    return null;
  }
}

function sizes() {
  const rows = weigh();
  for (const row of rows.filter(({ ok }) => !ok)) console.log(sizeLine(row));
  const passed = rows.filter((row) => row.ok).length;
  return { passed, failed: rows.length - passed };
}

/** Found, or installed, once: two workers at a time could not. */
function inBrowser(name) {
  findBrowser();
  findHeadlessShell();
  return project(name);
}

function onNewerNode() {
  const options = ['-y', `--package=${NEWER_NODE}`, '-c', 'node -p process.execPath'];
  const { status, stdout } = spawnSync('npx', options, { encoding: 'utf8' });
  const node = stdout.trim();
  if (status !== 0 || !node) throw new NotAvailable(`npx could not fetch ${NEWER_NODE}.`);
  return project('api', node);
}

function inOtherEngines() {
  findFirefox();
  findWebKit();
  findOpenssl();
  return project('engines');
}

function behindPooler() {
  findPgbouncer();
  return project('pooler');
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
 * Runs a command whose output goes to the log; a bar counts the dots of its tests.
 * @returns {Promise<number | null>} its exit code; null when it was killed
 */
async function spawned(command, args) {
  const log = createWriteStream(LOG);
  const env = { ...process.env, ...MORE };
  const child = spawn(command, args, { env, timeout: STAGE_TIMEOUT_MS });
  let passed = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      log.write(text);
      passed += text.split('·').length - 1;
      bar.show(passed);
    });
  }
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  await new Promise((resolve) => log.end(resolve));
  if (status !== 0) {
    bar.clear();
    process.stdout.write(readFileSync(LOG));
  }
  return status;
}

/** How far all of it is, on one line that a terminal overwrites; nothing in a file. */
const bar = {
  done: 0,
  of: 1,
  stage: '',
  show(tests = 0) {
    if (!process.stdout.isTTY) return;
    const full = Math.round((this.done / this.of) * 20);
    const count = tests > 0 ? ` ${tests} passed` : '';
    process.stdout.write(`\r${'█'.repeat(full).padEnd(20, '░')} ${this.stage}${count}\x1b[K`);
  },
  clear() {
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
  },
};

/**
 * @param {Stage} stage
 * @param {Map<string, Outcome>} outcomes
 * @returns {Promise<Outcome>}
 */
async function runStage({ needs, project: name, run }, outcomes) {
  if (needs && outcomes.get(needs)?.failed !== 0) {
    console.error(`Not run: it needs the ${needs}.`);
    return { passed: 0, failed: 1 };
  }
  try {
    return await run();
  } catch (error) {
    // On a machine of one's own a missing program is told and counted; in CI it is a failure.
    if (error instanceof NotAvailable && !process.env.CI) {
      return { passed: 0, failed: 0, skipped: testsOf(name), missing: error.message };
    }
    console.error(error.message);
    return { passed: 0, failed: 1 };
  }
}

async function main() {
  mkdirSync(RESULTS, { recursive: true });
  const stages = STAGES.filter(({ onlyAll }) => IS_ALL || !onlyAll);
  const outcomes = new Map();
  bar.of = stages.length;
  for (const stage of stages) {
    bar.stage = stage.name;
    bar.show();
    const started = performance.now();
    const outcome = await runStage(stage, outcomes);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    outcomes.set(stage.name, { ...outcome, seconds });
    bar.done += 1;
    bar.clear();
    console.log(stageLine(stage.name, outcomes.get(stage.name)));
  }
  const { notRun, last, isGood } = summarize(outcomes);
  if (notRun.length > 0) console.log('\nNot run on this machine:');
  for (const line of notRun) console.log(line);
  if (!IS_ALL) console.log('\nRarer states, other browsers and pictures: npm run test:all.');
  console.log(last);
  process.exitCode = isGood ? 0 : 1;
}

if (isMain(import.meta.url)) await main();
