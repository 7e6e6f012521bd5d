import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { html } from 'hono/html';
import { parseAccept } from 'hono/utils/accept';
import { site } from '../../shared/site.ts';
import type { AppContext } from './context.ts';
import { etagMatches, etagOf } from './etag.ts';
import { PAGE_POLICY } from './security-headers.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
/** What the build has compressed, beside each file (scripts/build/compress.mjs). */
const ENCODINGS = [
  ['br', '.br', brotliCompressSync],
  ['gzip', '.gz', gzipSync],
] as const;

/** The page of the app with the landing page's words in it, made by the build. */
const LANDING = '/landing.html';
const MANIFEST = '/manifest.webmanifest';
/** Two answers at one address. */
const BY_PERSON = { Vary: 'Accept-Encoding, Cookie' };

type Bytes = Buffer<ArrayBuffer>;

interface Asset {
  type: string;
  etag: string;
  /** Hashed names never change their bytes. */
  immutable: boolean;
  body: Bytes;
  encoded: { encoding: string; body: Bytes }[];
}

export interface StaticFiles {
  /** The file at this path of the site, or null. */
  serve(c: AppContext, path: string): Response | null;
  /** The page of the app. @param status 404 where no route of the app has this address. */
  page(c: AppContext, status: 200 | 404): Response;
  /** The page of one of the app's screens. A visitor's landing page comes with its words. */
  screen(c: AppContext, mayBeMember: boolean): Response;
}

/**
 * The built client, held in memory: a few megabytes. A request can only name what was read
 * at start, so no path leads anywhere else on the disk. @param siteName on its pages in place of the
 * name that the build has written there
 */
export function createStaticFiles(directory: string, siteName: string = site.name): StaticFiles {
  const assets = readAssets(directory, siteName);
  const landing = assets.get(LANDING);
  // At an address of its own its words would be the wrong ones.
  assets.delete(LANDING);

  function serve(c: AppContext, path: string): Response | null {
    const asset = assets.get(path);
    return asset ? send(c, asset) : null;
  }

  function send(
    c: AppContext,
    asset: Asset,
    status: 200 | 404 = 200,
    more: Record<string, string> = {},
  ): Response {
    const headers: Record<string, string> = {
      'Content-Type': asset.type,
      ETag: asset.etag,
      'Content-Security-Policy': PAGE_POLICY,
      'Cache-Control': cacheControl(asset),
      ...(asset.encoded.length > 0 ? { Vary: 'Accept-Encoding' } : {}),
      ...more,
    };
    if (status === 200 && etagMatches(c.req.header('if-none-match'), asset.etag)) {
      return c.body(null, 304, headers);
    }
    const found = preferred(asset.encoded, c.req.header('accept-encoding') ?? '');
    if (found) headers['Content-Encoding'] = found.encoding;
    return c.body(found?.body ?? asset.body, status, headers);
  }

  function page(c: AppContext, status: 200 | 404, more?: Record<string, string>): Response {
    const asset = assets.get('/index.html');
    if (asset) return send(c, asset, status, more);
    return c.text('The app is not built yet. Run "npm run build" and start again.', 503);
  }

  return {
    serve,
    page,
    screen: (c, mayBeMember) => {
      if (c.req.path !== '/') return page(c, 200);
      return landing && !mayBeMember ? send(c, landing, 200, BY_PERSON) : page(c, 200, BY_PERSON);
    },
  };
}

/** The form that the browser likes best, ours first among equals; undefined for the plain one. */
function preferred(encoded: Asset['encoded'], accepted: string): Asset['encoded'][0] | undefined {
  const weights = new Map(parseAccept(accepted).map(({ type, q }) => [type.toLowerCase(), q]));
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  return encoded
    .filter(({ encoding }) => weightOf(encoding) > 0 && weightOf(encoding) >= plain)
    .sort((a, b) => weightOf(b.encoding) - weightOf(a.encoding))[0];
}

/**
 * A page is `no-store` so that WebKit throws it away when it is left. In WebKit's page cache it would
 * lock the next page out of the device's database, see docs/decisions/028-no-page-cache.md.
 */
function cacheControl({ type, immutable }: Asset): string {
  if (type === TYPES['.html']) return 'no-store';
  return immutable ? 'public, max-age=31536000, immutable' : 'no-cache';
}

function readAssets(directory: string, siteName: string): Map<string, Asset> {
  const bodies = readFiles(directory);
  const assets = new Map<string, Asset>();
  for (const [path, built] of bodies) {
    const type = TYPES[extname(path)];
    if (!type) continue;
    const body = siteName === site.name ? built : inNameOf(siteName, path, built);
    assets.set(path, {
      type,
      etag: etagOf(body),
      immutable: path.startsWith('/static/'),
      body,
      encoded: ENCODINGS.flatMap(([encoding, suffix, encode]) => {
        const encoded = body === built ? bodies.get(path + suffix) : encode(body);
        return encoded ? [{ encoding, body: encoded }] : [];
      }),
    });
  }
  return assets;
}

/**
 * A page or the manifest with the site's own name. The app finds it in `application-name`, and draws
 * the landing page with the same words.
 */
function inNameOf(siteName: string, path: string, body: Bytes): Bytes {
  if (path === MANIFEST) {
    const names = { name: siteName, short_name: siteName };
    return Buffer.from(JSON.stringify({ ...JSON.parse(body.toString('utf8')), ...names }));
  }
  if (!path.endsWith('.html')) return body;
  const name = String(html`${siteName}`);
  const page = body.toString('utf8').replaceAll(site.name, () => name);
  const meta = `<meta name="application-name" content="${name}" />`;
  return Buffer.from(page.replace('</title>', () => `</title>\n    ${meta}`));
}

/** Every file below the directory, by its path in a URL. */
function readFiles(directory: string): Map<string, Bytes> {
  if (!existsSync(directory)) return new Map();
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [`/${relative(directory, file).split(sep).join('/')}`, readFileSync(file)]),
  );
}
