import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Manifest, type Plugin } from 'vite';

const LANDING = 'pages/home/home-page.tsx';

/** Writes `landing.html`: index.html with the landing page's words in it, which the app hydrates. */
export function prerenderLanding(): Plugin {
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
        const [html, manifest] = await Promise.all(
          ['index.html', 'manifest.build.json'].map((file) => readFile(join(built, file), 'utf8')),
        );
        if (!html || !manifest) throw new Error('The client was not built.');
        const words = await renderLanding(root, join(built, '../prerender'));
        // The content security policy forbids both: the page would be broken only in browsers.
        if (/<script|<style|\sstyle=/.test(words)) throw new Error('The landing has inline code.');
        const links = linksOf(JSON.parse(manifest)).filter((link) => !html.includes(link));
        const day = new Date().toISOString().slice(0, 10);
        const page = html
          .replace('</head>', () => `${links.join('\n')}\n</head>`)
          // React hydrates with the day of the build, see client/hooks/use-today.ts.
          .replace(
            '<div id="root"></div>',
            () => `<div id="root" data-day="${day}">${words}</div>`,
          );
        await writeFile(join(built, 'landing.html'), page);
      },
    },
  };
}

async function renderLanding(root: string, outDir: string): Promise<string> {
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'warn',
    plugins: [react()],
    build: { ssr: 'prerender.tsx', outDir, emptyOutDir: true, minify: false },
  });
  const { renderLanding } = await import(pathToFileURL(join(outDir, 'prerender.js')).href);
  const words = await renderLanding();
  await rm(outDir, { recursive: true });
  return words;
}

/** The style sheets and scripts that the landing page needs besides those of index.html. */
function linksOf(manifest: Manifest): string[] {
  // A set is walked to its end even while it grows.
  const keys = new Set([LANDING]);
  for (const key of keys) for (const next of manifest[key]?.imports ?? []) keys.add(next);
  const chunks = [...keys].flatMap((key) => manifest[key] ?? []).filter(({ isEntry }) => !isEntry);
  const styles = new Set(chunks.flatMap(({ css = [] }) => css));
  return [
    ...[...styles].map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...chunks.map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ];
}
