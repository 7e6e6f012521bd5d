import { lazy, Suspense } from 'react';
import { canUsePasskeys } from '../hooks/can-use-passkeys.ts';
import type { PasskeyButtonProps } from './sign-in/passkey-button.tsx';

/** Where its code cannot be loaded, the password does it all the same. */
const PasskeyButton = lazy(async () => {
  const loading = import('./sign-in/passkey-button.tsx');
  return { default: (await loading.catch(() => null))?.PasskeyButton ?? (() => null) };
});

/** Beneath the field of a password: a passkey can answer in its place. */
export function PasskeyInstead(props: PasskeyButtonProps) {
  if (!canUsePasskeys()) return null;
  return (
    <Suspense>
      <PasskeyButton {...props} />
    </Suspense>
  );
}
