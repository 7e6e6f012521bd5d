import { unblock as unblockPerson } from '../../../shared/api/blocks.ts';
import { call } from '../../api/client.ts';
import { ask } from '../../components/ask.tsx';
import { toasts } from '../../components/toast.tsx';
import { changeFailure } from '../change-failure.ts';
import { firstName } from '../format.ts';
import type { AskedPerson, AskedReport } from './people-dialogs.tsx';

/** Their code comes when somebody is blocked or reported. */
async function dialogs() {
  try {
    return await import('./people-dialogs.tsx');
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

/** Unblocks a person, and says how it went. @returns whether they are unblocked */
export async function unblock(person: AskedPerson): Promise<boolean> {
  const name = firstName(person);
  try {
    await call(unblockPerson, { params: { userId: person.id } });
  } catch (error) {
    toasts.failure(changeFailure(error, `We couldn't unblock ${name}. Please try again.`));
    return false;
  }
  toasts.success(`${name} is unblocked. Anything that came meanwhile is on your dashboard.`);
  return true;
}
