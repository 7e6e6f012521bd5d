import { Link } from 'react-router-dom';
import { RESET_LINK_MINUTES, VERIFICATION_LINK_HOURS } from '../../../shared/limits.ts';
import type { ProseSection } from '../prose.tsx';

export const ACCOUNT_HELP: readonly ProseSection[] = [
  {
    id: 'password',
    title: 'Forgotten password, or a new one',
    body: (
      <>
        <p>
          Ask for a link on the <Link to="/auth/forgot-password">reset page</Link>. It is valid for{' '}
          {RESET_LINK_MINUTES} minutes and works once; asking again makes the older link invalid. A
          new password signs you out everywhere.
        </p>
        <p>
          No mail? Look into the spam folder, and check that it is the address you registered with.
          The page answers the same whether an account exists or not, so that nobody can find out
          who is registered.
        </p>
      </>
    ),
  },
  {
    id: 'verifying',
    title: 'Confirming your address',
    body: (
      <p>
        Some sites ask you to confirm your address before the first sign-in. The link in that mail
        works for {VERIFICATION_LINK_HOURS} hours. When it has expired, sign in with your password
        and choose “Resend”.
      </p>
    ),
  },
  {
    id: 'export',
    title: 'Taking your data with you',
    body: (
      <p>
        On your <Link to="/profile">profile</Link>, “Export as ZIP” gives you everything at once:
        your account, both of your capsule lists, and the messages and files of every capsule that
        has opened. Locked capsules are in it as you see them in the app, from outside: an export is
        no way around the lock.
      </p>
    ),
  },
  {
    id: 'leaving',
    title: 'Deleting your account',
    body: (
      <>
        <p>
          The button is at the end of your <Link to="/profile">profile</Link>, and asks for your
          password. You choose what happens to the capsules you sealed for others: they are
          delivered on their day, under your name but without your address, or they are destroyed.
          Once delivered or waiting without you, nobody can call them back.
        </p>
        <p>
          Everything else of yours goes at once and cannot be brought back, so export first what you
          want to keep.
        </p>
      </>
    ),
  },
];
