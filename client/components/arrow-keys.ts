interface Key {
  key: string;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  currentTarget: EventTarget | null;
}

/**
 * The index that an arrow key, Home or End moves to from `at`, among `count` items in a ring.
 * Null for other keys, and for those with a modifier, as Alt+Arrow goes back. Horizontal arrows follow
 * the writing direction.
 */
export function arrowTarget(
  { key, altKey, ctrlKey, metaKey, currentTarget }: Key,
  at: number,
  count: number,
  direction: 'horizontal' | 'vertical',
): number | null {
  if (altKey || ctrlKey || metaKey) return null;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const step = direction === 'vertical' ? vertical(key) : horizontal(key, currentTarget);
  return step === 0 ? null : (at + step + count) % count;
}

function vertical(key: string): number {
  if (key === 'ArrowDown') return 1;
  return key === 'ArrowUp' ? -1 : 0;
}

function horizontal(key: string, element: EventTarget | null): number {
  const sign = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
  if (sign === 0 || !(element instanceof Element)) return sign;
  return getComputedStyle(element).direction === 'rtl' ? -sign : sign;
}
