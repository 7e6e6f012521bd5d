import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { AppContext } from './context.ts';
import { etagMatches } from './etag.ts';
import { PAGE_POLICY, policyWithStyles } from './security-headers.ts';

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
  '.webp': 'image/webp',
};
const COMPRESSED_ALREADY = new Set(['.png', '.ico', '.woff2', '.webp']);

/** Made by the build from the page of the app: with the words of the screen at an address, for visitors or for members. */
const RENDERED: Record<string, { file: string; isForMembers: boolean; hasQuery: boolean }> = {
  '/': { file: '/landing.html', isForMembers: false, hasQuery: false },
  // What is searched for, which page of it: the words are those of an address without.
  '/dashboard': { file: '/dashboard.html', isForMembers: true, hasQuery: true },
};
/** Two answers at one address: no cache but the browser's own may keep them. */
const BY_PERSON = { Vary: 'Accept-Encoding, Cookie', 'Cache-Control': 'private, no-cache' };

type Encoding = 'br' | 'gzip';

interface Asset {
  type: string;
  etag: string;
  /** Hashed names never change their bytes. */
  immutable: boolean;
  body: Buffer;
  /** Made at the first request that can use them. */
  encoded: Partial<Record<Encoding, Buffer>>;
  compressible: boolean;
}

export interface StaticFiles {
  /** The file at this path of the site, or null. */
  serve(c: AppContext, path: string): Response | null;
  /** The page of the app. @param status 404 where no route of the app has this address. */
  page(c: AppContext, status: 200 | 404): Response;
  /** The page of one of the app's screens: with its words in it where they are the same for all such readers. */
  screen(c: AppContext, mayBeMember: boolean): Response;
}

/**
 * The built client, held in memory: a few megabytes. A request can only name what was read
 * at start, so no path leads anywhere else on the disk.
 */
export function createStaticFiles(directory: string): StaticFiles {
  const assets = readAssets(directory);
  const rendered = takeRendered(assets);

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
      'Cache-Control': asset.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(asset.compressible ? { Vary: 'Accept-Encoding' } : {}),
      ...more,
    };
    if (status === 200 && etagMatches(c.req.header('if-none-match'), asset.etag)) {
      return c.body(null, 304, headers);
    }
    const encoding = asset.compressible ? acceptedEncoding(c) : null;
    if (encoding) headers['Content-Encoding'] = encoding;
    const body = encoding ? encoded(asset, encoding) : asset.body;
    return c.body(new Uint8Array(body), status, headers);
  }

  function page(c: AppContext, status: 200 | 404, more?: Record<string, string>): Response {
    const asset = assets.get('/index.html');
    if (asset) return send(c, asset, status, more);
    return c.text('The app is not built yet. Run "npm run build" and start again.', 503);
  }

  return {
    serve,
    page: (c, status) => page(c, status),
    screen: (c, mayBeMember) => {
      const found = rendered.get(c.req.path);
      if (!found) return page(c, 200);
      const { asset, policy, isForMembers, hasQuery } = found;
      const isAsked = hasQuery && c.req.url.includes('?');
      return isForMembers === mayBeMember && !isAsked
        ? send(c, asset, 200, { ...BY_PERSON, 'Content-Security-Policy': policy })
        : page(c, 200, BY_PERSON);
    },
  };
}

/** No files of their own: at another address their words would be the wrong ones. */
function takeRendered(assets: Map<string, Asset>) {
  const found = Object.entries(RENDERED).flatMap(([path, screen]) => {
    const asset = assets.get(screen.file);
    assets.delete(screen.file);
    if (!asset) return [];
    const policy = policyWithStyles(asset.body.toString('utf8'));
    return [[path, { ...screen, asset, policy }] as const];
  });
  return new Map(found);
}

function readAssets(directory: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  if (!existsSync(directory)) return assets;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const extension = extname(entry.name);
    const path = `/${relative(directory, file).split(sep).join('/')}`;
    const body = readFileSync(file);
    assets.set(path, {
      type: TYPES[extension] ?? 'application/octet-stream',
      // Weak: the same file, however it is compressed.
      etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      immutable: path.startsWith('/static/'),
      body,
      encoded: {},
      compressible: !COMPRESSED_ALREADY.has(extension),
    });
  }
  return assets;
}

function acceptedEncoding(c: AppContext): Encoding | null {
  const accepted = c.req.header('accept-encoding') ?? '';
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : null;
}

function encoded(asset: Asset, encoding: Encoding): Buffer {
  asset.encoded[encoding] ??=
    encoding === 'br'
      ? brotliCompressSync(asset.body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
      : gzipSync(asset.body, { level: 9 });
  return asset.encoded[encoding];
}
