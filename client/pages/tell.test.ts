import { afterEach, expect, it, vi } from 'vitest';
import { tell } from './tell.ts';

afterEach(() => vi.unstubAllGlobals());

/** What is copied where the share sheet fails in this way. */
async function copiedAfter(name: string): Promise<string[]> {
  const copied: string[] = [];
  const share = () => Promise.reject(new DOMException('No', name));
  const clipboard = { writeText: async (text: string) => void copied.push(text) };
  vi.stubGlobal('navigator', { share, clipboard });
  await tell('For you', 'https://capsules.example/');
  return copied;
}

it('copies a link that the share sheet refuses, and none that somebody has kept back', async () => {
  expect(await copiedAfter('NotAllowedError')).toEqual(['For you\nhttps://capsules.example/']);
  expect(await copiedAfter('AbortError')).toEqual([]);
});
