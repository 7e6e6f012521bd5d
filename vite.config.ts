import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { manifest } from './client/manifest.ts';
import { site } from './shared/site.ts';

/** Where the real server listens while the client is worked on. */
const SERVER = 'http://127.0.0.1:3000';

/** The interface is written in English: React Aria's other 34 languages stay out of the bundle. */
function englishOnly(): Plugin {
  const locale = /(react-aria|react-stately|@react-spectrum).*[/\\]([a-z]{2}-[A-Z]{2})\.(mjs|js)$/;
  return {
    name: 'english-only',
    enforce: 'pre',
    load(id) {
      const found = locale.exec(id.split('?')[0] ?? '');
      return found && found[2] !== 'en-US' ? 'export default undefined;' : null;
    },
  };
}

/** Only the server writes OpenAPI: zod's JSON Schema writer, a quarter of it, stays out. */
function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    enforce: 'pre',
    async load(id) {
      if (!/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/.test(id)) return null;
      const source = await readFile(id, 'utf8');
      const names = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(
        ([, name]) => name,
      );
      const refuse = 'const refuse = () => { throw new Error("No JSON Schema in the client"); };';
      // What a schema asks for while it is made is a writer it may never use.
      return [refuse, ...names.map((name) => `export const ${name} = () => refuse;`)].join('\n');
    },
  };
}

/**
 * Our pages require Trusted Types, and React Aria empties its announcer with a string of
 * HTML: every key in the date field would throw. It is emptied by nodes instead.
 */
function announcerWithoutHtml(): Plugin {
  const announcer = /react-aria\/dist\/private\/live-announcer\/LiveAnnouncer\.mjs$/;
  return {
    name: 'announcer-without-html',
    enforce: 'pre',
    transform(code, id) {
      if (!announcer.test(id)) return null;
      const mended = code.replaceAll(".innerHTML = ''", '.replaceChildren()');
      if (mended === code) this.error('React Aria has changed: see whether this is still needed.');
      return { code: mended, map: null };
    },
  };
}

/** The router's package offers every bundler the build with its warnings; the app ships the other. */
const ROUTER = new URL('node_modules/react-router/dist/production/', import.meta.url);
const productionRouter = [
  { find: /^react-router$/, replacement: fileURLToPath(new URL('index.mjs', ROUTER)) },
  { find: /^react-router\/dom$/, replacement: fileURLToPath(new URL('dom-export.mjs', ROUTER)) },
];

/** The faces of every page's text start loading with the page, not after its styles. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        return Object.keys(bundle)
          .filter((file) => /(literata|atkinson).*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              crossorigin: '',
              href: `/${file}`,
            },
            injectTo: 'head' as const,
          }));
      },
    },
  };
}

/** The page says who the site is before any script has run. */
function siteIdentity(): Plugin {
  return {
    name: 'site-identity',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html
          .replaceAll('%SITE_NAME%', () => escaped(site.name))
          .replaceAll('%SITE_TAGLINE%', () => escaped(site.tagline)),
    },
  };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function assetFolder(name: string): string {
  if (name.endsWith('.css')) return 'css';
  return name.endsWith('.woff2') ? 'fonts' : 'media';
}

/** `/auth` is both a page and a call: only what the page never asks for is passed on. */
function isPage(url: string | undefined, method: string | undefined): boolean {
  return method === 'GET' && !url?.startsWith('/auth/validate-token');
}

export default defineConfig(({ command }) => ({
  root: 'client',
  publicDir: '../public',
  plugins: [
    englishOnly(),
    withoutJsonSchema(),
    announcerWithoutHtml(),
    react(),
    siteIdentity(),
    preloadFonts(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      // client/pwa.ts registers it: through a Trusted Types policy, and offering updates.
      injectRegister: false,
      manifest,
      injectManifest: {
        globPatterns: ['index.html', 'static/**/*.{js,css,woff2}', 'icon.svg'],
        maximumFileSizeToCacheInBytes: 1_048_576,
      },
    }),
  ],
  resolve: { alias: command === 'build' ? productionRouter : [] },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': SERVER,
      '/user': SERVER,
      '/community': SERVER,
      '/uploads': SERVER,
      '/auth': {
        target: SERVER,
        bypass: (request) => (isPage(request.url, request.method) ? request.url : undefined),
      },
    },
  },
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    manifest: 'manifest.build.json',
    // The first browsers with light-dark(): the style sheet keeps it as written.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        entryFileNames: 'static/js/[name]-[hash].js',
        chunkFileNames: 'static/js/[name]-[hash].js',
        assetFileNames: ({ names }) =>
          `static/${assetFolder(names[0] ?? '')}/[name]-[hash][extname]`,
      },
    },
  },
}));
