import { onTestFailed } from 'vitest';

/** Numbers that look random and are the same again for the same seed. */
export interface Chance {
  /** A whole number from `least` to `most`, both included. `what` says in a failure what it was for. */
  whole(least: number, most: number, what?: string): number;
  oneOf<T>(choices: readonly [T, ...T[]], what?: string): T;
  /** True in `share` of the cases, 0 to 1. */
  happens(share: number): boolean;
}

/** The seed of this pass; `npm run proofs` gives each pass its own. */
const SEED = Number(process.env.PROOFS_SEED ?? 1);

/** So many of what was drawn last are told. */
const SHOWN = 40;

/**
 * Chance for one test. When the test fails it says which seed it had and what it drew,
 * so that the same run can be had again.
 */
export function chanceOf(test: string): Chance {
  const drawn: string[] = [];
  onTestFailed(() => {
    const last = drawn.slice(-SHOWN).join(', ') || 'nothing';
    console.error(`Drawn with seed ${SEED} in “${test}”: ${last}`);
  });
  return createChance(`${SEED} ${test}`, (line) => drawn.push(line));
}

function createChance(seed: string, note: (line: string) => void = () => {}): Chance {
  const next = mulberry32(hash(seed));
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    whole(least, most, what) {
      const drawn = whole(least, most);
      if (what) note(`${what} ${drawn}`);
      return drawn;
    },
    oneOf(choices, what) {
      const drawn = choices[whole(0, choices.length - 1)] ?? choices[0];
      if (what) note(`${what} ${JSON.stringify(drawn)}`);
      return drawn;
    },
    happens: (share) => next() < share,
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 2_166_136_261;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  return value >>> 0;
}

/** A well-known small generator: 32 bits of state, from 0 up to 1. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
