import { createExternalStore } from '../../hooks/store.ts';

/** Somebody to block or report, as the app knows them. */
export interface AskedPerson {
  id: string;
  name: string;
}

/** A capsule to report, or a person. */
export interface AskedReport {
  capsule: { id: string; title: string; locked: boolean } | null;
  /** Null for somebody who has deleted their account. */
  person: AskedPerson | null;
}

type Question = { answer: (isDone: boolean) => void } & (
  | { asks: 'block'; person: AskedPerson }
  | { asks: 'report'; about: AskedReport }
);

export const question = createExternalStore<{ asked: Question | null }>({ asked: null });

/** Asks whether a person is to be blocked, and does it. @returns whether they are blocked now */
export const askToBlock = (person: AskedPerson) =>
  ask((answer) => ({ asks: 'block', person, answer }));

/** Asks what is to be reported, and sends it. @returns whether somebody was blocked as well */
export const askToReport = (about: AskedReport) =>
  ask((answer) => ({ asks: 'report', about, answer }));

function ask(asking: (answer: Question['answer']) => Question): Promise<boolean> {
  question.get().asked?.answer(false);
  return new Promise((resolve) => {
    const answer = (isDone: boolean) => {
      question.set({ asked: null });
      resolve(isDone);
    };
    question.set({ asked: asking(answer) });
  });
}
