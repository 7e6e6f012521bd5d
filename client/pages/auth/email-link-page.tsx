import { type ReactNode, useState } from 'react';
import {
  answerNewPassword,
  confirmEmail,
  stillYours,
  undoEmail,
} from '../../../shared/api/addresses.ts';
import { restoreByLink } from '../../../shared/api/bin.ts';
import { type TurnOffKind, turnNoticeOffHere } from '../../../shared/api/notices.ts';
import { undoPasskey } from '../../../shared/api/undo-passkey.ts';
import { getMe } from '../../../shared/api/user.ts';
import {
  ADDRESS_LINK_HOURS,
  BIN_DAYS,
  PASSWORD_WAITS_DAYS,
  UNDO_DAYS,
} from '../../../shared/limits.ts';
import { call } from '../../api/client.ts';
import { CallError, isConnectionError, sentenceFrom } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { useLinkToken } from '../../hooks/use-link-token.ts';
import { authState, rememberWantedPage, useAuth } from '../../hooks/use-session.ts';
import { longDate } from '../format.ts';
import { NOT_TOLD_ON_THE_DAY } from '../notice-words.ts';
import styles from './auth-frame.module.css';
import { AuthFrame, IncompleteLink } from './auth-frame.tsx';

export function ConfirmEmailPage() {
  return (
    <EmailLink
      title="Confirm your address"
      text="You asked to use this address for your account. If you didn't, just close this page."
      answers={[
        {
          label: 'Confirm this address',
          busyLabel: 'Confirming…',
          async send(token) {
            const { which, email, ...rest } = await call(confirmEmail, { body: { token } });
            const change = rest.canUndo === false ? 'confirmed' : which;
            const now = rest.takesEffectAt
              ? `becomes your main address on ${longDate(rest.takesEffectAt)}, unless someone stops that at one of your earlier addresses.`
              : NOW[change];
            return {
              title: 'Address confirmed',
              text: (
                <>
                  <Address>{email}</Address> {now}
                </>
              ),
              next: <ToAddresses />,
            };
          },
        },
      ]}
      invalid={{
        text: `It may have been used, replaced or withdrawn, or be older than ${ADDRESS_LINK_HOURS} hours. Your profile shows your addresses and can send a new link.`,
        next: <ToAddresses />,
      }}
    />
  );
}

const NOW = {
  main: `is your main address now. Sign in with it from now on. If you change your mind, the link we sent to your old address takes you back for ${UNDO_DAYS} days.`,
  second: 'is your second address now. We use it when your main one fails.',
  confirmed: 'is still your main address, and now we know our emails reach you there.',
};

export function UndoEmailPage() {
  return (
    <EmailLink
      title="Undo this change?"
      text="Your account gets its earlier addresses back. If the change has taken effect, every device will be signed out, your password will stop working, and we'll email you a link to choose a new one."
      answers={[
        {
          label: 'Undo the change',
          busyLabel: 'Undoing…',
          async send(token) {
            const { message } = await call(undoEmail, { body: { token } });
            await findOutWhetherSignedIn();
            return {
              title: 'Change undone',
              text: message,
              next: <ButtonLink to="/auth">Go to Login</ButtonLink>,
            };
          },
        },
      ]}
      otherwise={<ButtonLink to="/">Keep it as it is</ButtonLink>}
      invalid={{
        text: `It may have been used, or the change was more than ${UNDO_DAYS} days ago. Your profile shows your addresses. If you can't get in any more, please write to us. Our address is at the bottom of this page.`,
        next: <ToAddresses />,
      }}
    />
  );
}

export function NewPasswordPage() {
  return (
    <EmailLink
      title="Was this you?"
      text={`Somebody chose a new password for your account, with a link we sent to another address of yours. Without your answer, it takes effect after ${PASSWORD_WAITS_DAYS} days.`}
      answers={[
        {
          label: 'Yes, it was me',
          busyLabel: 'Confirming…',
          async send(token) {
            await call(answerNewPassword, { body: { token, isMine: true } });
            await findOutWhetherSignedIn();
            return {
              title: 'Your new password works now',
              text: 'Thank you. You can sign in with it.',
              next: <ButtonLink to="/auth">Go to Login</ButtonLink>,
            };
          },
        },
        {
          label: 'No, stop it',
          busyLabel: 'Stopping…',
          async send(token) {
            await call(answerNewPassword, { body: { token, isMine: false } });
            return {
              title: 'New password stopped',
              text: 'Your old password still works. Somebody else can read the emails at that other address, so please replace it.',
              next: <ToAddresses />,
            };
          },
        },
      ]}
      invalid={{
        text: "It may have been answered, or the new password has taken effect. If you can't sign in any more, choose a new one.",
        next: <ButtonLink to="/auth/forgot-password">Choose a new password</ButtonLink>,
      }}
    />
  );
}

