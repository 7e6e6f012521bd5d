import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { isMain } from './is-main.mjs';

const BUILT = 'dist/client';
const FONTS = 'static/fonts';
const KILOBYTE = 1000;

const ENTRY = 'index.html';
/**
 * JavaScript a screen needs before it can be used, gzipped, in kB. Parts it loads lazily count
 * where they are there from the start (the board of the dashboard, the field of the unlock day);
 * what only a click brings does not.
 */
const SCREENS = [
  ['landing', ['pages/home/home-page.tsx'], 100],
  ['auth', ['pages/auth/auth-page.tsx'], 105],
  ['dashboard', ['pages/dashboard/dashboard-page.tsx', 'pages/dashboard/dashboard-board.tsx'], 150],
  ['create', ['pages/create/create-page.tsx', 'ui/date-field.tsx'], 220],
];
const STYLE_BUDGET = 18;
/** Fonts are compressed already. */
const FONT_BUDGET = 115;

/**
 * Weighs what the build made against the budgets.
 * @returns {{ name: string, kB: number, budget: number, ok: boolean }[]}
 */
export function weigh() {
  const manifest = JSON.parse(readFileSync(join(BUILT, 'manifest.build.json'), 'utf8'));
  const screens = SCREENS.map(([screen, modules, budget]) => {
    return { screen, budget, chunks: closure(manifest, [ENTRY, ...modules]) };
  });
  return [
    ...screens.map(({ screen, budget, chunks }) =>
      row(`${screen}: JavaScript`, gzipped(chunks.map((chunk) => chunk.file)), budget),
    ),
    ...screens.map(({ screen, chunks }) =>
      row(`${screen}: CSS`, gzipped(chunks.flatMap((chunk) => chunk.css ?? [])), STYLE_BUDGET),
    ),
    row(
      'fonts at first view',
      total(fonts(), (bytes) => bytes.length),
      FONT_BUDGET,
    ),
  ];
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

/** Every face that was built: a first view may ask for each of them, preloaded or not. */
function fonts() {
  return readdirSync(join(BUILT, FONTS)).map((name) => join(FONTS, name));
}

function row(name, kB, budget) {
  if (!(kB > 0)) throw new Error(`sizes: nothing was weighed for "${name}"`);
  return { name, kB, budget, ok: kB <= budget };
}

/** One line a weight, for people. */
export function sizeLine({ name, kB, budget, ok }) {
  return `${ok ? '✓' : '✗'} ${name.padEnd(24)} ${kB.toFixed(1).padStart(6)} of ${budget} kB`;
}

if (isMain(import.meta.url)) {
  const rows = weigh();
  for (const weight of rows) console.log(sizeLine(weight));
  process.exitCode = rows.every((weight) => weight.ok) ? 0 : 1;
}
