import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * A part of a page whose code comes when it is first shown. Failing to come, it is a
 * ChunkLoadError like that of a whole page, and the page says so in the same words.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      const error = new Error('A part of the app could not be loaded', { cause });
      error.name = 'ChunkLoadError';
      throw error;
    }
  });
}
