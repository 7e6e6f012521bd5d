import { addYears, type Day } from '../../../shared/day.ts';
import type { DraftFields } from '../../db/tables.ts';

/** What `/create?begin=NAME` fills in. The letter's opening line is there to be written on. */
export function beginningOf(name: string | null, today: Day): Partial<DraftFields> {
  switch (name) {
    case 'year':
      return {
        title: 'A letter to myself in a year',
        description: 'From me, to be read in a year.',
        dateToUnlock: addYears(today, 1),
        personalMessage: 'Dear me,\n\na year ago today, ',
      };
    case FOR_A_CHILD:
      return {
        title: 'For your 18th birthday',
        description: 'A letter for the day you turn eighteen.',
        personalMessage: "Happy birthday! You're eighteen today. When I wrote this, you were ",
      };
    case 'miss':
      return {
        title: "I've been thinking of you",
        description: "A few things I've been wanting to tell you.",
        personalMessage: 'I wish I could tell you this today. ',
      };
    default:
      return {};
  }
}

/** The beginning that waits for an eighteenth birthday. */
export const FOR_A_CHILD = 'child';

/** The beginning that is a letter to oneself. */
export const TO_ONESELF = 'year';
