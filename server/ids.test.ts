import { expect, it } from 'vitest';
import { createIds, isUuid } from './ids.ts';

it('makes UUIDs in the order of time, and never the same twice', () => {
  let now = Date.UTC(2030, 0, 1);
  const ids = createIds({ now: () => new Date(now) });
  const made: string[] = [];
  for (let count = 0; count < 1_000; count += 1) {
    made.push(ids.uuid());
    now += 1;
  }
  expect(made.filter(isUuid)).toEqual(made);
  expect(made.toSorted()).toEqual(made);
  expect(Number.parseInt(String(made[0]).replaceAll('-', '').slice(0, 12), 16)).toBe(
    Date.UTC(2030, 0, 1),
  );
  expect(made[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const together = new Set(Array.from({ length: 1_000 }, () => ids.uuid()));
  expect(together.size).toBe(1_000);
});
