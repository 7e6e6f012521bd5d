import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type CSSOptions, type Manifest, type Plugin } from 'vite';

type Reader = 'visitor' | 'member';

interface Page {
  /** Beside `index.html`. */
  file: string;
  path: string;
  reader: Reader;
  /** As the app's routes name it; without one it is the site's own. */
  title?: string;
  /** What it needs besides the app. */
  modules: readonly string[];
}

const PAGES: readonly Page[] = [
  { file: 'landing.html', path: '/', reader: 'visitor', modules: ['pages/home/home-page.tsx'] },
  {
    file: 'dashboard.html',
    path: '/dashboard',
    reader: 'member',
    title: 'Dashboard',
    modules: ['pages/dashboard/dashboard-page.tsx', 'pages/dashboard/dashboard-board.tsx'],
  },
];

/** Runs first on such a page, and then the app. */
const FIRST_SCRIPT = 'after-first-paint.ts';

/**
 * Writes pages that are the same for everyone who gets them: `index.html` with the words and the
 * styles in it, so that a first visit reads as soon as it has come, and with links to the scripts
 * that take it over.
 */
export function prerenderPages(css: CSSOptions): Plugin {
  let root = '';
  let built = '';
  return {
    name: 'prerender-pages',
    apply: 'build',
    configResolved: (config) => {
      root = config.root;
      built = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      sequential: true,
      order: 'post',
      handler: async () => {
        const empty = await readFile(join(built, 'index.html'), 'utf8');
        const manifest: Manifest = JSON.parse(
          await readFile(join(built, 'manifest.build.json'), 'utf8'),
        );
        const first = await buildFirstScript(root, built);
        const render = await buildRenderer(root, join(built, '../prerender'), css);
        for (const page of PAGES) {
          const words = await wordsOf(page, render);
          const { scripts, styles } = filesOf(manifest, page.modules);
          const sheets = styles.map((file) => readFile(join(built, file), 'utf8'));
          const style = (await Promise.all(sheets)).join('').trim();
          const html = pageOf(empty, page, { words, first, scripts, styles, style });
          await writeFile(join(built, page.file), html);
        }
        await rm(join(built, '../prerender'), { recursive: true });
      },
    },
  };
}

/** @returns its file */
async function buildFirstScript(root: string, outDir: string): Promise<string> {
  const result = await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: false,
      modulePreload: false,
      rolldownOptions: {
        input: join(root, FIRST_SCRIPT),
        output: { entryFileNames: 'static/js/[name]-[hash].js' },
      },
    },
  });
  const [script] = 'output' in result ? result.output : [];
  if (!script) throw new Error(`${FIRST_SCRIPT} was not built.`);
  return script.fileName;
}

type Render = (path: string, reader: Reader) => Promise<string>;

async function buildRenderer(root: string, outDir: string, css: CSSOptions): Promise<Render> {
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'warn',
    plugins: [react()],
    css,
    build: { ssr: 'prerender.tsx', outDir, emptyOutDir: true, minify: false },
  });
  const module = await import(pathToFileURL(join(outDir, 'prerender.js')).href);
  return module.renderPage;
}

async function wordsOf({ path, reader }: Page, render: Render): Promise<string> {
  const words = await render(path, reader);
  // Our policy forbids both; a page that needs them would be broken only in browsers.
  if (/<script|<style|\sstyle=/.test(words))
    throw new Error(`The page at ${path} has inline code.`);
  return words;
}

interface Parts {
  words: string;
  first: string;
  scripts: readonly string[];
  styles: readonly string[];
  style: string;
}

function pageOf(empty: string, { reader, title }: Page, parts: Parts): string {
  const day = new Date().toISOString().slice(0, 10);
  const [, app = ''] = APP.exec(empty) ?? [];
  if (app === '') throw new Error('index.html starts no app.');
  const later = parts.scripts.map((file) => `/${file}`).filter((file) => file !== app);
  const links = [
    `<link rel="modulepreload" crossorigin href="${app}">`,
    // What stands in the page is not loaded again by the part of the app that needs it.
    ...parts.styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}" disabled>`),
  ];
  const first = `src="/${parts.first}" data-app="${app}" data-parts="${later.join(' ')}"`;
  // The faces come after the app, see client/app-faces.ts.
  const style = parts.style.replaceAll('font-display:optional', 'font-display:swap');
  return empty
    .replace('<title>', title === undefined ? '<title>' : `<title>${title} · `)
    .replace('<html', '<html data-faces="later"')
    .replace(/\s*<link rel="stylesheet"[^>]*>/g, '')
    .replace(/\s*<link rel="preload" as="font"[^>]*>/g, '')
    .replace(APP, () => `<script type="module" crossorigin ${first}>`)
    .replace('</head>', () => `${links.join('\n')}\n<style>${style}</style>\n</head>`)
    .replace(
      '<div id="root"></div>',
      () => `<div id="root" data-reader="${reader}" data-day="${day}">${parts.words}</div>`,
    );
}

const APP = /<script type="module" crossorigin src="([^"]+)">/;

/** What the app and `modules` need. */
function filesOf(manifest: Manifest, modules: readonly string[]) {
  const seen = new Set<string>(['index.html', ...modules]);
  // A set is walked to its end even while it grows.
  for (const key of seen) {
    for (const imported of manifest[key]?.imports ?? []) seen.add(imported);
  }
  const chunks = [...seen].flatMap((key) => manifest[key] ?? []);
  return {
    scripts: [...new Set(chunks.map(({ file }) => file))],
    styles: [...new Set(chunks.flatMap((chunk) => chunk.css ?? []))],
  };
}