export function StillYoursPage() {
  return (
    <EmailLink
      title="Is this still your address?"
      text="We ask once a year, so that what was sealed for you finds you on its day."
      answers={[
        {
          label: 'Yes, this is my address',
          busyLabel: 'Saving…',
          async send(token) {
            const { email } = await call(stillYours, { body: { token } });
            return {
              title: 'Thank you',
              text: (
                <>
                  We'll keep writing to <Address>{email}</Address>.
                </>
              ),
              next: <ToAddresses />,
            };
          },
        },
      ]}
      otherwise={<ToAddresses>Change it</ToAddresses>}
      invalid={{
        text: 'It may be from an older email. Your profile shows your addresses.',
        next: <ToAddresses />,
      }}
    />
  );
}

/** Where "Bring it back" in the email about a deleted capsule leads. */
export function RestoreCapsulePage() {
  return (
    <EmailLink
      title="Bring this capsule back?"
      text="It will be as it was, for everyone it's addressed to."
      answers={[
        {
          label: 'Bring it back',
          busyLabel: 'Bringing it back…',
          async send(token) {
            const { message } = await call(restoreByLink, { body: { token } });
            return {
              title: 'Capsule restored',
              text: `${message} If you didn't delete it yourself, set a new password. That signs out every device.`,
              next: (
                <>
                  <ToPage to="/dashboard">Go to your dashboard</ToPage>
                  <ButtonLink to="/auth/forgot-password">Set a new password</ButtonLink>
                </>
              ),
            };
          },
        },
      ]}
      otherwise={<ButtonLink to="/">Leave it in the bin</ButtonLink>}
      invalid={{
        text: `The capsule is back already, or it was deleted more than ${BIN_DAYS} days ago. Your bin says what can still be brought back.`,
        next: <ToPage to="/dashboard/bin">See your bin</ToPage>,
      }}
    />
  );
}

/** Where "Remove the passkey" in the email about a new one leads. */
export function UndoPasskeyPage() {
  return (
    <EmailLink
      title="Remove this passkey?"
      text="It won't sign anybody in any more, and every device will be signed out."
      answers={[
        {
          label: 'Remove the passkey',
          busyLabel: 'Removing…',
          async send(token) {
            await call(undoPasskey, { body: { token } });
            await findOutWhetherSignedIn();
            return {
              title: 'Passkey removed',
              text: "Every device is signed out. Whoever added it knew your password, or has a passkey of yours. If that wasn't you, set a new password now.",
              next: (
                <>
                  <ButtonLink to="/auth/forgot-password">Set a new password</ButtonLink>
                  <ButtonLink to="/auth">Go to Login</ButtonLink>
                </>
              ),
            };
          },
        },
      ]}
      otherwise={<ButtonLink to="/">Keep it</ButtonLink>}
      invalid={{
        text: `The passkey is removed already, or was added more than ${UNDO_DAYS} days ago. You see all of yours where you sign in.`,
        next: <ToPage to="/profile/sign-in">See your passkeys</ToPage>,
      }}
    />
  );
}

/** Where "Turn these emails off" in an email leads. */
export function TurnOffPage() {
  const kind = kindOf(useLinkToken());
  return (
    <EmailLink
      title="Turn these emails off"
      text={WORDS[kind].question}
      answers={[
        {
          label: 'Turn them off',
          busyLabel: 'Turning off…',
          async send(token) {
            const { kind } = await call(turnNoticeOffHere, { body: { token } });
            return {
              title: 'Emails turned off',
              text: `${WORDS[kind].done} You can turn them on again in your profile.`,
              next: <ButtonLink to="/profile">Go to your profile</ButtonLink>,
            };
          },
        },
      ]}
      otherwise={<ButtonLink to="/">Keep them</ButtonLink>}
      invalid={{
        text: 'You can turn emails off in your profile.',
        next: <ButtonLink to="/profile">Go to your profile</ButtonLink>,
      }}
    />
  );
}

interface EmailLinkProps {
  title: string;
  text: string;
  answers: readonly Answer[];
  /** For who wants none of this. */
  otherwise?: ReactNode;
  /** What the person can do when the link works no more. */
  invalid: { text: string; next: ReactNode };
}

