import { describe, expect, it } from 'vitest';
import { arcPath, growRings, seeded } from './seal-geometry.ts';

const ID = '5f0c2d8e-6c1f-4a9e-9d8b-0b1d3c5e7f90';

/** Distances from the middle of every point the path names. */
function distances(path: string): number[] {
  const numbers = (path.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
  return numbers.flatMap((x, index) =>
    index % 2 === 0 ? [Math.hypot(x - 80, (numbers[index + 1] ?? 0) - 80)] : [],
  );
}

describe('seeded', () => {
  it('gives the same numbers for the same text, others for another', () => {
    const take = (text: string) => Array.from({ length: 5 }, seeded(text));
    expect(take(ID)).toEqual(take(ID));
    expect(take(ID)).not.toEqual(take(`${ID}0`));
    expect(take('').every((number) => number >= 0 && number < 1)).toBe(true);
  });
});

describe('growRings', () => {
  it('grows one ring a year, the same for the same capsule', () => {
    expect(growRings(ID, 7, 30)).toHaveLength(7);
    expect(growRings(ID, 7, 30)).toEqual(growRings(ID, 7, 30));
    expect(growRings(ID, 7, 30)).not.toEqual(growRings('another', 7, 30));
  });

  it('keeps the middle free and ends within the drawing, whatever the id', () => {
    for (let number = 0; number < 200; number += 1) {
      for (const count of [1, 5, 12]) {
        const reached = growRings(`capsule ${number}`, count, 30).flatMap((ring) =>
          distances(arcPath(ring, 0, 1)),
        );
        expect(Math.min(...reached)).toBeGreaterThan(26);
        expect(Math.max(...reached)).toBeLessThan(80);
      }
    }
  });
});

describe('arcPath', () => {
  const [ring] = growRings(ID, 1, 30);
  if (!ring) throw new Error('no ring grew');

  it('draws nothing for an empty part', () => {
    expect(arcPath(ring, 0, 0)).toBe('');
    expect(arcPath(ring, 1, 1)).toBe('');
  });

  it('closes when it goes all the way round', () => {
    const [start, end] = [/^M([^Q]+)/, / (\S+ \S+)$/].map((part) => part.exec(arcPath(ring, 0, 1)));
    expect(start?.[1]).toBe(end?.[1]);
  });

  it('continues the dashed part where the drawn part ends', () => {
    const end = / (\S+ \S+)$/.exec(arcPath(ring, 0, 0.4))?.[1];
    expect(arcPath(ring, 0.4, 1)).toMatch(new RegExp(`^M${end}Q`));
  });
});
