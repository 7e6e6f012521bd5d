/*
 * Ids of the capsules whose opening animation this device has shown, newest last. They are
 * removed at sign-out.
 */

const KEY = 'openings-seen';
/** Beyond this number the oldest are forgotten, and their animation would be shown once more. */
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
    // Storage is forbidden or unreadable: the animation is shown again.
    return [];
  }
}

function write(ids: string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // Storage is forbidden or full: the animation is shown again next time.
  }
}
