import { execFileSync } from 'node:child_process';

/** Runs ours and the floor in turn, `rounds` times, after one warm-up of each. */
export async function inTurn(rounds, ours, floor) {
  const results = { ours: [], floor: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, run] of Object.entries({ ours, floor })) {
      const value = await run();
      if (round > 0) results[name].push(value);
    }
  }
  return results;
}

/** Flushes the disk, so that the next run does not pay for the writes of this one. */
export function settleDisk() {
  execFileSync('sync');
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** A row: our median against the floor's. */
export function ratioRow(what, unit, { ours, floor }, goal) {
  const ratio = median(ours) / median(floor);
  return {
    what,
    ours: withSpread(ours, unit),
    floor: withSpread(floor, unit),
    result: ratio.toFixed(2),
    goal: `≥ ${goal}`,
    met: ratio >= goal,
  };
}

/** A row: how many times as long ours took as the floor. */
export function timesRow(what, unit, { ours, floor }, goal) {
  const ratio = median(ours) / median(floor);
  return {
    what,
    ours: withSpread(ours, unit),
    floor: withSpread(floor, unit),
    result: ratio.toFixed(2),
    goal: `≤ ${goal}`,
    met: ratio <= goal,
  };
}

/** A row: our median may differ from the floor's by this part of it, in either direction. */
export function sameRow(what, unit, { ours, floor }, goal) {
  const ratio = median(ours) / median(floor);
  return {
    what,
    ours: withSpread(ours, unit),
    floor: withSpread(floor, unit),
    result: ratio.toFixed(2),
    goal: `${1 - goal} to ${1 + goal}`,
    met: Math.abs(ratio - 1) <= goal,
  };
}

/** A row: the highest of our values against a limit. */
export function limitRow(what, unit, values, goal) {
  return againstLimit(what, unit, values, Math.max(...values), goal);
}

/** A row: our median, without a unit, against a minimum. */
export function leastRow(what, values, goal) {
  return {
    what,
    ours: withSpread(values, ''),
    floor: '',
    result: round(median(values)),
    goal: `≥ ${goal}`,
    met: median(values) >= goal,
  };
}

/** A row: our median against a limit. */
export function medianRow(what, unit, values, goal) {
  return againstLimit(what, unit, values, median(values), goal);
}

function againstLimit(what, unit, values, value, goal) {
  return {
    what,
    ours: withSpread(values, unit),
    floor: '',
    result: `${round(value)} ${unit}`.trim(),
    goal: `≤ ${goal} ${unit}`.trim(),
    met: value <= goal,
  };
}

function withSpread(values, unit) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const middle = `${round(median(values))} ${unit}`.trim();
  return `${middle} (${round(low)}–${round(high)})`;
}

function round(value) {
  if (value > 0 && value < 0.1) return value.toFixed(3);
  return value < 10 ? value.toFixed(1) : String(Math.round(value));
}
