import { type RefObject, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import type { DraftFields } from '../../db/tables.ts';
import styles from './misplaced-letter.module.css';

/** A description that is longer, in characters, was probably meant as the letter. */
const DESCRIPTION_USUAL_MAX = 400;

export interface MisplacedLetter {
  isAsked: boolean;
  /** The person has said that it is the description, and that there is no letter. */
  isKept: boolean;
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
  const [state, setState] = useState<'unasked' | 'asked' | 'answered'>('unasked');
  const question = useRef<HTMLDivElement>(null);
  const isSuspect = description.length > DESCRIPTION_USUAL_MAX && personalMessage.trim() === '';
  const isOpen = isSuspect && state !== 'answered';
  return {
    isAsked: isOpen && state === 'asked',
    isKept: isSuspect && !isOpen,
    ask: () => {
      if (isOpen) setState('asked');
      return isOpen;
    },
    move: () => {
      setState('answered');
      change({ description: '', personalMessage: description });
    },
    keep: () => setState('answered'),
    question,
  };
}

/** The question below the description. */
export function MisplacedLetterNote({ letter }: { letter: MisplacedLetter }) {
  const { isAsked, move, keep, question } = letter;
  const answer = (act: () => void) => () => {
    // The pressed button disappears with the answer.
    question.current?.parentElement?.querySelector('textarea')?.focus();
    act();
  };
  return (
    <div ref={question}>
      <p role="status" className={styles.said}>
        {isAsked &&
          'Was this meant as the letter? Here, everyone you send it to can read it right away.'}
      </p>
      {isAsked && (
        <div className={`cluster gap-8 ${styles.answers}`}>
          <Button onClick={answer(move)}>Move it to the letter</Button>
          <Button variant="quiet" onClick={answer(keep)}>
            Keep it as the description
          </Button>
        </div>
      )}
    </div>
  );
}
