import { type ReactNode, useState } from 'react';
import { CallError, isConnectionError, sentenceFrom } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { useLinkToken } from '../../hooks/use-link-token.ts';
import { rememberWantedPage, useAuth } from '../../hooks/use-session.ts';
import styles from './auth-frame.module.css';
import { AuthFrame, IncompleteLink } from './auth-frame.tsx';

interface EmailLinkProps {
  title: string;
  text: string;
  answers: readonly Answer[];
  /** For who wants none of this. */
  otherwise?: ReactNode;
  /** What the person can do when the link works no more. */
  invalid: { title?: string; text: string; next: ReactNode };
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
export function EmailLink(props: EmailLinkProps) {
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

export function Address({ children }: { children: string }) {
  return <span className={styles.address}>{children}</span>;
}

export function ToAddresses({ children = 'See your addresses' }: { children?: string }) {
  return <ToPage to="/profile/addresses">{children}</ToPage>;
}

/** Leads to a page of the person's own, for a visitor by way of the sign-in. */
export function ToPage({ to, children }: { to: string; children: string }) {
  const { isLoggedIn } = useAuth();
  if (isLoggedIn) return <ButtonLink to={to}>{children}</ButtonLink>;
  return (
    <ButtonLink to="/auth" onClick={() => rememberWantedPage(to)}>
      {children}
    </ButtonLink>
  );
}
