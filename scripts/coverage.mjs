import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from 'vite';
import { isMain } from './is-main.mjs';

const TABLE = 'docs/spec-coverage.md';
const OPEN = 'open';
/** Separates a test's file from its title; `NEXT` separates two tests of one row. */
const ARROW = ' › ';
const NEXT = '<br>';

/**
 * The rows of the tables in a Markdown text, without their headers: id, statement, files, tests.
 * @param {string} markdown
 */
export function readRows(markdown) {
  return markdown
    .split('\n')
    .filter((line) => /^\| *\d/.test(line))
    .map((line) => {
      const [id = '', statement = '', files = '', tests = ''] = line
        .split(/(?<!\\)\|/)
        .slice(1)
        .map((cell) => cell.trim().replaceAll('\\|', '|'));
      return { id, statement, files: split(files), tests: tests === OPEN ? [] : split(tests) };
    });
}

/** @param {string} cell */
function split(cell) {
  return cell
    .split(NEXT)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * The titles of `it`, `test` and `describe` in a source, without skipped ones.
 * @param {string} path
 * @param {string} source
 * @returns {Set<string>}
 */
export function titlesOf(path, source) {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0].message}`);
  const titles = new Set();
  const walk = (node) => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (node === null || typeof node !== 'object') return;
    if (node.type === 'CallExpression') {
      const names = calleeNames(node.callee);
      if (['it', 'test', 'describe'].includes(names[0])) {
        if (names.includes('skip') || names.includes('todo')) return;
        const title = textOf(node.arguments[0]);
        if (title !== null) titles.add(title);
      }
    }
    Object.values(node).forEach(walk);
  };
  walk(program.body);
  return titles;
}

/** `it.each(rows)` → ['it', 'each'] */
function calleeNames(callee) {
  if (callee.type === 'Identifier') return [callee.name];
  if (callee.type === 'MemberExpression')
    return [...calleeNames(callee.object), callee.property.name];
  return callee.type === 'CallExpression' ? calleeNames(callee.callee) : [];
}

function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) {
    return node.quasis[0].value.cooked;
  }
  return null;
}

/**
 * The errors of the table, one line each, and the ids of rows without a test.
 * @param {ReturnType<typeof readRows>} rows
 * @param {{ exists: (path: string) => boolean, titles: (path: string) => Set<string> | null }} project
 */
export function checkRows(rows, { exists, titles }) {
  const wrong = [];
  const seen = new Set();
  for (const { id, files, tests } of rows) {
    if (seen.has(id)) wrong.push(`${id}: stands there twice`);
    seen.add(id);
    if (files.length === 0) wrong.push(`${id}: does not say where it lives`);
    for (const file of files) {
      if (!exists(file)) wrong.push(`${id}: ${file} does not exist`);
    }
    for (const test of tests) {
      const at = test.indexOf(ARROW);
      const [file, title] = [test.slice(0, at), test.slice(at + ARROW.length)];
      if (at < 0) wrong.push(`${id}: "${test}" is not "file${ARROW}title"`);
      else if (!titles(file)?.has(title)) wrong.push(`${id}: no test "${title}" in ${file}`);
    }
  }
  const open = rows.filter(({ tests }) => tests.length === 0).map(({ id }) => id);
  return { wrong, open };
}

function readTitles() {
  const paths = ['client', 'scripts', 'server', 'shared', 'tests'].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((path) => join(folder, path).replaceAll(sep, '/')),
  );
  const tests = paths.filter((path) => /\.test\.tsx?$/.test(path));
  return new Map(tests.map((path) => [path, titlesOf(path, readFileSync(path, 'utf8'))]));
}

if (isMain(import.meta.url)) {
  const all = readTitles();
  const rows = readRows(readFileSync(TABLE, 'utf8'));
  const { wrong, open } = checkRows(rows, {
    exists: existsSync,
    titles: (path) => all.get(path) ?? null,
  });
  const strict = process.argv.includes('--strict');
  for (const line of wrong) console.error(line);
  if (open.length > 0) console.log(`open: ${open.join(', ')}`);
  console.log(`coverage: ${rows.length} statements, ${open.length} open, ${wrong.length} wrong`);
  const failed = wrong.length > 0 || rows.length === 0 || (strict && open.length > 0);
  process.exitCode = failed ? 1 : 0;
}
