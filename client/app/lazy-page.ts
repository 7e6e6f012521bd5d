import { type ComponentType, lazy } from 'react';
import { CHUNK_LOAD_TIMEOUT_MS } from '../../shared/limits.ts';

/** A page's code could not be fetched, or not in time. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

/** @throws {ChunkLoadError} when `load` fails or takes longer than the limit */
export async function loadChunk<Chunk>(load: () => Promise<Chunk>): Promise<Chunk> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new ChunkLoadError(`timeout of ${CHUNK_LOAD_TIMEOUT_MS}ms exceeded`);
    timer = setTimeout(() => reject(error), CHUNK_LOAD_TIMEOUT_MS);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (cause) {
    if (cause instanceof ChunkLoadError) throw cause;
    throw new ChunkLoadError('A part of the app could not be loaded', { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** A route whose code is fetched when it is first shown. @param name what its file calls it */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await loadChunk(load))[name] }));
}
