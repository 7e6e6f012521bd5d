import { ask } from '../../components/ask.tsx';
import { toasts } from '../../components/toast.tsx';
import type { AskedPerson, AskedReport } from './asked.ts';

/** Their code comes when somebody is blocked or reported. */
async function dialogs() {
  try {
    return await import('./people-page.tsx');
  } catch {
    toasts.failure("We couldn't load this part of the app. Please reload the page.");
    return null;
  }
}

/** Asks whether a person is to be blocked, and does it. @returns whether they are blocked now */
export async function askToBlock(person: AskedPerson): Promise<boolean> {
  const Dialog = (await dialogs())?.BlockDialog;
  return Dialog ? ask((answer) => <Dialog person={person} answer={answer} />) : false;
}

/** Asks what is to be reported, and sends it. @returns whether somebody was blocked as well */
export async function askToReport(about: AskedReport): Promise<boolean> {
  const Dialog = (await dialogs())?.ReportDialog;
  return Dialog ? ask((answer) => <Dialog about={about} answer={answer} />) : false;
}
