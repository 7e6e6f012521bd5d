import type { ComponentType } from 'react';
import { type Later, later } from '../ui/later.ts';

/**
 * A part of a page whose code comes when it is first shown. Failing to come, it is a
 * ChunkLoadError like that of a whole page, and the page says so in the same words.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): Later<Props> {
  return later(async () => {
    try {
      return await load();
    } catch (cause) {
      const error = new Error('A part of the app could not be loaded', { cause });
      error.name = 'ChunkLoadError';
      throw error;
    }
  });
}
