/*
 * What one side has made of a text, piece by piece: the fewest changes, as Myers finds them in
 * "An O(ND) Difference Algorithm and Its Variations".
 */

export interface Piece {
  text: string;
  /** Without the spaces before it, which make it no other word. */
  word: string;
  /** Where it ends in its text. */
  end: number;
}

/** What was changed at one place: before a piece of the base, or at its end. */
export interface Change {
  inserted: Piece[];
  /** What stands there for the pieces that were deleted from here on. */
  replaced: Piece[];
  /** The piece as it stands now; nothing where it was deleted, and at the end. */
  kept: Piece | undefined;
}

/** The effort grows with the square of what has changed. */
const CHANGES_MAX = 1_500;

/** @returns a change for each piece of the base and for its end; null when too much was changed */
export function changesOf(base: readonly Piece[], side: readonly Piece[]): Change[] | null {
  const matches = matchesOf(base, side);
  if (!matches) return null;
  const changes = Array.from({ length: base.length + 1 }, newChange);
  let [at, taken] = [0, 0];
  for (const [next, change] of changes.entries()) {
    const match = next === base.length ? side.length : matches[next];
    if (match === undefined) continue;
    Object.assign(changes[at] ?? change, {
      [next > at ? 'replaced' : 'inserted']: side.slice(taken, match),
    });
    change.kept = side[match];
    [at, taken] = [next + 1, match + 1];
  }
  return changes;
}

const newChange = (): Change => ({ inserted: [], replaced: [], kept: undefined });

/** Which piece of `side` each of `base` is. A diagonal has the same distance between the two. */
function matchesOf(base: readonly Piece[], side: readonly Piece[]): (number | undefined)[] | null {
  const matches = new Array<number | undefined>(base.length).fill(undefined);
  const isSame = (at: number, other: number) => base[at]?.word === side[other]?.word;
  let [first, end, otherEnd] = [0, base.length, side.length];
  for (; first < Math.min(end, otherEnd) && isSame(first, first); first += 1)
    matches[first] = first;
  for (
    ;
    Math.min(end, otherEnd) > first && isSame(end - 1, otherEnd - 1);
    end -= 1, otherEnd -= 1
  ) {
    matches[end - 1] = otherEnd - 1;
  }
  const most = Math.min(CHANGES_MAX, end + otherEnd - 2 * first);
  const middle = most + 1;
  /** How far the base is walked on each diagonal, and before each further change. */
  const walked = new Int32Array(2 * most + 3).fill(first);
  const trace: Int32Array[] = [];
  for (let changes = 0; changes <= most; changes += 1) {
    trace.push(walked.slice(middle - changes - 1, middle + changes + 2));
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let { at } = step(walked, middle, diagonal, changes);
      while (at < end && at - diagonal < otherEnd && isSame(at, at - diagonal)) at += 1;
      walked[middle + diagonal] = at;
      if (diagonal === end - otherEnd && at >= end) return walkBack(matches, trace, end, diagonal);
    }
  }
  return null;
}

/** The next change on the way to a diagonal: an insertion comes from the one above, a deletion from below. */
function step(walked: Int32Array, middle: number, diagonal: number, changes: number) {
  const [below = 0, , above = 0] = walked.subarray(middle + diagonal - 1, middle + diagonal + 2);
  const isInsertion = diagonal === -changes || (diagonal !== changes && below < above);
  return isInsertion
    ? { at: above, from: above, before: diagonal + 1 }
    : { at: below + 1, from: below, before: diagonal - 1 };
}

function walkBack(
  matches: (number | undefined)[],
  trace: readonly Int32Array[],
  end: number,
  last: number,
) {
  let [reached, diagonal] = [end, last];
  for (const [changes, walked] of [...trace.entries()].reverse()) {
    const { at, from, before } = step(walked, changes + 1, diagonal, changes);
    for (; reached > at; reached -= 1) matches[reached - 1] = reached - 1 - diagonal;
    [reached, diagonal] = [from, before];
  }
  return matches;
}
