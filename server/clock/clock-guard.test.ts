import { pino } from 'pino';
import { expect, test } from 'vitest';
import { LATEST } from './clock.ts';
import { createClockGuard } from './clock-guard.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const START = Date.parse('2026-06-01T12:00:00Z');

/** A guard over clocks that a test moves, and what it has logged. */
function createGuard({ lastSeen = null }: { lastSeen?: Date | null } = {}) {
  let system = START;
  let monotonic = 500;
  const logged: { level: number; msg: string; systemClock: string; expected: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const guard = createClockGuard({
    system: { now: () => new Date(system) },
    monotonic: () => monotonic,
    log,
    lastSeen,
  });
  return {
    guard,
    now: () => guard.now().getTime(),
    /** Time passes; both clocks notice. */
    pass(ms: number) {
      system += ms;
      monotonic += ms;
    },
    /** Somebody sets the system clock. */
    set(by: number) {
      system += by;
    },
    logged,
    levels: () => logged.map(({ level }) => pino.levels.labels[level]),
  };
}

test('an honest clock is passed on, and nothing is logged', () => {
  const { now, pass, levels } = createGuard({ lastSeen: new Date(START - MINUTE) });
  expect(now()).toBe(START);
  pass(3 * DAY);
  expect(now()).toBe(START + 3 * DAY);
  expect(levels()).toEqual([]);
});

test('a correction of up to a day is followed in both directions', () => {
  const { now, set } = createGuard();
  set(-DAY);
  expect(now()).toBe(START - DAY);
  set(DAY + DAY);
  expect(now()).toBe(START + DAY);
});

test('a step of more than ten minutes is logged once, with both times', () => {
  const { now, set, pass, logged, levels } = createGuard();
  for (const step of [20 * 60 * MINUTE, -11 * MINUTE, 9 * MINUTE, -10 * MINUTE]) {
    pass(3 * DAY);
    set(step);
    now();
    pass(MINUTE);
    now();
  }
  expect(levels()).toEqual(['warn', 'warn']);
  expect(logged).toMatchObject([
    { systemClock: '2026-06-05T08:00:00.000Z', expected: '2026-06-04T12:00:00.000Z' },
    { systemClock: '2026-06-08T07:50:00.000Z', expected: '2026-06-08T08:01:00.000Z' },
  ]);
});

test.each([20 * 60, -20 * 60])(
  'a start %i minutes from the last seen time is logged',
  (minutes) => {
    const { levels } = createGuard({ lastSeen: new Date(START - minutes * MINUTE) });
    expect(levels()).toEqual(['warn']);
  },
);

test('a step of a clock that is not followed is logged as well', () => {
  const { now, set, levels } = createGuard();
  set(-400 * DAY);
  now();
  set(100 * DAY);
  now();
  expect(levels()).toEqual(['error', 'warn']);
});

test.each(['9999-12-31T23:59:59Z', '+275760-01-01T00:00:00Z'])(
  'at %s no time is later than can be stored',
  (instant) => {
    const { guard, now, set } = createGuard();
    set(Date.parse(instant) - START);
    expect(now()).toBe(LATEST);
    expect(guard.reached().getTime()).toBe(LATEST);
    expect(createGuard({ lastSeen: new Date(instant) }).now()).toBe(LATEST);
  },
);

test('a jump backwards is not followed: time runs on at its own pace, and it is an error once', () => {
  const { now, pass, set, levels } = createGuard();
  pass(MINUTE);
  now();
  set(-400 * DAY);
  expect(now()).toBe(START + MINUTE);
  pass(5 * MINUTE);
  expect(now()).toBe(START + 6 * MINUTE);
  expect(levels()).toEqual(['error']);
});

test('many small steps backwards do not add up to more than a day', () => {
  const { now, set } = createGuard();
  for (let step = 0; step < 10; step += 1) {
    set(-0.9 * DAY);
    now();
  }
  expect(now()).toBeGreaterThanOrEqual(START - DAY);
});

test('the system clock is followed again once it is back', () => {
  const { now, pass, set, levels } = createGuard();
  set(-10 * DAY);
  expect(now()).toBe(START);
  pass(MINUTE);
  set(10 * DAY);
  expect(now()).toBe(START + MINUTE);
  expect(levels()).toEqual(['error', 'warn']);
});

test('a start long before the last seen instant goes on from there', () => {
  const lastSeen = new Date(START + 30 * DAY);
  const { now, pass, levels } = createGuard({ lastSeen });
  pass(MINUTE);
  expect(now()).toBe(lastSeen.getTime() + MINUTE);
  expect(levels()).toEqual(['error']);
});

test('a start long after the last seen instant is followed, with a warning', () => {
  const { now, levels } = createGuard({ lastSeen: new Date(START - 30 * DAY) });
  expect(now()).toBe(START);
  expect(levels()).toEqual(['warn']);
});

test('a jump forwards while running is followed, with one warning', () => {
  const { now, set, pass, levels } = createGuard();
  set(2 * DAY);
  expect(now()).toBe(START + 2 * DAY);
  pass(MINUTE);
  expect(now()).toBe(START + 2 * DAY + MINUTE);
  expect(levels()).toEqual(['warn']);
});

test('what another process has seen holds here, too', () => {
  const { guard, now } = createGuard();
  guard.raiseTo(new Date(START + 3 * DAY));
  expect(now()).toBe(START + 3 * DAY);
  guard.raiseTo(new Date(START));
  expect(now()).toBe(START + 3 * DAY);
});

test('the operator can have the system clock believed', () => {
  const { guard, now, set, pass } = createGuard();
  set(-400 * DAY);
  now();
  guard.accept();
  expect(now()).toBe(START - 400 * DAY);
  pass(MINUTE);
  expect(guard.reached().getTime()).toBe(START - 400 * DAY + MINUTE);
});
