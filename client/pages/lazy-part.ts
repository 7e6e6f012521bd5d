import { type ComponentType, createElement, lazy, useState } from 'react';

/** A part of a page whose code comes when it is first shown, or ahead of that. */
export interface LazyPart<Props extends object> {
  (props: Props): ReturnType<typeof createElement>;
  /** Has the code come ahead of time: the part then shows without a wait. Never throws. */
  prepare: () => Promise<void>;
}

/**
 * Failing to come, a part is a ChunkLoadError like that of a whole page, and the page says so
 * in the same words.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | null = null;
  const Later = lazy(async () => {
    try {
      loaded ??= await load();
      return { default: loaded };
    } catch (cause) {
      const error = new Error('A part of the app could not be loaded', { cause });
      error.name = 'ChunkLoadError';
      throw error;
    }
  });
  function Part(props: Props) {
    // What is there is not waited for: after a wait React shows nothing new for a third of a
    // second. It stays what it was first, for another component would start over.
    const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? Later);
    return createElement(Chosen, props);
  }
  return Object.assign(Part, {
    prepare: async () => {
      try {
        loaded ??= await load();
      } catch {
        // It is asked for again when it is to be shown.
      }
    },
  });
}
