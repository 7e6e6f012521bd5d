import { isInMemory } from './engine.ts';

/** Only what Chromium tells of itself, and only the part that is asked here. */
interface WithBrands {
  userAgentData?: { brands: readonly { brand: string }[] };
}

/**
 * Whether a chunk is kept as a slice of the picked file. Chromium copies its bytes from disk to
 * disk when the row is written, durable with it, and gives back a blob that is read from there:
 * they never pass through this page's memory. WebKit loses blobs that it keeps, and a database in
 * memory would hold on to the picked file itself, which may change or vanish.
 */
export function keepsBlobs(): boolean {
  const { brands = [] } = (globalThis.navigator as WithBrands | undefined)?.userAgentData ?? {};
  return !isInMemory() && brands.some(({ brand }) => brand === 'Chromium');
}
