import type { ReactNode } from 'react';
import type { lookAtLink } from '../../../shared/api/addresses.ts';
import type { BodyOf } from '../../../shared/api/endpoint.ts';
import { ButtonLink } from '../../components/button.tsx';
import { rememberWantedPage, useAuth } from '../../hooks/use-session.ts';

/** What is known before anything is asked. @param provider what people call the identity provider */
export interface Known {
  token: string;
  provider: string;
  passwordsOff: boolean;
}

/** Where a link in an email leads: one sentence, a press, and what came of it. */
export interface EmailLink {
  title: string;
  /** Where the server says what the link is for. */
  purpose?: BodyOf<typeof lookAtLink>['purpose'];
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
  /** @throws {CallError} */
  send: (token: string) => Promise<After>;
}

/** What is shown then. */
export interface After {
  title: string;
  text: string;
  next: ReactNode;
}

export const press = (label: string, busyLabel: string, send: Answer['send']): Answer => ({
  label,
  busyLabel,
  send,
});

export const otherwise = (label: string) => <ButtonLink to="/">{label}</ButtonLink>;

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

export const TO_ADDRESSES = <ToPage to="/profile/addresses">See your addresses</ToPage>;
export const TO_LOGIN = <ButtonLink to="/auth">Go to Login</ButtonLink>;
export const SET_PASSWORD = <ButtonLink to="/auth/forgot-password">Set a new password</ButtonLink>;
