import { expect, it, vi } from 'vitest';
import { deviceStorage } from './web-storage.ts';

it('still takes values once WebKit hands out no storage any more', () => {
  const values = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
  });
  expect(deviceStorage.read('draft')).toBeNull();
  vi.stubGlobal('localStorage', null);
  expect(deviceStorage.write('draft', 'Last keys')).toBe(true);
  expect(values.get('draft')).toBe('Last keys');
});
