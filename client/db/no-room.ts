/**
 * Whether a write failed because the device is full. Dexie wraps the browser's error once or twice,
 * and those of several rows in a list.
 */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'QuotaExceededError') return true;
  if ('failures' in error && Array.isArray(error.failures)) return error.failures.some(isNoRoom);
  return 'inner' in error && error.inner !== error && isNoRoom(error.inner);
}
