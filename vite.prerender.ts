import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type CSSOptions, type Manifest, type Plugin } from 'vite';

const PAGE = 'pages/home/home-page.tsx';

/**
 * Writes `landing.html` beside `index.html`: the same page with the words of the landing page
 * and its styles in it, so that a first visit reads as soon as it has come, and with links to
 * the scripts that take it over.
 */
export function prerenderLanding(css: CSSOptions): Plugin {
  let root = '';
  let built = '';
  return {
    name: 'prerender-landing',
    apply: 'build',
    configResolved: (config) => {
      root = config.root;
      built = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      sequential: true,
      order: 'post',
      handler: async () => {
        const page = await readFile(join(built, 'index.html'), 'utf8');
        const manifest: Manifest = JSON.parse(
          await readFile(join(built, 'manifest.build.json'), 'utf8'),
        );
        const words = await renderLanding(root, join(built, '../prerender'), css);
        const { scripts, styles } = filesOf(manifest);
        const sheets = styles.map((file) => readFile(join(built, file), 'utf8'));
        const style = (await Promise.all(sheets)).join('').trim();
        await writeFile(join(built, 'landing.html'), landingPage(page, words, style, scripts));
      },
    },
  };
}

async function renderLanding(root: string, outDir: string, css: CSSOptions): Promise<string> {
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
  const words: string = await module.renderLanding();
  await rm(outDir, { recursive: true });
  // Our policy forbids both; a page that needs them would be broken only in browsers.
  if (/<script|<style|\sstyle=/.test(words)) throw new Error('The landing page has inline code.');
  return words;
}

function landingPage(
  page: string,
  words: string,
  style: string,
  scripts: readonly string[],
): string {
  const day = new Date().toISOString().slice(0, 10);
  const links = scripts
    .filter((file) => !page.includes(file))
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
  return page
    .replace(/\s*<link rel="stylesheet"[^>]*>/g, '')
    .replace('</head>', () => `${links.join('\n')}\n<style>${style}</style>\n</head>`)
    .replace('<div id="root"></div>', () => `<div id="root" data-day="${day}">${words}</div>`);
}

/** What the app and its landing page need. */
function filesOf(manifest: Manifest): { scripts: string[]; styles: string[] } {
  const seen = new Set<string>(['index.html', PAGE]);
  // A set is walked to its end even while it grows.
  for (const key of seen) {
    for (const imported of manifest[key]?.imports ?? []) seen.add(imported);
  }
  const chunks = [...seen].flatMap((key) => manifest[key] ?? []);
  return {
    scripts: chunks.map(({ file }) => file),
    styles: chunks.flatMap((chunk) => chunk.css ?? []),
  };
}
