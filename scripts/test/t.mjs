import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { CLIENT_SOURCES, isBuilt } from '../build/is-built.mjs';
import { isMain } from '../is-main.mjs';

const USAGE = `npm run t -- FILE [more files] [vitest's options]
  FILE is a test file or a folder of them. Examples:
  npm run t -- tests/api/axios.test.ts
  npm run t -- tests/browser/offline.test.ts -t "keeps nothing"`;

/**
 * The first pattern that matches a path names its projects in vitest.config.ts.
 * @type {[RegExp, string[]][]}
 */
const PROJECTS = [
  [/^tests\/visual\/compare\.test\.ts$/, ['unit']],
  [/^tests\/support\b/, ['unit']],
  [/^tests\/offline\b/, ['proofs']],
  ...[
    'api',
    'bounces',
    'browser',
    'engines',
    'visual',
    'faults',
    'pooler',
    'screenshots',
    'swift',
    'years',
  ].map((name) => /** @type {[RegExp, string[]]} */ ([new RegExp(`^tests/${name}\\b`), [name]])),
  [/^tests\/devices\b/, ['api']],
  [/^server\/.*\.db\.test\.ts$/, ['api']],
  [/^client\/(api|db|hooks|sw|sync)\b/, ['device']],
  [/^(client|server|shared|scripts)\/.*\.test\.tsx?$/, ['unit']],
  // A folder may have both kinds.
  [/^server\b/, ['unit', 'api']],
  [/^client\b/, ['unit', 'device']],
  [/^(shared|scripts)\b/, ['unit']],
];

const NEEDS_BROWSER = ['browser', 'visual', 'proofs', 'screenshots'];
const NEEDS_CLIENT = ['browser', 'engines', 'proofs'];

/**
 * The vitest projects that run a test file or folder; none for any other path.
 * @param {string} path from the project's folder
 * @returns {string[]}
 */
export function projectsOf(path) {
  return PROJECTS.find(([pattern]) => pattern.test(path))?.[1] ?? [];
}

function run(command, args) {
  // A file that is named runs, whether `npm test` has the time for it or not.
  const env = { ...process.env, TEST_ALL: '1' };
  return spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1;
}

/**
 * Splits the command line: files come first, and vitest's options begin with the first dash.
 * @param {string[]} words
 */
export function readCommand(words) {
  const dash = words.findIndex((word) => word.startsWith('-'));
  const files = dash < 0 ? words : words.slice(0, dash);
  const paths = files.map((file) => relative('', file));
  return {
    paths,
    projects: [...new Set(paths.flatMap(projectsOf))],
    noTests: files.filter((_file, index) => !isTest(paths[index])),
    options: words.slice(files.length),
  };
}

function isTest(path) {
  return existsSync(path) && projectsOf(path).length > 0;
}

/** @param {string[]} words of the command line */
async function main(words) {
  const { paths, projects, noTests, options } = readCommand(words);
  for (const file of noTests) console.error(`${file} is no test of this project.`);
  if (paths.length === 0 || noTests.length > 0) {
    console.error(USAGE);
    return 1;
  }
  const needs = (some) => projects.some((project) => some.includes(project));
  // The server is built last: when it is newer, the client was built to its end.
  if (needs(NEEDS_CLIENT) && !isBuilt('dist/server/main.js', CLIENT_SOURCES)) {
    const status = run('npm', ['run', '--silent', 'build']);
    if (status !== 0) return status;
  }
  const chosen = projects.map((project) => `--project=${project}`);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...chosen, ...paths, ...options];
  if (needs(NEEDS_BROWSER)) await findBrowsers();
  return run(process.execPath, vitest);
}

/** Loaded only when needed: Playwright takes half a second to read. */
async function findBrowsers() {
  const { findBrowser, findHeadlessShell } = await import('../find/find-browser.mjs');
  findBrowser();
  findHeadlessShell();
}

if (isMain(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
