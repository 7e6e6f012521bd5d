import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { z } from 'zod/mini';
import { login, register, registerSchema } from '../../../shared/api/auth.ts';
import type { Invitation } from '../../../shared/api/invitations.ts';
import { NAME_MAX } from '../../../shared/limits.ts';
import { call } from '../../api/client.ts';
import { CallError, isAnswerOf } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { PasswordField, TextField } from '../../components/field.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { toasts } from '../../components/toast.tsx';
import { canUsePasskeys } from '../../hooks/can-use-passkeys.ts';
import { newAccount, signedIn } from '../../hooks/use-session.ts';
import { type Checked, checkForm, failureText, passwordHint } from '../check-form.ts';
import { WithContactLink } from '../contact-link.tsx';
import { useForm } from '../use-form.ts';
import styles from './auth-frame.module.css';

interface AuthFormProps {
  registering: boolean;
  /** With a link of this invitation, whose address the account gets. Its owner is signed in at once. */
  claim?: { token: string; invitation: Invitation };
  /** Told whenever the address changes. */
  onEmail?: (email: string) => void;
  /** Called if the password is right but the address is not confirmed. */
  onUnverified: (email: string) => void;
}

export function AuthForm({ registering, claim, onEmail, onUnverified }: AuthFormProps) {
  const navigate = useNavigate();
  // It is asked for more than the password.
  const [isNewDevice, setNewDevice] = useState(false);

  const signIn = async ({ email, password, recoveryCode }: AuthValues, welcome: string) => {
    const code = recoveryCode || undefined;
    const { user } = await call(login, { body: { email, password, recoveryCode: code } });
    await signedIn(user);
    // The route guard of this page leads on, as for anyone signed in who comes here.
    toasts.success(welcome);
  };
  const createAccount = async (values: AuthValues) => {
    const { name, email, password } = values;
    const body = { name, email, password, invitation: claim?.token };
    const { emailVerificationRequired: mustVerify } = await call(register, { body });
    if (claim && !mustVerify) {
      try {
        return await signIn(values, 'Welcome!');
      } catch {
        // The account is made all the same, and the next page offers to sign in.
      }
    }
    toasts.success('Account created successfully!');
    newAccount.set({ email, mustVerify });
    navigate('/');
  };

  const { props, values, failure, busy, field } = useForm(useState(startOf(claim?.invitation)), {
    check: (typed): Checked<AuthValues> => {
      const checked = checkForm(registering ? registerSchema : signInForm, typed);
      return checked.ok ? { ok: true, data: { ...typed, ...checked.data } } : checked;
    },
    send: async (values) => {
      if (registering) return createAccount(values);
      try {
        await signIn(values, 'Welcome back!');
      } catch (error) {
        const isUnverified = error instanceof CallError && error.code === 'EMAIL_NOT_VERIFIED';
        if (!isUnverified || !error.email) throw error;
        onUnverified(error.email);
      }
    },
    repeats: true,
    explain: (error) => {
      if (isAnswerOf(error, 'PASSKEY_REQUIRED')) setNewDevice(true);
      return failureText(
        error,
        registering ? 'Failed to create account' : 'Invalid email or password',
      );
    },
  });
  const email = field('email');
  const password = field('password');

  return (
    <form {...props} className={`stack gap-16 silent ${styles.form}`}>
      <FormFailure message={failure && <WithContactLink text={failure} />} />
      {registering && (
        <TextField
          label="Name"
          required
          autoComplete="name"
          enterKeyHint="next"
          max={NAME_MAX}
          {...field('name')}
        />
      )}
      <TextField
        label="Email"
        type="email"
        required
        autoComplete={registering ? 'email' : canUsePasskeys() ? 'username webauthn' : 'username'}
        enterKeyHint="next"
        readOnly={claim !== undefined}
        {...email}
        onChange={(event) => {
          email.onChange(event);
          onEmail?.(event.target.value);
        }}
      />
      <PasswordField
        label="Password"
        required
        autoComplete={registering ? 'new-password' : 'current-password'}
        enterKeyHint="go"
        hint={password.error ? undefined : passwordHint(registering ? values.password : '')}
        {...password}
      />
      {isNewDevice && (
        <TextField
          label="Recovery code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          hint="You have neither? Choose “Forgot password?” for a new password, which takes effect after a week."
          {...field('recoveryCode')}
        />
      )}
      <Button
        type="submit"
        variant="primary"
        wide
        busy={busy}
        busyLabel={registering ? 'Creating account…' : 'Signing in…'}
      >
        {registering ? 'Create Account' : 'Sign In'}
      </Button>
    </form>
  );
}

/** Also checks the length of the password, which the server does not for a sign-in. */
const signInForm = z.omit(registerSchema, { name: true });

interface AuthValues extends Record<string, string> {
  name: string;
  email: string;
  password: string;
  recoveryCode: string;
}

const startOf = (invitation?: Invitation): AuthValues => ({
  name: invitation?.name ?? '',
  email: invitation?.email ?? newAccount.get().email,
  password: '',
  recoveryCode: '',
});
