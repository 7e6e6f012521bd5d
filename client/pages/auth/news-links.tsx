import { answerNewPassword } from '../../../shared/api/addresses.ts';
import { restoreByLink } from '../../../shared/api/bin.ts';
import { type TurnOffKind, turnNoticeOffHere } from '../../../shared/api/email-choices.ts';
import { undoIdentity } from '../../../shared/api/undo-identity.ts';
import { undoPasskey } from '../../../shared/api/undo-passkey.ts';
import { BIN_DAYS, PASSWORD_WAITS_DAYS, UNDO_DAYS } from '../../../shared/limits.ts';
import { call } from '../../api/client.ts';
import { ButtonLink } from '../../components/button.tsx';
import { checkSession } from '../../hooks/check-session.ts';
import { NOT_TOLD_ON_THE_DAY } from '../notice-words.ts';
import {
  type EmailLink,
  type Known,
  otherwise,
  press,
  SET_PASSWORD,
  TO_ADDRESSES,
  TO_LOGIN,
  ToPage,
} from './email-link.tsx';

const TO_EMAILS = <ButtonLink to="/profile/emails">Go to your emails</ButtonLink>;
/** What helps against whoever knew the password. */
const AFTER_A_THIEF = (
  <>
    {SET_PASSWORD}
    {TO_LOGIN}
  </>
);

/** Links of emails that tell what has happened, by the last part of theirs. */
export const NEWS_LINKS = {
  'new-password': () => ({
    title: 'Was this you?',
    text: `Somebody chose a new password for your account, with a link we sent to another address of yours. Without your answer, it takes effect after ${PASSWORD_WAITS_DAYS} days.`,
    answers: [
      press('Yes, it was me', 'Confirming…', async (token) => {
        await call(answerNewPassword, { body: { token, isMine: true } });
        await checkSession();
        return {
          title: 'Your new password works now',
          text: 'Thank you. You can sign in with it.',
          next: TO_LOGIN,
        };
      }),
      press('No, stop it', 'Stopping…', async (token) => {
        await call(answerNewPassword, { body: { token, isMine: false } });
        return {
          title: 'New password stopped',
          text: "Somebody else can read the emails at that other address, so please replace it. If you can't sign in any more, set a new password.",
          next: (
            <>
              {TO_ADDRESSES}
              {SET_PASSWORD}
            </>
          ),
        };
      }),
    ],
    invalid: {
      text: "It may have been answered, or the new password has taken effect. If you can't sign in any more, choose a new one.",
      next: <ButtonLink to="/auth/forgot-password">Choose a new password</ButtonLink>,
    },
  }),

  'undo-passkey': () => ({
    title: 'Remove this passkey?',
    text: "It won't sign anybody in any more, and every device will be signed out.",
    answers: [
      press('Remove the passkey', 'Removing…', async (token) => {
        await call(undoPasskey, { body: { token } });
        await checkSession();
        return {
          title: 'Passkey removed',
          text: "Every device is signed out. Whoever added it knew your password, or has a passkey of yours. If that wasn't you, set a new password now.",
          next: AFTER_A_THIEF,
        };
      }),
    ],
    otherwise: otherwise('Keep it'),
    invalid: {
      text: `The passkey is removed already, or was added more than ${UNDO_DAYS} days ago. You see all of yours where you sign in.`,
      next: <ToPage to="/profile/sign-in">See your passkeys</ToPage>,
    },
  }),

  'undo-identity': ({ provider }) => ({
    title: `Unlink ${provider}?`,
    text: "It won't sign anybody in here any more, and every device will be signed out.",
    answers: [
      press('Unlink it', 'Unlinking…', async (token) => {
        await call(undoIdentity, { body: { token } });
        await checkSession();
        return {
          title: `${provider} unlinked`,
          text: "Every device is signed out. Whoever linked it knew your password, or has a passkey of yours. If that wasn't you, set a new password now.",
          next: AFTER_A_THIEF,
        };
      }),
    ],
    otherwise: otherwise('Keep it'),
    invalid: {
      text: `It is unlinked already, or was linked more than ${UNDO_DAYS} days ago. You see what signs you in on your page of sign-ins.`,
      next: <ToPage to="/profile/sign-in">See your sign-ins</ToPage>,
    },
  }),

  'restore-capsule': () => ({
    title: 'Bring this capsule back?',
    text: "It will be as it was, for everyone it's addressed to.",
    answers: [
      press('Bring it back', 'Bringing it back…', async (token) => {
        const { message } = await call(restoreByLink, { body: { token } });
        return {
          title: 'Capsule restored',
          text: `${message} If you didn't delete it yourself, set a new password. That signs out every device.`,
          next: (
            <>
              <ToPage to="/dashboard">Go to your dashboard</ToPage>
              {SET_PASSWORD}
            </>
          ),
        };
      }),
    ],
    otherwise: otherwise('Leave it in the bin'),
    invalid: {
      text: `The capsule is back already, or it was deleted more than ${BIN_DAYS} days ago. Your bin says what can still be brought back.`,
      next: <ToPage to="/dashboard/bin">See your bin</ToPage>,
    },
  }),

  off: ({ token }) => ({
    title: 'Turn these emails off',
    text: KINDS[kindOf(token)].question,
    answers: [
      press('Turn them off', 'Turning off…', async (token) => {
        const { kind } = await call(turnNoticeOffHere, { body: { token } });
        return {
          title: 'Emails turned off',
          text: `${KINDS[kind].done} You can turn them on again under “Emails” on your profile.`,
          next: TO_EMAILS,
        };
      }),
    ],
    otherwise: otherwise('Keep them'),
    invalid: {
      text: 'You can turn emails off under “Emails” on your profile.',
      next: TO_EMAILS,
    },
  }),
} satisfies Record<string, (known: Known) => EmailLink>;

/** The last one has taken the place of two that emails of before 1.0.0 name. */
function kindOf(token: string): TurnOffKind {
  const kind = token.split('.', 1)[0] ?? '';
  return Object.hasOwn(KINDS, kind) ? (kind as TurnOffKind) : 'address-check';
}

const KINDS = {
  'capsule-waiting': {
    question:
      "We'll stop emailing you when someone seals a capsule for you. You'll still see it on your dashboard and hear from us when it opens.",
    done: "We won't email you any more when someone seals a capsule for you.",
  },
  'capsule-opened': {
    question: NOT_TOLD_ON_THE_DAY,
    done: "We won't email you any more when a capsule opens.",
  },
  'capsule-reminder': {
    question: "We'll stop reminding you of capsules you haven't opened after a month.",
    done: "We won't remind you any more of capsules you haven't opened.",
  },
  'address-check': {
    question:
      "We'll stop asking whether your address is still yours. Please tell us when it changes, so that your capsules reach you.",
    done: "We won't ask you any more whether your address is still yours.",
  },
} as const;
