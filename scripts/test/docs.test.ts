import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => existsSync(path));
/** The app's own texts link to its pages, which their own test asks for. */
const isOfTheApp = (path: string) => path.startsWith('client/');
const documents = files.filter((path) => path.endsWith('.md') && !isOfTheApp(path));
const sources = files.filter((path) => /\.(ts|tsx|mjs|css)$/.test(path));

/** `db/outbox` stands for a file of the client or of the server, with or without its ending. */
const ROOTS = ['', 'client', 'server'];
const ENDINGS = ['', '.ts', '.tsx', '.test.ts', '.test.tsx', '.mjs'];

function isThere(path: string): boolean {
  return ROOTS.some((root) => ENDINGS.some((ending) => existsSync(join(root, path + ending))));
}

/** Words in backticks that begin with a folder of the project. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`(\w[\w.-]*(?:\/[\w.-]+)+)\/?`/g)]
    .map((match) => match[1] ?? '')
    .filter(
      (path) => isThere(path.slice(0, path.indexOf('/'))) && !/^(dist|test-results)\//.test(path),
    );
}

test.each(documents)('%s names only files that exist', (document) => {
  const text = readFileSync(document, 'utf8');
  const links = [...text.matchAll(/\]\((?!\w+:|#)([^)#]+)/g)].map((match) => match[1] ?? '');
  expect([
    ...pathsIn(text).filter((path) => !isThere(path)),
    ...links.filter((link) => !existsSync(join(dirname(document), link))),
  ]).toEqual([]);
});

/** As the places that hold repositories make anchors of headings. */
function anchorsOf(document: string): string[] {
  return [...readFileSync(document, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(documents)('%s links only to headings that are there', (document) => {
  const links = readFileSync(document, 'utf8').matchAll(/\]\((?!\w+:)([^)#]*)#([^)]+)\)/g);
  const dead = [...links].filter(([, path = '', anchor = '']) => {
    const target = path === '' ? document : join(dirname(document), path);
    return !target.endsWith('.md') || !anchorsOf(target).includes(anchor);
  });
  expect(dead.map(([link]) => link)).toEqual([]);
});

test('each decision has a number of its own, in its name and its title', () => {
  const decisions = documents.filter((path) => path.startsWith('docs/decisions/'));
  const numbers = decisions.map((path) => path.slice('docs/decisions/'.length).slice(0, 3));
  const titles = decisions.map((path) => readFileSync(path, 'utf8').slice(2, 5));
  expect([new Set(numbers).size, titles]).toEqual([numbers.length, numbers]);
});

test('comments name only documents that exist', () => {
  const mentioned = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/docs\/[\w/-]+\.(?:md|png)/g)].map(([name]) => name),
  );
  expect(mentioned.filter((name) => !existsSync(name))).toEqual([]);
});

test('the recipes of CONTRIBUTING.md name only what is in the code', () => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8');
  const code = sources
    .filter((path) => !path.endsWith('docs.test.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  // As in `startJob(deps, …)` and `KIND_NAMES`: not words of a shell, of SQL or of prose.
  const names = [...text.matchAll(/`(?:\w+\.)?([a-z]+[A-Z]\w*|[A-Z]+_[A-Z_]+)\b[^`]*`/g)].map(
    ([, name = '']) => name,
  );
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});
