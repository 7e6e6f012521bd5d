import { execFileSync } from 'node:child_process';

/** Runs ours and the floor in turn, `rounds` times, after one of each that does not count. */
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

/** What one run left to be written must not be paid for by the next. */
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

/** A row: the highest of our values against a limit. */
export function limitRow(what, unit, values, goal) {
  const worst = Math.max(...values);
  return {
    what,
    ours: withSpread(values, unit),
    floor: '',
    result: `${round(worst)} ${unit}`,
    goal: `≤ ${goal} ${unit}`,
    met: worst <= goal,
  };
}

function withSpread(values, unit) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${round(median(values))} ${unit} (${round(low)}–${round(high)})`;
}

function round(value) {
  return value < 10 ? value.toFixed(1) : String(Math.round(value));
}
