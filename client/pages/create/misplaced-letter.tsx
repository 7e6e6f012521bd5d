import { type RefObject, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import type { DraftFields } from '../../db/tables.ts';
import styles from './misplaced-letter.module.css';

/** A description that is longer, in characters, was probably meant as the letter. */
const DESCRIPTION_USUAL_MAX = 400;

/** What came of the question; a text once it was moved to the letter. */
type Outcome = 'unasked' | 'asking' | 'kept' | { moved: string };

export interface MisplacedLetter {
  outcome: Outcome;
  /** Asks, unless the person has answered before. @returns whether an answer is needed */
  ask: () => boolean;
  move: () => void;
  keep: () => void;
  /** The question, to be focused when Create is pressed. */
  question: RefObject<HTMLDivElement | null>;
}

/** Notices a letter that was typed into the description, which everyone can read right away. */
export function useMisplacedLetter(
  { description, personalMessage }: DraftFields,
  change: (fields: Partial<DraftFields>) => void,
): MisplacedLetter {
  const [outcome, setOutcome] = useState<Outcome>('unasked');
  const question = useRef<HTMLDivElement>(null);
  const isSuspect = description.length > DESCRIPTION_USUAL_MAX && personalMessage.trim() === '';
  const isOpen = outcome === 'unasked' || outcome === 'asking';
  const moved = typeof outcome === 'object' ? outcome.moved : null;
  // Whoever has written on since does not want it back.
  const isUndoable = description === '' && personalMessage === moved;
  return {
    outcome: (outcome === 'asking' && !isSuspect) || (moved && !isUndoable) ? 'kept' : outcome,
    ask: () => {
      if (isOpen && isSuspect) setOutcome('asking');
      return isOpen && isSuspect;
    },
    move: () => {
      setOutcome({ moved: description });
      change({ description: '', personalMessage: description });
    },
    keep: () => {
      setOutcome('kept');
      if (moved !== null) change({ description: moved, personalMessage: '' });
    },
    question,
  };
}

/** The question below the description, and afterwards the way back. */
export function MisplacedLetterNote({ letter }: { letter: MisplacedLetter }) {
  const { outcome, move, keep, question } = letter;
  const isAsked = outcome !== 'unasked' && outcome !== 'kept';
  const answer = (act: () => void) => () => {
    // The pressed button may disappear with the answer.
    question.current?.parentElement?.querySelector('textarea')?.focus();
    act();
  };
  return (
    <div ref={question}>
      <p role="status" className={styles.said}>
        {outcome === 'asking' &&
          'Was this meant as the letter? Here, everyone you send it to can read it right away.'}
        {typeof outcome === 'object' && "It's in the letter now. What should the outside say?"}
      </p>
      {isAsked && (
        <div className={styles.answers}>
          {outcome === 'asking' && <Button onClick={answer(move)}>Move it to the letter</Button>}
          <Button variant="quiet" onClick={answer(keep)}>
            Keep it as the description
          </Button>
        </div>
      )}
    </div>
  );
}
