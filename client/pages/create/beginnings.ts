import { addYears, type Day } from '../../../shared/day.ts';
import type { DraftFields } from '../../db/tables.ts';

/** The first words of a letter, to be written on. */
const OPENINGS = {
  year: 'Dear me,\n\nA year ago today, ',
  child: "Happy birthday! You're eighteen today. When I wrote this, you were ",
  miss: 'I wish I could tell you this today. ',
};

/** What `/create?begin=NAME` fills in. */
export function beginningOf(name: string | null, today: Day): Partial<DraftFields> {
  switch (name) {
    case 'year':
      return {
        title: 'A letter to myself in a year',
        description: 'From me, to be read in a year.',
        dateToUnlock: addYears(today, 1),
        personalMessage: OPENINGS.year,
      };
    case FOR_A_CHILD:
      return {
        title: 'For your 18th birthday',
        description: 'A letter for the day you turn eighteen.',
        personalMessage: OPENINGS.child,
      };
    case 'miss':
      return {
        title: "I've been thinking of you",
        description: "A few things I've been wanting to tell you.",
        personalMessage: OPENINGS.miss,
      };
    default:
      return {};
  }
}

/** Whether somebody has written nothing after the opening line. */
export function isOnlyBegun(letter: string): boolean {
  return Object.values(OPENINGS).some((opening) => opening.trim() === letter.trim());
}

/** The beginning that waits for an eighteenth birthday. */
export const FOR_A_CHILD = 'child';

/** The beginning that is a letter to oneself. */
export const TO_ONESELF = 'year';
