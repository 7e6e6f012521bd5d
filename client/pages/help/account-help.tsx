import { Link } from 'react-router-dom';
import { RESET_LINK_MINUTES, VERIFICATION_LINK_HOURS } from '../../../shared/limits.ts';
import type { ProseSection } from '../prose.tsx';

export const ACCOUNT_HELP: readonly ProseSection[] = [
  {
    id: 'password',
    title: 'Forgotten password',
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
    title: 'Your data, and leaving',
    body: (
      <p>
        You can download the files of every opened capsule, one by one. Exporting everything at once
        and closing your account from within the app are not yet available; until they are, write to
        us and we will do it for you.
      </p>
    ),
  },
];
