import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { manifest } from './client/manifest.ts';
import { prerenderLanding } from './prerender-landing.ts';
import { site } from './shared/site.ts';

/** Where the real server listens during `npm run dev`. */
const SERVER = 'http://127.0.0.1:3000';

/** The name of the site and the two fonts of running text, in the page before any script has run. */
function siteIdentity(): Plugin {
  return {
    name: 'site-identity',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const fonts = Object.keys(bundle).filter((file) =>
          /(next|literata)-latin-wght.*\.woff2$/.test(file),
        );
        const preload = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' };
        return {
          html: html
            .replaceAll('%SITE_NAME%', () => escaped(site.name))
            .replaceAll('%SITE_TAGLINE%', () => escaped(site.tagline)),
          tags: fonts.map((font) => ({ tag: 'link', attrs: { ...preload, href: `/${font}` } })),
        };
      },
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

/** `/auth` is both a page and a call: requests for the page are not passed on to the server. */
function isPage(url: string | undefined, method: string | undefined): boolean {
  return method === 'GET' && !url?.startsWith('/auth/validate-token');
}

/** What a page imports, and what that imports in turn. */
function neededBy(page: string) {
  const needed = new Set([page]);
  return (id: string, context: Rolldown.ChunkingContext): boolean => {
    // A set is walked to its end even while it grows.
    if (needed.size === 1) {
      for (const one of needed) {
        for (const next of context.getModuleInfo(one)?.importedIds ?? []) needed.add(next);
      }
    }
    return needed.has(id);
  };
}

/** Most members arrive on the dashboard: nothing that only other pages share comes with it. */
const isNeeded = neededBy(resolve('client/pages/dashboard/dashboard-page.tsx'));
/** Those who add to a draft have no account, and most of them a phone: they get what they need and no more. */
const isAdding = neededBy(resolve('client/pages/add/add-page.tsx'));
const isCreating = neededBy(resolve('client/pages/create/create-page.tsx'));

/** Code that several routes share, in a few files instead of a hundred small ones. */
const codeSplitting = {
  groups: [
    { name: 'app', tags: ['$initial' as const], priority: 6 },
    // Of cards and of passwords: with the forms, each card would need them all.
    { name: 'eye-off', test: /icons\/eye-off/, priority: 6 },
    // What a visitor's pages share, without the calls and the database of members' pages.
    {
      name: 'forms',
      test: /shared\/(api\/auth|common-passwords|sentences)|client\/pages\/(auth\/|check-form|focus|use-(form|action))/,
      minShareCount: 2,
      priority: 5,
    },
    // The same for the pages behind links in emails.
    {
      name: 'links',
      test: /client\/(hooks\/(check-session|use-query)|pages\/(format|notice-words))|shared\/(capsule-time|api\/(addresses|bin|email-choices|invitations|own-password|undo-))/,
      minShareCount: 2,
      priority: 5,
    },
    // Apart from the pages that share them: the landing page has some, and none of the rest.
    { name: 'icons', test: /lucide-react|client\/components\/fact/, minShareCount: 2, priority: 4 },
    // What adding shares with the dashboard, with the form of a draft, and with the queue alone.
    {
      debugName: 'adding',
      name: (id: string, context: Rolldown.ChunkingContext) => {
        if (!isAdding(id, context)) return null;
        // The queue asks it as the form does, and needs nothing else of the form.
        if (isNeeded(id, context) || id.endsWith('/saves-data.ts')) return 'device';
        return isCreating(id, context) ? 'letter' : 'sending';
      },
      minShareCount: 2,
      priority: 3,
    },
    {
      debugName: 'members',
      name: (id: string, context: Rolldown.ChunkingContext) =>
        // The queue needs it as the form does, and nothing else of the form.
        isNeeded(id, context) || id.endsWith('/new-capsule.ts') ? 'members' : null,
      minShareCount: 2,
      priority: 1,
    },
    // What uses passkeys, with its library: one file that comes when it is needed.
    {
      name: 'passkeys',
      test: /@simplewebauthn|shared\/api\/passkeys|client\/(hooks\/passkeys|pages\/sign-in\/passkey-(button|sign-in))/,
    },
    // What only sites with an identity provider use.
    { name: 'provider', test: /client\/(hooks\/provider|pages\/sign-in\/provider-(?!card))/ },
    // What sends and receives: for the queue and for signing out, not for a first screen. Who adds has another queue.
    {
      name: 'sync',
      test: /client\/(sync\/(?!send-contributions)|hooks\/sign-out|app\/outbox-runner)/,
    },
    // What the dashboard does not need.
    { name: 'others', minShareCount: 2 },
  ],
};

/**
 * The first ones with light-dark() and :has(), which the style sheets use. In older ones
 * public/static/js/browser-check-1.js says so, and docs/known-limits.md names them. The worker is built for the same ones.
 */
const OLDEST_BROWSERS = ['chrome123', 'edge123', 'firefox121', 'safari17.5'];

export default defineConfig({
  root: 'client',
  publicDir: '../public',
  plugins: [
    react(),
    siteIdentity(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      // client/app/service-worker.ts registers it, through a Trusted Types policy.
      injectRegister: false,
      manifest,
      injectManifest: {
        target: OLDEST_BROWSERS,
        globPatterns: ['index.html', 'static/**/*.{js,css,woff2}', 'icon.svg'],
        maximumFileSizeToCacheInBytes: 1_048_576,
      },
    }),
    prerenderLanding(),
  ],
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
    target: OLDEST_BROWSERS,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        entryFileNames: 'static/js/[name]-[hash].js',
        chunkFileNames: 'static/js/[name]-[hash].js',
        codeSplitting,
        assetFileNames: ({ names }) =>
          `static/${assetFolder(names[0] ?? '')}/[name]-[hash][extname]`,
      },
    },
  },
});
