import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from 'vite';
import { isMain } from '../is-main.mjs';

const STATEMENTS = 'docs/spec-statements.md';
/** A title ends with the ids of the statements that its test shows: `says why [5.auth.7 9.limits.1]`. */
const TAGGED = /^(.*) \[(\d[^\]]*)\]$/;

/**
 * The statements of a Markdown text: its lines `- id: statement`.
 * @param {string} markdown
 */
export function readStatements(markdown) {
  return [...markdown.matchAll(/^- (\d\S*): (.+)$/gm)].map(([, id, statement]) => ({
    id,
    statement,
  }));
}

/**
 * The tests and groups of a source that name statements, without skipped ones.
 * @param {string} path
 * @param {string} source
 */
export function readTests(path, source) {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0].message}`);
  const tests = [];
  const walk = (node) => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (node === null || typeof node !== 'object') return;
    if (node.type === 'CallExpression') {
      const names = calleeNames(node.callee);
      if (['it', 'test', 'rare', 'describe'].includes(names[0])) {
        if (names.includes('skip') || names.includes('todo')) return;
        const [, title, ids] = TAGGED.exec(textOf(node.arguments[0])) ?? [];
        if (ids) tests.push({ test: `${path} › ${title}`, ids: ids.split(/[ ,]+/) });
      }
    }
    Object.values(node).forEach(walk);
  };
  walk(program.body);
  return tests;
}

/** `it.each(rows)` → ['it', 'each'] */
function calleeNames(callee) {
  if (callee.type === 'Identifier') return [callee.name];
  if (callee.type === 'MemberExpression')
    return [...calleeNames(callee.object), callee.property.name];
  return callee.type === 'CallExpression' ? calleeNames(callee.callee) : [];
}

function textOf(node) {
  if (node?.type === 'TemplateLiteral') {
    return node.quasis.map(({ value }) => value.cooked).join('…');
  }
  return node?.type === 'Literal' ? String(node.value) : '';
}

/**
 * Each statement with its tests, and what is wrong, one line each.
 * @param {ReturnType<typeof readStatements>} statements
 * @param {ReturnType<typeof readTests>} tests
 */
export function cover(statements, tests) {
  const wrong = [];
  const rows = new Map();
  for (const { id, statement } of statements) {
    if (rows.has(id)) wrong.push(`${id}: stands there twice`);
    rows.set(id, { id, statement, tests: [] });
  }
  for (const { test, ids } of tests) {
    for (const id of ids) {
      if (rows.has(id)) rows.get(id).tests.push(test);
      else wrong.push(`${test}: there is no statement ${id}`);
    }
  }
  for (const row of rows.values()) {
    if (row.tests.length === 0) wrong.push(`${row.id}: no test names it`);
  }
  return { rows: [...rows.values()], wrong };
}

function readAllTests() {
  return ['client', 'scripts', 'server', 'shared', 'tests']
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((path) => join(folder, path)))
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => /\.test\.tsx?$/.test(path))
    .sort()
    .flatMap((path) => readTests(path, readFileSync(path, 'utf8')));
}

if (isMain(import.meta.url)) {
  const { rows, wrong } = cover(readStatements(readFileSync(STATEMENTS, 'utf8')), readAllTests());
  if (process.argv.includes('--table')) {
    console.log('| id | statement | tests |\n|---|---|---|');
    for (const { id, statement, tests } of rows) {
      console.log(`| ${id} | ${statement} | ${tests.join('<br>')} |`);
    }
  }
  for (const line of wrong) console.error(line);
  console.error(`coverage: ${rows.length} statements, ${wrong.length} wrong`);
  process.exitCode = wrong.length > 0 || rows.length === 0 ? 1 : 0;
}
