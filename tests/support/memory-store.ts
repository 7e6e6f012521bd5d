import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type FileStore, MissingBytesError } from '../../server/files/file-store.ts';
import { assertKey } from '../../server/files/keys.ts';

export interface MemoryStore extends FileStore {
  /** All keys, in order. */
  keys(): string[];
}

/** A file store for tests: the same contract, nothing on disk. */
export function createMemoryStore(): MemoryStore {
  const files = new Map<string, Buffer>();

  return {
    async write(key, source) {
      source.on('error', () => {});
      try {
        assertKey(key);
        const content = await buffer(source);
        files.set(key, content);
        const sha256 = createHash('sha256').update(content).digest('hex');
        return { bytes: content.length, sha256 };
      } catch (error) {
        source.destroy();
        throw error;
      }
    },
    async append(key, at, source) {
      source.on('error', () => {});
      try {
        assertKey(key);
        const before = files.get(key)?.subarray(0, at) ?? Buffer.alloc(0);
        if (before.length < at) throw new MissingBytesError('bytes are missing');
        const added = await buffer(source);
        files.set(key, Buffer.concat([before, added]));
        return added.length;
      } catch (error) {
        source.destroy();
        throw error;
      }
    },
    async finish(key, bytes) {
      assertKey(key);
      const content = files.get(key)?.subarray(0, bytes);
      if (content?.length !== bytes) throw new MissingBytesError('bytes are missing');
      files.set(key, content);
      return { bytes, sha256: createHash('sha256').update(content).digest('hex') };
    },
    async read(key, range) {
      assertKey(key);
      const file = files.get(key);
      if (!file) return null;
      const part = range ? file.subarray(range.start, range.end + 1) : file;
      const stream = Readable.from(part.length > 0 ? [part] : [], { objectMode: false });
      return { stream, bytes: file.length };
    },
    async size(key) {
      assertKey(key);
      return files.get(key)?.length ?? null;
    },
    async delete(keys) {
      for (const key of keys) {
        assertKey(key);
        files.delete(key);
      }
      return new Map();
    },
    async check() {},
    keys: () => [...files.keys()].sort(),
  };
}
