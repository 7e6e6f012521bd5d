import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { sizeLine, weigh } from '../build/sizes.mjs';
import { findBrowser, findHeadlessShell } from '../find/find-browser.mjs';
import { findFirefox, findOpenssl, findWebKit } from '../find/find-engines.mjs';
import { findPgbouncer } from '../find/find-pgbouncer.mjs';
import { NotAvailable } from '../find/find-program.mjs';
import { isMain } from '../is-main.mjs';
import { countTests, summarize } from './count-tests.mjs';

const RESULTS = 'test-results';
const VITEST = 'node_modules/vitest/vitest.mjs';
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
 *   name: string, run: () => Outcome, needs?: string, project?: string, onlyAll?: boolean,
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
  { name: 'pooler tests', project: 'pooler', run: behindPooler },
  { name: 'build', run: () => script('build') },
  { name: 'sizes', needs: 'build', run: sizes },
  { name: 'browser tests', needs: 'build', project: 'browser', run: () => inBrowser('browser') },
  { name: 'engine tests', needs: 'build', project: 'engines', run: inOtherEngines },
  { name: 'visual tests', onlyAll: true, project: 'visual', run: () => inBrowser('visual') },
  { name: 'fault tests', needs: 'build', run: () => project('faults') },
];

/** A stage that is a single check. */
function script(name) {
  const { status } = spawn('npm', ['run', '--silent', name]);
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function project(name, node = process.execPath) {
  const report = `${RESULTS}/${name}.json`;
  rmSync(report, { force: true });
  const { status } = spawn(node, [
    VITEST,
    'run',
    '--project',
    name,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]);
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
  for (const row of rows) console.log(sizeLine(row));
  const passed = rows.filter((row) => row.ok).length;
  return { passed, failed: rows.length - passed };
}

/** Found, or installed, once: two workers at a time could not. */
function inBrowser(name) {
  console.log(`Browsers: ${findBrowser()}, ${findHeadlessShell()}`);
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

function spawn(command, args) {
  return spawnSync(command, args, {
    stdio: 'inherit',
    timeout: STAGE_TIMEOUT_MS,
    env: { ...process.env, ...MORE },
  });
}

/**
 * @param {Stage} stage
 * @param {Map<string, Outcome>} outcomes
 * @returns {Outcome}
 */
function runStage({ needs, project: name, run }, outcomes) {
  if (needs && outcomes.get(needs)?.failed !== 0) {
    console.error(`Not run: it needs the ${needs}.`);
    return { passed: 0, failed: 1 };
  }
  try {
    return run();
  } catch (error) {
    console.error(error.message);
    // On a machine of one's own a missing program is told and counted; in CI it is a failure.
    if (!(error instanceof NotAvailable) || process.env.CI) return { passed: 0, failed: 1 };
    return { passed: 0, failed: 0, skipped: testsOf(name), missing: error.message };
  }
}

function main() {
  mkdirSync(RESULTS, { recursive: true });
  const outcomes = new Map();
  for (const stage of STAGES) {
    if (stage.onlyAll && !IS_ALL) continue;
    console.log(`\n── ${stage.name} ──`);
    const started = performance.now();
    const outcome = runStage(stage, outcomes);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    outcomes.set(stage.name, { ...outcome, seconds });
  }
  const { lines, last, isGood } = summarize(outcomes);
  console.log('\n── all ──');
  for (const line of lines) console.log(line);
  if (!IS_ALL) console.log('Rarer states and pictures: npm run test:all.');
  console.log(last);
  process.exitCode = isGood ? 0 : 1;
}

if (isMain(import.meta.url)) main();
