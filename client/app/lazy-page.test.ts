import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChunkLoadError, loadChunk } from './lazy-page.ts';

describe('loadChunk', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('gives what was loaded and leaves no timer behind', async () => {
    expect(await loadChunk(async () => 'page')).toBe('page');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('turns a failed fetch into a ChunkLoadError that keeps its cause [8.errors.29]', async () => {
    const cause = new TypeError('Failed to fetch dynamically imported module');
    const loading = loadChunk(() => Promise.reject(cause));
    await expect(loading).rejects.toMatchObject({ name: 'ChunkLoadError', cause });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives up after 120 seconds, and not before [7.http.5 8.errors.27 9.limits.21]', async () => {
    const settled = vi.fn();
    const loading = loadChunk(() => new Promise(() => undefined));
    loading.catch(settled);
    await vi.advanceTimersByTimeAsync(119_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(loading).rejects.toBeInstanceOf(ChunkLoadError);
    await expect(loading).rejects.toThrow('timeout of 120000ms exceeded');
  });
});
