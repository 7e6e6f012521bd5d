import { type ComponentProps, Suspense } from 'react';
import { PasswordField } from '../components/field.tsx';
import { FormFailure } from '../components/form-failure.tsx';
import { lazyExtra } from '../components/lazy-extra.ts';
import { canUsePasskeys } from '../hooks/can-use-passkeys.ts';
import { useContact } from '../hooks/use-contact.ts';
import { useMe } from '../hooks/use-people.ts';
import type { Prove } from './use-form.ts';

/** The password does it all the same. */
const PasskeyButton = lazyExtra(
  async () => (await import('./sign-in/passkey-button.tsx')).PasskeyButton,
);

const ProviderButton = lazyExtra(
  async () => (await import('./sign-in/provider-button.tsx')).ProviderButton,
);

/** Said to who has no password. */
const NOT_CONFIRMED = "Please confirm below that it's you. That counts once, for five minutes.";

interface PasswordForm {
  busy: boolean;
  field: (name: 'password') => Omit<ComponentProps<typeof PasswordField>, 'label'>;
  submit: (prove: Prove) => Promise<void>;
}

/**
 * Asks for the password of who is signed in, so that a borrowed device is not enough. A passkey, or the
 * identity provider, can answer in its place.
 */
export function OwnPasswordField({ form }: { form: PasswordForm }) {
  const { busy, submit } = form;
  const field = form.field('password');
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
          <PasskeyButton disabled={busy} onPress={submit} />
        </Suspense>
      )}
      {provider && (
        <Suspense>
          <ProviderButton provider={provider} disabled={busy} onPress={submit} />
        </Suspense>
      )}
    </>
  );
}
