import { afterEach, expect, it, vi } from 'vitest';
import { forgetOpenings, hasSeenOpening, lookAtOpened } from './openings.ts';

function startWith(stored: Record<string, string>, forbidden = false): Record<string, string> {
  const guarded = <T>(value: () => T): T => {
    if (forbidden) throw new DOMException('denied', 'SecurityError');
    return value();
  };
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => guarded(() => stored[key] ?? null),
    setItem: (key: string, value: string) =>
      guarded(() => {
        stored[key] = value;
      }),
    removeItem: (key: string) => guarded(() => delete stored[key]),
  });
  return stored;
}

afterEach(() => vi.unstubAllGlobals());

it('an opening is remembered until the person leaves the device', async () => {
  const stored = startWith({ theme: 'dark' });
  expect(hasSeenOpening('a')).toBe(false);
  await lookAtOpened('a');
  await lookAtOpened('b');
  expect([hasSeenOpening('a'), hasSeenOpening('b'), hasSeenOpening('c')]).toEqual([
    true,
    true,
    false,
  ]);
  forgetOpenings();
  expect(hasSeenOpening('a')).toBe(false);
  expect(stored).toEqual({ theme: 'dark' });
});

it('does not grow for ever: the oldest is forgotten first', async () => {
  startWith({});
  for (let count = 0; count <= 500; count += 1) await lookAtOpened(`capsule-${count}`);
  expect(hasSeenOpening('capsule-0')).toBe(false);
  expect(hasSeenOpening('capsule-1')).toBe(true);
  expect(hasSeenOpening('capsule-500')).toBe(true);
});

it.each(['not json', '{"a":1}', '[1,null]', '"a"'])('%s in storage is no memory', async (kept) => {
  startWith({ 'openings-seen': kept });
  expect(hasSeenOpening('a')).toBe(false);
  await lookAtOpened('a');
  expect(hasSeenOpening('a')).toBe(true);
});

it('forbidden storage remembers nothing and breaks nothing', async () => {
  startWith({}, true);
  await lookAtOpened('a');
  expect(hasSeenOpening('a')).toBe(false);
  forgetOpenings();
});
