import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { isMain } from '../is-main.mjs';

/** Pictures and fonts are compressed already. */
const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.json', '.webmanifest', '.svg', '.txt']);

/**
 * Writes a .br and a .gz beside each text file of a built client, as far as they are smaller.
 * The server answers with the one a browser accepts.
 * @param {string} directory
 */
export function compress(directory) {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSIBLE.has(extname(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    const body = readFileSync(path);
    for (const [suffix, encode] of Object.entries({ '.br': brotliCompressSync, '.gz': gzipSync })) {
      const encoded = encode(body);
      if (encoded.length < body.length) writeFileSync(path + suffix, encoded);
    }
  }
}

if (isMain(import.meta.url)) compress('dist/client');
