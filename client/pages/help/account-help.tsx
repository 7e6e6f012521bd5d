import { Link } from 'react-router-dom';
import { RESET_LINK_MINUTES, VERIFICATION_LINK_HOURS } from '../../../shared/limits.ts';
import type { ProseSection } from '../prose.tsx';

export const ACCOUNT_HELP: readonly ProseSection[] = [
  {
    id: 'password',
    title: 'Forgotten or new password',
    body: (
      <>
        <p>
          Ask for a link on the <Link to="/auth/forgot-password">reset page</Link>. It works for{' '}
          {RESET_LINK_MINUTES} minutes, once. Only the newest link works. A new password signs you
          out on all devices.
        </p>
        <p>
          No email? Check your spam folder, and that it's the address you registered with. The page
          answers the same whether there's an account or not, so nobody can find out who is
          registered.
        </p>
      </>
    ),
  },
  {
    id: 'verifying',
    title: 'Confirming your address',
    body: (
      <p>
        Some sites ask you to confirm your address before the first sign-in. The link in that email
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
        has opened. Sealed capsules are listed, but stay sealed. An export is no way around the
        lock.
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
          password. You choose what happens to the capsules you sealed for others. They are
          delivered on their day, under your name but without your address, or they are destroyed.
          After that, nobody can take them back.
        </p>
        <p>
          Everything else of yours is deleted at once and can't be brought back, so export what you
          want to keep first.
        </p>
      </>
    ),
  },
];
