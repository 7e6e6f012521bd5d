import { isInMemory } from './engine.ts';

/** Only what Chromium tells of itself, and only the part that is asked here. */
interface WithBrands {
  userAgentData?: { brands: readonly { brand: string }[] };
}

/**
 * Whether a chunk is kept as a blob. Chromium keeps large buffers as blobs anyway, in files of its
 * own that are flushed with the row; kept as one, a chunk comes back as a handle on that file, and
 * its bytes need not pass through this page's memory to be sent. WebKit loses blobs that it keeps;
 * and where rows live in this page's memory there is nothing to win.
 */
export function keepsBlobs(): boolean {
  const { brands = [] } = (globalThis.navigator as WithBrands | undefined)?.userAgentData ?? {};
  return !isInMemory() && brands.some(({ brand }) => brand === 'Chromium');
}
