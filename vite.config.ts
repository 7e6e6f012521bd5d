import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { manifest } from './client/manifest.ts';
import { site } from './shared/site.ts';
import { prerenderPages } from './vite.prerender.ts';

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

/**
 * Packages offer every bundler one of their builds; the app ships a better one: the router
 * without its warnings, Dexie for the browsers of today.
 */
const PACKAGES = new URL('node_modules/', import.meta.url);
const smallerBuilds = [
  [/^react-router$/, 'react-router/dist/production/index.mjs'] as const,
  [/^react-router\/dom$/, 'react-router/dist/production/dom-export.mjs'] as const,
  [/^dexie$/, 'dexie/dist/modern/dexie.mjs'] as const,
].map(([find, path]) => ({ find, replacement: fileURLToPath(new URL(path, PACKAGES)) }));

/**
 * The router keeps its forms, its scrolling and its prefetching of pages in every bundle: they
 * have names, and a link could ask for them. Nothing of ours does.
 */
function routerWithoutFramework(): Plugin {
  const router = /react-router\/dist\/production\/chunk-\w+\.mjs$/;
  return {
    name: 'router-without-framework',
    enforce: 'pre',
    transform(code, id) {
      if (!router.test(id) || !code.includes('function LinkWithRef(')) return null;
      const link = code.replace(
        /return shouldPrefetch && !isAbsolute \? .+ : link;/,
        'return link;',
      );
      if (link === code) this.error('The router has changed: see whether this is still needed.');
      const mended = link
        .replace(/= usePrefetchBehavior\(\s*prefetch,\s*rest\s*\);/, '= [false, null, {}];')
        .replace(/^\w+\.displayName = "\w+";$/gm, '')
        .replace(/ = (React\d*\.(?:forwardRef|createContext))\(/g, ' = /* @__PURE__ */ $1(');
      return { code: mended, map: null };
    },
  };
}

/**
 * Dexie remembers the results of live queries and shows writes before they are made; it also
 * offers hooks. Nothing here uses either, and what is remembered is in local/page-memory.ts.
 */
function dexieWithoutCache(): Plugin {
  const dexie = /dexie\/dist\/modern\/dexie\.mjs$/;
  return {
    name: 'dexie-without-cache',
    enforce: 'pre',
    transform(code, id) {
      if (!dexie.test(id)) return null;
      const mended = code.replace(/this\.use\((cache|hooks)Middleware\);/g, '');
      if (mended === code) this.error('Dexie has changed: see whether this is still needed.');
      return { code: mended, map: null };
    },
  };
}

/** What a call is for and how it can fail is read on the server's API page only. */
function callsWithoutDescription(): Plugin {
  return {
    name: 'calls-without-description',
    enforce: 'pre',
    transform(code, id) {
      if (!/shared\/api\/\w+\.ts$/.test(id)) return null;
      const mended = code
        .replace(/\bsummary:\s*(['"]).*?\1,/g, "summary: '',")
        .replace(/\berrors: \[[^\]]*\],/g, '');
      return { code: mended, map: null };
    },
  };
}

/**
 * Icons are drawn by a component of ours: theirs is ready for contexts and names nobody uses
 * here, and for lists that change, with a key at every stroke.
 */
function plainIcons(): Plugin {
  const ours = fileURLToPath(new URL('client/ui/draw-icon.ts', import.meta.url));
  return {
    name: 'plain-icons',
    enforce: 'pre',
    load: (id) =>
      /lucide-react\/.*\/createLucideIcon\.mjs$/.test(id)
        ? `export { drawIcon as default } from ${JSON.stringify(ours)};`
        : null,
    transform: (code, id) =>
      /lucide-react\/.*\/icons\//.test(id)
        ? { code: code.replace(/, key: "\w+"/g, ''), map: null }
        : null,
  };
}

/** Of files, their previews and passwords: neither the first page nor the board shows them. */
const LATER_ICONS =
  /lucide-react.*\/(download|external-link|eye|eye-off|file|file-text|film|image|pencil|printer|upload)\.mjs$/;

/**
 * Small shared parts in files of their own cost more than they save: each is a request and
 * compresses alone. The app itself is one file; what the sign-in screen shows, what any call
 * needs and what the dashboard needs are one file each, for every page that shares in it.
 */
const sharedFiles = {
  groups: [
    { name: 'app', tags: ['$initial' as const], priority: 6 },
    // One list names them all (client/ui/icon.tsx): who needs which cannot be told from imports.
    { name: 'later-icons', test: LATER_ICONS, priority: 5 },
    { name: 'icons', test: /lucide-react/, priority: 4.5 },
    sharedBy('seal', ['home/home-page.tsx'], 4),
    sharedBy('forms', ['auth/auth-page.tsx'], 3),
    sharedBy('calls', ['auth/send-auth.ts', 'dashboard/dashboard-board.tsx'], 2),
    sharedBy('board', ['dashboard/dashboard-board.tsx'], 1),
  ],
};

/** What each of `modules` and at least one other part of the app import, directly or not. */
function sharedBy(name: string, modules: readonly string[], priority: number) {
  const roots = modules.map((path) =>
    fileURLToPath(new URL(`client/pages/${path}`, import.meta.url)),
  );
  let needs: readonly Set<string>[] | undefined;
  return {
    name: (id: string, graph: ModuleGraph) => {
      needs ??= roots.map((root) => importsOf(root, graph));
      return needs.every((needed) => needed.has(id)) ? name : null;
    },
    minShareCount: 2,
    priority,
  };
}

interface ModuleGraph {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null;
}

function importsOf(root: string, graph: ModuleGraph): Set<string> {
  const found = new Set([root]);
  // A set is walked to its end even while it grows.
  for (const id of found) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}

/** Class names carry a short mark of their file. */
function scopedName(name: string, file: string): string {
  const path = relative(
    fileURLToPath(new URL('client', import.meta.url)),
    file.split('?')[0] ?? '',
  );
  return `${name}_${createHash('sha256').update(path).digest('base64url').slice(0, 4)}`;
}

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

const css = { modules: { generateScopedName: scopedName } };

export default defineConfig(({ command }) => ({
  root: 'client',
  publicDir: '../public',
  plugins: [
    englishOnly(),
    announcerWithoutHtml(),
    routerWithoutFramework(),
    dexieWithoutCache(),
    callsWithoutDescription(),
    plainIcons(),
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
    prerenderPages(css),
  ],
  resolve: { alias: command === 'build' ? smallerBuilds : [] },
  css,
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
        codeSplitting: sharedFiles,
        assetFileNames: ({ names }) =>
          `static/${assetFolder(names[0] ?? '')}/[name]-[hash][extname]`,
      },
    },
  },
}));
