import { type Change, changesOf, type Piece } from './diff-words.ts';

/*
 * Brings together what two devices have made of one text, word by word: what either has written is
 * in, and what either has deleted is out. It comes to the same whichever of the two merges.
 */

export interface MergedText {
  text: string;
  /** Where the caret stands now that stood here in `mine`: it stays in its word. */
  moved: (caret: number) => number;
}

/** Of scripts that put no spaces between words: each letter counts as a word. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}`;
/** A line end, a word with the spaces before it, or spaces alone. */
const WORDS = new RegExp(
  String.raw`\r?\n|[^\S\n]*(?:[${UNSPACED}]\p{M}*|[^\s${UNSPACED}]+)|[^\S\n]+`,
  'gu',
);
/** Where two texts have little in common, whole lines come together, and at last the texts as they are. */
const PIECES = [WORDS, /[^\n]*\n|[^\n]+/g, /.+/gs];

/** @param base what both have begun with */
export function mergeText(base: string, mine: string, theirs: string): MergedText {
  if (theirs === base || theirs === mine) return { text: mine, moved: (caret) => caret };
  for (const pieces of PIECES) {
    const before = split(base, pieces);
    const here = changesOf(before, split(mine, pieces));
    const there = here && changesOf(before, split(theirs, pieces));
    if (there) return assemble(before, here, there, pieces === WORDS ? ' ' : '\n');
  }
  throw new Error('Two texts of one piece each differ too much.');
}

function split(whole: string, pieces: RegExp): Piece[] {
  return Array.from(whole.matchAll(pieces), ({ 0: text, index }) => {
    return { text, word: text.trim() || text.slice(-1), end: index + text.length };
  });
}

function assemble(
  base: readonly Piece[],
  here: readonly Change[],
  there: readonly Change[],
  space: ' ' | '\n',
): MergedText {
  let text = '';
  let last = '';
  /** Where each piece of `mine` ends there, and from where to where it stands now. */
  const places: { end: number; from: number; to: number }[] = [];
  const put = (piece: Piece, mine?: Piece) => {
    if (isGlued(last, piece.text, space)) text += space;
    const from = text.length;
    text += piece.text;
    last = piece.text;
    if (mine) places.push({ end: mine.end, from, to: text.length });
  };
  const putBoth = (mine: readonly Piece[], theirs: readonly Piece[]) => {
    const { start, end, isTheirsFirst } = compare(mine, theirs);
    const own = mine.slice(start, mine.length - end);
    const theirOwn = theirs.slice(start, theirs.length - end);
    const putOwn = (pieces: readonly Piece[]) => pieces.forEach((piece) => void put(piece, piece));
    putOwn(mine.slice(0, start));
    if (!isTheirsFirst) putOwn(own);
    for (const piece of theirOwn) put(piece);
    if (isTheirsFirst) putOwn(own);
    putOwn(mine.slice(mine.length - end));
  };
  for (const [at, mine] of here.entries()) {
    const theirs = there[at];
    putBoth(mine.inserted, theirs?.inserted ?? []);
    putBoth(mine.replaced, theirs?.replaced ?? []);
    const [before, kept, theirKept] = [base[at], mine.kept, theirs?.kept];
    if (kept && theirKept) put(spaced(before, kept, theirKept), kept);
    else if (kept) places.push({ end: kept.end, from: text.length, to: text.length });
  }
  const moved = (caret: number) => {
    const place = places.find(({ end }) => end >= caret);
    if (caret === 0 || !place) return caret === 0 ? 0 : text.length;
    return Math.max(place.from, place.to - (place.end - caret));
  };
  return { text, moved };
}

/** Two words that came to stand side by side. Letters of scripts without spaces may. */
function isGlued(before: string, next: string, space: ' ' | '\n'): boolean {
  if (space === '\n') return /[^\n]$/.test(before);
  return SPACED_END.test(before) && SPACED_START.test(next);
}

const SPACED_END = new RegExp(String.raw`[^\s${UNSPACED}\p{M}]$`, 'u');
const SPACED_START = new RegExp(String.raw`^[^\s${UNSPACED}]`, 'u');

/** What both have written at one place: its common beginning and end stand once. */
function compare(mine: readonly Piece[], theirs: readonly Piece[]) {
  const shorter = Math.min(mine.length, theirs.length);
  const isSame = (at: number, other: number) => mine.at(at)?.word === theirs.at(other)?.word;
  let start = 0;
  while (start < shorter && isSame(start, start)) start += 1;
  let end = 0;
  while (start + end < shorter && isSame(-1 - end, -1 - end)) end += 1;
  if (start + end < shorter) {
    // Two paragraphs that begin with the same line end are two.
    while (start > 0 && isBlank(mine[start - 1])) start -= 1;
    while (end > 0 && isBlank(mine.at(-end))) end -= 1;
  }
  const textOf = (pieces: readonly Piece[]) =>
    pieces
      .slice(start, pieces.length - end)
      .map(({ text }) => text)
      .join('');
  const [here, there] = [textOf(mine), textOf(theirs)];
  // Spaces alone go last, so that whoever has typed them goes on behind them.
  const isTheirsFirst = isEmpty(here) === isEmpty(there) ? there < here : isEmpty(here);
  return { start, end, isTheirsFirst };
}

const isBlank = (piece: Piece | undefined) => piece !== undefined && isEmpty(piece.text);
const isEmpty = (text: string) => text.trim() === '';

/** A word that both have kept, with the spaces before it as whoever has changed them left it. */
function spaced(before: Piece | undefined, mine: Piece, theirs: Piece): Piece {
  if (mine.text === before?.text) return theirs;
  if (theirs.text === before?.text) return mine;
  return mine.text < theirs.text ? theirs : mine;
}