interface Answer {
  label: string;
  busyLabel: string;
  /** @returns what to show then @throws {CallError} */
  send: (token: string) => Promise<Outcome>;
}

interface Outcome {
  title: string;
  text: ReactNode;
  next: ReactNode;
}

/**
 * Where a link in an email leads: one sentence, a press, and what came of it. Nothing happens
 * before the press, because mail scanners open links.
 */
function EmailLink(props: EmailLinkProps) {
  const token = useLinkToken();
  // The link of another email may open in this same page, which differs behind the # alone.
  return <OneLink key={token} token={token} {...props} />;
}

interface OneLinkProps extends EmailLinkProps {
  token: string;
}

function OneLink({ token, title, text, answers, otherwise, invalid }: OneLinkProps) {
  const [busy, setBusy] = useState<Answer['label'] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const press = async ({ label, send }: Answer) => {
    setBusy(label);
    setFailure(null);
    try {
      setOutcome(await send(token));
    } catch (error) {
      if (error instanceof CallError && error.status === 400)
        setOutcome({ title: "This link doesn't work any more", ...invalid });
      else setFailure(failureOf(error));
    } finally {
      setBusy(null);
    }
  };

  if (token === '') return <IncompleteLink>{invalid.next}</IncompleteLink>;
  if (outcome) {
    return (
      <AuthFrame title={outcome.title} follows>
        <p role="status">{outcome.text}</p>
        <div className={styles.row}>{outcome.next}</div>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={title}>
      <p>{text}</p>
      <FormFailure message={failure} />
      <div className={styles.row}>
        {answers.map((answer) => (
          <Button
            key={answer.label}
            // Where there is a choice, no answer is suggested.
            variant={answers.length === 1 ? 'primary' : 'secondary'}
            busy={busy === answer.label}
            busyLabel={answer.busyLabel}
            disabled={busy !== null && busy !== answer.label}
            onClick={() => void press(answer)}
          >
            {answer.label}
          </Button>
        ))}
        {otherwise}
      </div>
    </AuthFrame>
  );
}

function failureOf(error: unknown): string {
  return isConnectionError(error)
    ? 'You need a connection for this. Please try again when you have one.'
    : sentenceFrom(error, "That didn't work. Please try again.");
}

/** The press may have ended the session of this device, if it is the same person's: a 401 says so to the page. */
async function findOutWhetherSignedIn(): Promise<void> {
  if (authState().isLoggedIn) await call(getMe).catch(() => undefined);
}

function Address({ children }: { children: string }) {
  return <span className={styles.address}>{children}</span>;
}

function ToAddresses({ children = 'See your addresses' }: { children?: string }) {
  return <ToPage to="/profile/addresses">{children}</ToPage>;
}

/** Leads to a page of the person's own, for a visitor by way of the sign-in. */
function ToPage({ to, children }: { to: string; children: string }) {
  const { isLoggedIn } = useAuth();
  if (isLoggedIn) return <ButtonLink to={to}>{children}</ButtonLink>;
  return (
    <ButtonLink to="/auth" onClick={() => rememberWantedPage(to)}>
      {children}
    </ButtonLink>
  );
}

function kindOf(token: string): TurnOffKind {
  const kind = token.split('.', 1)[0] ?? '';
  return Object.hasOwn(WORDS, kind) ? (kind as TurnOffKind) : 'capsule-waiting';
}

const WORDS = {
  'capsule-waiting': {
    question:
      "We'll stop emailing you when someone seals a capsule for you. You'll still see it on your dashboard and hear from us when it opens.",
    done: "We won't email you any more when someone seals a capsule for you.",
  },
  'capsule-opened': {
    question: NOT_TOLD_ON_THE_DAY,
    done: "We won't email you any more when a capsule opens.",
  },
  keepsake: {
    question: "We'll stop reminding you once a year to save a copy of your capsules.",
    done: "We won't remind you any more to save a copy of your capsules.",
  },
  'capsule-reminder': {
    question: "We'll stop reminding you of capsules you haven't opened after a month.",
    done: "We won't remind you any more of capsules you haven't opened.",
  },
  'still-sealed': {
    question: "We'll stop telling you once a year that your capsules are still waiting.",
    done: "We won't tell you any more that your capsules are still waiting.",
  },
  'address-check': {
    question:
      "We'll stop asking whether your address is still yours. Please tell us when it changes, so that your capsules reach you.",
    done: "We won't ask you any more whether your address is still yours.",
  },
} as const;
