import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const NEVER = new Promise<never>(() => undefined);

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
});
afterEach(() => void vi.useRealTimers());

/** A browser that takes every request, and answers none. */
function becomeSilent(): void {
  const factory = { open: () => ({}), databases: () => NEVER, deleteDatabase: () => ({}) };
  vi.stubGlobal('indexedDB', factory);
}

it('a storage that never answers keeps nobody from signing in', async () => {
  becomeSilent();
  const { readSession, noteSignedIn } = await import('./device.ts');
  const reading = readSession().catch(() => 'failed');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await reading).toBe('failed');
  // From here on nobody waits again.
  const noting = noteSignedIn('ada');
  await vi.advanceTimersByTimeAsync(10);
  expect(await noting).toBeUndefined();
});

it('a database that never answers is one that cannot be opened', async () => {
  becomeSilent();
  const { openDatabase, openedUserId, troubleOf } = await import('./database.ts');
  const opening = openDatabase('ada').catch(troubleOf);
  await vi.advanceTimersByTimeAsync(6_000);
  expect([await opening, openedUserId()]).toEqual(['unavailable', null]);
});

it('waits again once the storage has answered', async () => {
  const { answered } = await import('./answered.ts');
  let answer = (_: string) => {};
  const late = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const first = answered(late).catch(() => 'silent');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await first).toBe('silent');
  answer('at last');
  await vi.advanceTimersByTimeAsync(0);
  const second = answered(new Promise((resolve) => setTimeout(resolve, 4_000, 'in time')));
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await second).toBe('in time');
});
