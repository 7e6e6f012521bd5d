import { type ComponentProps, Suspense } from 'react';
import type { OwnPassword } from '../../shared/api/own-password.ts';
import { PasswordField } from '../components/field.tsx';
import { FormFailure } from '../components/form-failure.tsx';
import { lazyExtra } from '../components/lazy-extra.ts';
import { canUsePasskeys } from '../hooks/can-use-passkeys.ts';
import { useContact } from '../hooks/use-contact.ts';
import { useMe } from '../hooks/use-people.ts';

/** Asks for a passkey, or the identity provider's word, in place of the password. @throws {CallError} */
export type Prove = () => Promise<OwnPassword>;

/** Passes for a password while the rest of a form is checked, before anybody is asked for a passkey. */
export const PROVED_LATER = { password: 'a passkey' };

/** The password does it all the same. */
const PasskeyButton = lazyExtra(
  async () => (await import('./sign-in/passkey-button.tsx')).PasskeyButton,
);

const ProviderButton = lazyExtra(
  async () => (await import('./sign-in/provider-button.tsx')).ProviderButton,
);

/** Said to who has no password. */
const NOT_CONFIRMED = "Please confirm below that it's you. That counts once, for five minutes.";

interface OwnPasswordFieldProps {
  field: Pick<ComponentProps<typeof PasswordField>, 'name' | 'value' | 'error' | 'onChange'>;
  busy: boolean;
  /** The person wants to use a passkey in place of the password, or the identity provider. */
  onPasskey: (prove: Prove) => void;
}

/** Asks for the password of who is signed in, so that a borrowed device is not enough. */
export function OwnPasswordField({ field, busy, onPasskey }: OwnPasswordFieldProps) {
  const { data: user } = useMe();
  const { provider } = useContact();
  const hasNone = Boolean(user?.hasNoPassword && provider);
  return (
    <>
      {/* Hidden: tells a password manager which account is meant. */}
      <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      {hasNone ? (
        <FormFailure message={field.error ? NOT_CONFIRMED : null} />
      ) : (
        <PasswordField
          label="Password"
          required
          autoComplete="current-password"
          enterKeyHint="done"
          hint="To confirm it's you."
          {...field}
        />
      )}
      {canUsePasskeys() && (
        <Suspense>
          <PasskeyButton disabled={busy} onPress={onPasskey} />
        </Suspense>
      )}
      {provider && (
        <Suspense>
          <ProviderButton provider={provider} disabled={busy} onPress={onPasskey} />
        </Suspense>
      )}
    </>
  );
}
