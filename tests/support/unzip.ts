import { buffer } from 'node:stream/consumers';
import { crc32, inflateRawSync, type Zlib } from 'node:zlib';
import { fromBuffer } from 'yauzl';

/** What an archive holds, by path. */
export function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Buffer>();
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      zip.on('error', reject);
      zip.on('end', () => resolve(entries));
      zip.on('entry', (entry) => {
        zip.openReadStream(entry, async (failed, stream) => {
          if (failed) return reject(failed);
          entries.set(entry.fileName, await buffer(stream));
          zip.readEntry();
        });
      });
      zip.readEntry();
    });
  });
}

/**
 * What an archive holds, read from its beginning as from a pipe: without the central directory, so
 * each entry has to show by itself where it ends.
 */
export function unzipForward(bytes: Buffer): Map<string, Buffer> {
  const entries = new Map<string, Buffer>();
  let at = 0;
  while (bytes.readUInt32LE(at) === 0x04034b50) {
    const [flags, method] = [bytes.readUInt16LE(at + 6), bytes.readUInt16LE(at + 8)];
    const nameEnd = at + 30 + bytes.readUInt16LE(at + 26);
    const path = bytes.toString('utf8', at + 30, nameEnd);
    const start = nameEnd + bytes.readUInt16LE(at + 28);
    if (method !== 8 || (flags & 8) === 0) {
      throw new Error(`nothing says where ${path} ends: method ${method}, flags ${flags}`);
    }
    // The types of Node 20 don't know that `info` changes what is returned.
    const { buffer: content, engine } = inflateRawSync(bytes.subarray(start), {
      info: true,
    }) as unknown as { buffer: Buffer; engine: Zlib };
    const descriptor = start + engine.bytesWritten;
    const said = [0, 4, 8, 12].map((field) => bytes.readUInt32LE(descriptor + field));
    const found = [0x08074b50, crc32(content), engine.bytesWritten, content.length];
    if (said.join() !== found.join()) throw new Error(`${path} is not what its descriptor says`);
    entries.set(path, content);
    at = descriptor + 16;
  }
  return entries;
}
