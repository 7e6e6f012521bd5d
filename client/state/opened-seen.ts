/*
 * Which openings this device has shown: each capsule opens before a person's eyes once.
 * Ids only, newest last; they go when the person leaves the device.
 */

const KEY = 'openings-seen';
/** Beyond it the oldest are forgotten, and would be shown once more. */
const KEPT_MAX = 500;

export function hasSeenOpening(capsuleId: string): boolean {
  return read().includes(capsuleId);
}

export function rememberOpening(capsuleId: string): void {
  const others = read().filter((id) => id !== capsuleId);
  write([...others, capsuleId].slice(-KEPT_MAX));
}

export function forgetOpenings(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is forbidden: there is nothing to forget.
  }
}

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
  } catch {
    // Forbidden or unreadable storage: nothing is known, the opening is shown again.
    return [];
  }
}

function write(ids: string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // Forbidden or full storage: the opening is shown again next time.
  }
}
