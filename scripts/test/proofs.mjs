import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findBrowser } from '../find/find-browser.mjs';
import { isMain } from '../is-main.mjs';

const RESULTS = 'test-results';
const FIGURES = 'docs/reliability-figures.md';
/** The name of a failure that belongs to no case, such as a crash of the test runner. */
const PASS_ITSELF = 'the pass itself';
const VITEST = 'node_modules/vitest/vitest.mjs';

const USAGE = `npm run proofs [-- --times 20] [--only NAME] [--seed N] [--kills N] [--creates N] [--record]
  --times    number of passes, each with its own seed (default 1)
  --only     a file of tests/offline (closed-app), or part of a case's name
  --seed     the seed of the first pass; a failure prints the seed to repeat it with
  --kills    how often the browser is killed in a pass
  --creates  capsules sent over the broken connection in a pass; 500 at most, since a person
             can send another one no more in a day
  --record   add a line to ${FIGURES}
  Needs the built app (npm run build).`;

/** Reads vitest's JSON report of one pass: one result for each case. */
function readCases(report) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return testResults.flatMap(({ name, message, assertionResults }) =>
    assertionResults.length > 0
      ? assertionResults.map((one) => ({
          name: one.title,
          passed: one.status === 'passed',
          skipped: one.status === 'skipped' || one.status === 'pending',
          seconds: (one.duration ?? 0) / 1000,
          failure: one.failureMessages.join('\n'),
        }))
      : // The file failed before its first case, in its setup or an import.
        [{ name, passed: false, skipped: false, seconds: 0, failure: message }],
  );
}

function runPass(pass, seed, { only, kills, creates }) {
  const report = `${RESULTS}/proofs.json`;
  const output = `${RESULTS}/proofs-${pass}.log`;
  rmSync(report, { force: true });
  const isFile = only !== undefined && existsSync(`tests/offline/${only}.test.ts`);
  const choice =
    only === undefined ? [] : isFile ? [`tests/offline/${only}.`] : ['-t', escaped(only)];
  const log = openSync(output, 'w');
  const { status } = spawnSync(
    process.execPath,
    [
      ...[VITEST, 'run', '--project', 'proofs', ...choice],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    ],
    {
      stdio: ['ignore', log, log],
      env: {
        ...process.env,
        PROOFS_SEED: String(seed),
        ...(kills && { PROOFS_KILLS: kills }),
        ...(creates && { PROOFS_CREATES: creates }),
      },
    },
  );
  const itself = (failure) => ({ name: PASS_ITSELF, passed: false, seconds: 0, failure });
  try {
    const cases = readCases(report).filter(({ skipped }) => !skipped);
    // An unhandled error outside of the cases fails the run, but none of them.
    if (status !== 0 && cases.every(({ passed }) => passed)) {
      cases.push(itself(`It ended with an error; ${output} says more.`));
    }
    return { output, cases };
  } catch {
    return { output, cases: [itself(`The pass did not come to its end; ${output} says more.`)] };
  }
}

/** The options that repeat a failure. Case names contain the number of kills and creates. */
function again(seed, name, { only, kills, creates }) {
  return optionsText({ seed, kills, creates, only: name === PASS_ITSELF ? only : name });
}

function optionsText(given) {
  return Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([option, value]) => `--${option} ${option === 'only' ? JSON.stringify(value) : value}`)
    .join(' ');
}

/**
 * One line of the figures: what was run, and how often it held.
 * @param {string} date
 * @param {{ times?: string, only?: string, kills?: string, creates?: string }} options
 * @param {{ seed: number, passes: number, passed: number, failed: number }} figures
 */
export function figuresLine(
  date,
  { times, only, kills, creates },
  { seed, passes, passed, failed },
) {
  const options = optionsText({ times, only, kills, creates, seed });
  return `| ${date} | \`npm run proofs -- ${options}\` | ${passes} | ${passed.toLocaleString('en')} | ${failed} |\n`;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function line(pass, times, { name, passed, seconds }) {
  const place = `${String(pass).padStart(String(times).length)}/${times}`;
  return `${place} ${passed ? '✓' : '✗'} ${seconds.toFixed(1).padStart(6)} s  ${name}`;
}

/**
 * Adds up all passes: one row for each case.
 * @param {{ name: string, passed: boolean, seconds: number }[]} results
 * @returns {{ name: string, passed: number, failed: number, median: number, most: number }[]}
 */
export function tableOf(results) {
  const byName = new Map();
  for (const { name, passed, seconds } of results) {
    const row = byName.get(name) ?? { name, passed: 0, failed: 0, seconds: [] };
    row.seconds.push(seconds);
    row[passed ? 'passed' : 'failed'] += 1;
    byName.set(name, row);
  }
  return [...byName.values()].map(({ name, passed, failed, seconds }) => {
    const sorted = seconds.toSorted((a, b) => a - b);
    const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
    const most = sorted.at(-1) ?? 0;
    return { name, passed, failed, median, most };
  });
}

function main() {
  const { values } = parseArgs({
    options: {
      times: { type: 'string', default: '1' },
      only: { type: 'string' },
      seed: { type: 'string' },
      kills: { type: 'string' },
      creates: { type: 'string' },
      record: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  if (!existsSync('dist/client/index.html')) {
    console.error('The app is not built. Please run: npm run build');
    process.exitCode = 1;
    return;
  }
  mkdirSync(RESULTS, { recursive: true });
  console.log(`Browser: ${findBrowser()}`);
  const times = Math.max(1, Number(values.times));
  const first = Number(values.seed ?? Math.floor(Date.now() / 1000));
  const results = [];
  for (let pass = 1; pass <= times; pass += 1) {
    const seed = first + pass - 1;
    const started = performance.now();
    console.log(`\nPass ${pass} of ${times}, seed ${seed}, ${new Date().toISOString()}`);
    const { output, cases } = runPass(pass, seed, values);
    for (const one of cases) {
      console.log(line(pass, times, one));
      if (one.passed) continue;
      console.log(`      ${one.failure.split('\n').slice(0, 12).join('\n      ')}`);
      console.log(`      Again: npm run proofs -- ${again(seed, one.name, values)}`);
      console.log(`      All of it: ${output}`);
    }
    console.log(`Pass ${pass} took ${((performance.now() - started) / 1000).toFixed(0)} s`);
    results.push(...cases);
  }
  console.log('\npassed failed  median    most  case');
  for (const { name, passed, failed, median, most } of tableOf(results)) {
    const figures = [median, most].map((value) => `${value.toFixed(1)} s`.padStart(7)).join(' ');
    console.log(`${String(passed).padStart(6)} ${String(failed).padStart(6)} ${figures}  ${name}`);
  }
  const failed = results.filter((one) => !one.passed).length;
  const passed = results.length - failed;
  console.log(`\n${passed} passed, ${failed} failed`);
  if (values.record) {
    const today = new Date().toISOString().slice(0, 10);
    const figures = { seed: first, passes: times, passed, failed };
    appendFileSync(FIGURES, figuresLine(today, values, figures));
  }
  process.exitCode = failed > 0 || results.length === 0 ? 1 : 0;
}

if (isMain(import.meta.url)) main();
