import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { countTests } from './count-tests.mjs';
import { findBrowser } from './find-browser.mjs';
import { isMain } from './is-main.mjs';
import { sizeLine, weigh } from './sizes.mjs';

const RESULTS = 'test-results';
const VITEST = 'node_modules/vitest/vitest.mjs';
/** A project that hangs is a failure, not a wait. */
const STAGE_TIMEOUT_MS = 15 * 60_000;

/** In order; a stage that needs what failed before it is a failure too. */
const STAGES = [
  { name: 'types', run: () => script('types') },
  { name: 'lint', run: () => script('lint') },
  { name: 'arrows', run: () => script('arrows') },
  { name: 'coverage', run: () => script('coverage', '--', '--strict') },
  { name: 'unit tests', run: () => project('unit') },
  { name: 'API tests', run: () => project('api') },
  { name: 'build', run: () => script('build') },
  { name: 'sizes', needs: 'build', run: sizes },
  { name: 'browser tests', needs: 'build', run: () => inBrowser('browser') },
  { name: 'visual tests', run: () => inBrowser('visual') },
  { name: 'fault tests', needs: 'build', run: () => project('faults') },
];

/** A whole stage that is one check: it passes or it fails. */
function script(name, ...options) {
  const { status } = spawn('npm', ['run', '--silent', name, ...options]);
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function project(name, environment = {}) {
  const report = `${RESULTS}/${name}.json`;
  rmSync(report, { force: true });
  const { status } = spawn(
    process.execPath,
    [
      VITEST,
      'run',
      '--project',
      name,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    environment,
  );
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

function inBrowser(name) {
  const browser = findBrowser();
  console.log(`Browser: ${browser}`);
  return project(name, { CHROMIUM_PATH: browser });
}

function spawn(command, args, environment = {}) {
  return spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
    timeout: STAGE_TIMEOUT_MS,
  });
}

function runStage({ needs, run }, outcomes) {
  if (needs && outcomes.get(needs)?.failed !== 0) {
    console.error(`Not run: it needs the ${needs}.`);
    return { passed: 0, failed: 1 };
  }
  try {
    return run();
  } catch (error) {
    console.error(error.message);
    return { passed: 0, failed: 1 };
  }
}

function main() {
  mkdirSync(RESULTS, { recursive: true });
  const outcomes = new Map();
  for (const stage of STAGES) {
    console.log(`\n── ${stage.name} ──`);
    const started = performance.now();
    const { passed, failed } = runStage(stage, outcomes);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    outcomes.set(stage.name, { passed, failed, seconds });
  }
  let passed = 0;
  let failed = 0;
  console.log('\n── all ──');
  for (const [name, outcome] of outcomes) {
    passed += outcome.passed;
    failed += outcome.failed;
    const mark = outcome.failed === 0 ? '✓' : '✗';
    console.log(
      `${mark} ${name.padEnd(14)} ${outcome.passed} passed, ${outcome.failed} failed (${outcome.seconds} s)`,
    );
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

if (isMain(import.meta.url)) main();
