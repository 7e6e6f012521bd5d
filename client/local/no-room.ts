/** Whether a write failed because the device is full. Dexie wraps the browser's error once or twice. */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'QuotaExceededError') return true;
  return 'inner' in error && error.inner !== error && isNoRoom(error.inner);
}
