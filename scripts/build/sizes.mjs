import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { isMain } from '../is-main.mjs';

const BUILT = 'dist/client';
const FONTS = 'static/fonts';
const KILOBYTE = 1000;

const ENTRY = 'index.html';
/**
 * JavaScript that a screen needs before it can be used, gzipped, in kB: budgets that guard people.
 * @type {[name: string, page: string, budget: number | null][]}
 */
const SCREENS = [
  ['landing', 'pages/home/home-page.tsx', 125],
  ['auth', 'pages/auth/auth-page.tsx', 125],
  ['dashboard', 'pages/dashboard/dashboard-page.tsx', 190],
  ['create', 'pages/create/create-page.tsx', 215],
  ['add', 'pages/add/add-page.tsx', 200],
];
const APP_BUDGET = 480;
const FILES_BUDGET = 30;
const STYLE_BUDGET = 18;
/** Fonts are compressed already. */
const FONT_BUDGET = 115;
/** From this share of its budget on a figure is marked; above the second one the check fails. */
const NEAR = 0.9;
const FAILING = 1.1;

/**
 * Weighs what the build made: every route, and the budgets of those that have one.
 * @returns {{ name: string, amount: number, unit: string, budget: number | null, ok: boolean }[]}
 */
export function weigh() {
  const manifest = JSON.parse(readFileSync(join(BUILT, 'manifest.build.json'), 'utf8'));
  const scripts = new Set(
    Object.values(manifest)
      .map(({ file }) => file)
      .filter(isScript),
  );
  const weights = routes(manifest).flatMap((page) => {
    const [name, , budget] = SCREENS.find(([, module]) => module === page) ?? [page, page, null];
    const chunks = closure(manifest, [ENTRY, page]);
    return [
      row(`${name}: JavaScript`, gzipped(chunks.map(({ file }) => file)), budget),
      row(`${name}: CSS`, gzipped(chunks.flatMap(({ css = [] }) => css)), STYLE_BUDGET),
    ];
  });
  const fontSize = total(fonts(), (bytes) => bytes.length);
  return [
    ...weights,
    row('whole app: JavaScript', gzipped(scripts), APP_BUDGET),
    row('fonts at first view', fontSize, FONT_BUDGET),
    row('JavaScript', scripts.size, FILES_BUDGET, 'files'),
  ];
}

const isScript = (file) => file.endsWith('.js');

/** The modules of the routes, those with a budget first. */
function routes(manifest) {
  const pages = Object.keys(manifest).filter((key) => /^pages\/.*-page\.tsx$/.test(key));
  const guarded = SCREENS.map(([, module]) => module);
  for (const module of guarded) {
    if (!pages.includes(module)) throw new Error(`sizes: the build has no chunk for ${module}`);
  }
  return [...guarded, ...pages.filter((page) => !guarded.includes(page)).sort()];
}

/** The chunks and everything they import before they run. */
function closure(manifest, keys) {
  const seen = new Set();
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    if (!manifest[key]) throw new Error(`sizes: the build has no chunk for ${key}`);
    for (const imported of manifest[key].imports ?? []) visit(imported);
  };
  for (const key of keys) visit(key);
  return [...seen].map((key) => manifest[key]);
}

/** As hard as the server compresses what it sends. */
function gzipped(files) {
  return total(files, (bytes) => gzipSync(bytes, { level: 9 }).length);
}

/** @returns {number} kB over all files, each counted once. */
function total(files, sizeOf) {
  const sizes = [...new Set(files)].map((file) => sizeOf(readFileSync(join(BUILT, file))));
  return sizes.reduce((sum, size) => sum + size, 0) / KILOBYTE;
}

/** Every Latin face: a first view may ask for each of them, preloaded or not. Others come with their letters. */
function fonts() {
  const latin = readdirSync(join(BUILT, FONTS)).filter((name) => name.includes('-latin-wght'));
  return latin.map((name) => join(FONTS, name));
}

function row(name, amount, budget, unit = 'kB') {
  if (!(amount > 0)) throw new Error(`sizes: nothing was weighed for "${name}"`);
  return { name, amount, unit, budget, ok: budget === null || amount <= budget * FAILING };
}

/** One line a weight, for people. */
export function sizeLine({ name, amount, unit, budget, ok }) {
  const figure = amount.toFixed(unit === 'kB' ? 1 : 0).padStart(6);
  const mark = !ok ? '✗' : budget !== null && amount > budget * NEAR ? '!' : '✓';
  return `${mark} ${name.padEnd(58)} ${figure}${budget === null ? '' : ` of ${budget}`} ${unit}`;
}

if (isMain(import.meta.url)) {
  const rows = weigh();
  for (const weight of rows) console.log(sizeLine(weight));
  process.exitCode = rows.every((weight) => weight.ok) ? 0 : 1;
}
