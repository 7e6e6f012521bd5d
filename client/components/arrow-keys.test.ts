import { describe, expect, it } from 'vitest';
import { arrowTarget } from './arrow-keys.ts';

const PLAIN = { altKey: false, ctrlKey: false, metaKey: false };
const press = (key: string, at: number, count = 4, held = {}) =>
  arrowTarget({ ...PLAIN, ...held, key, currentTarget: new EventTarget() }, at, count, 'vertical');

describe('arrowTarget', () => {
  it('goes round in both directions', () => {
    expect(press('ArrowDown', 0)).toBe(1);
    expect(press('ArrowDown', 3)).toBe(0);
    expect(press('ArrowUp', 0)).toBe(3);
  });

  it('jumps to the ends', () => {
    expect(press('Home', 2)).toBe(0);
    expect(press('End', 0)).toBe(3);
  });

  it('leaves other keys alone, the arrows of the other direction too', () => {
    expect(press('Enter', 1)).toBeNull();
    expect(press('ArrowRight', 1)).toBeNull();
    for (const key of ['altKey', 'ctrlKey', 'metaKey']) {
      expect(press('ArrowDown', 1, 4, { [key]: true })).toBeNull();
    }
  });
});
