import { SIGN_IN_BETWEEN_PATH } from '../../shared/limits.ts';

/** Where a proxy in front of the server wants people to sign in: the worker leaves this address to it. */
export function SignInBetween({ isSaved }: { isSaved: boolean }) {
  return (
    <span>
      A sign-in page stands between you and this site.
      {isSaved && ' What you write is saved on this device.'}{' '}
      <a href={SIGN_IN_BETWEEN_PATH}>Sign in again</a>
    </span>
  );
}
