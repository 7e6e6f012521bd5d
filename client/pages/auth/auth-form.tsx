import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { z } from 'zod/mini';
import { login, register, registerSchema } from '../../../shared/api/auth.ts';
import type { Invitation } from '../../../shared/api/invitations.ts';
import type { CurrentUser } from '../../../shared/api/user.ts';
import { NAME_MAX } from '../../../shared/limits.ts';
import { call } from '../../api/client.ts';
import { CallError } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { PasswordField, TextField } from '../../components/field.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { toasts } from '../../components/toast.tsx';
import { canUsePasskeys } from '../../hooks/can-use-passkeys.ts';
import { useSavedForm } from '../../hooks/use-saved-form.ts';
import { newAccount, signedIn } from '../../hooks/use-session.ts';
import { checkForm, type FieldErrors, failureText, passwordHint, valuesOf } from '../check-form.ts';
import { focusFirstError } from '../focus.ts';
import styles from './auth-frame.module.css';

interface AuthFormProps {
  registering: boolean;
  /** With a link of this invitation, whose address the account gets. Its owner is signed in at once. */
  claim?: { token: string; invitation: Invitation };
  /** Called if the password is right but the address is not confirmed. */
  onUnverified: (email: string) => void;
}

export function AuthForm({ registering, claim, onUnverified }: AuthFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useSavedForm(claim ? 'claim' : 'auth', {
    name: claim?.invitation.name ?? '',
    email: claim?.invitation.email ?? newAccount.get().email,
  });
  // Kept in memory only, not in sessionStorage.
  const [password, setPassword] = useState('');
  // Null until a new device is asked for more than the password.
  const [recoveryCode, setRecoveryCode] = useState<string | null>(null);
  const values = { ...typed, password, recoveryCode: recoveryCode ?? '' };
  const send = (values: AuthValues) => {
    if (claim) return sendClaim(values, claim.token);
    return registering ? sendRegistration(values) : sendSignIn(values);
  };
  const { errors, failure, busy, clear, submit } = useAuthForm(send, form, {
    onUnverified,
    onNewDevice: () => setRecoveryCode((before) => before ?? ''),
  });

  const field = (name: keyof typeof values) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: ({ target }: { target: HTMLInputElement }) => {
      if (name === 'password') setPassword(target.value);
      else if (name === 'recoveryCode') setRecoveryCode(target.value);
      else setTyped((before) => ({ ...before, [name]: target.value }));
      clear(name);
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const { password, recoveryCode: code, ...others } = valuesOf(form.current, values);
    setTyped(others);
    setPassword(password);
    void submit({ ...others, password, recoveryCode: code });
  };

  return (
    <form className={styles.form} ref={form} noValidate onSubmit={onSubmit}>
      <FormFailure message={failure} />
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
        autoCapitalize="none"
        spellCheck={false}
        readOnly={claim !== undefined}
        {...field('email')}
      />
      <PasswordField
        label="Password"
        required
        autoComplete={registering ? 'new-password' : 'current-password'}
        enterKeyHint="go"
        hint={errors.password ? undefined : passwordHint(registering ? password : '')}
        {...field('password')}
      />
      {recoveryCode !== null && (
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

/** Sends the form and does what follows from the answer. */
function useAuthForm(
  send: (values: AuthValues) => Promise<AuthOutcome>,
  form: RefObject<HTMLFormElement | null>,
  on: { onUnverified: (email: string) => void; onNewDevice: () => void },
) {
  const navigate = useNavigate();
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const settle = async (outcome: AuthOutcome) => {
    if (outcome.kind === 'registered') {
      toasts.success('Account created successfully!');
      newAccount.set(outcome);
      navigate('/');
    } else if (outcome.kind === 'signed-in') {
      await signedIn(outcome.user);
      // The route guard of this page leads on, as for anyone signed in who comes here.
      toasts.success(outcome.isNew ? 'Welcome!' : 'Welcome back!');
    } else if (outcome.kind === 'unverified') {
      on.onUnverified(outcome.email);
    } else {
      if (outcome.isNewDevice) on.onNewDevice();
      setErrors(outcome.errors);
      setFailure(outcome.message);
      focusFirstError(form.current);
    }
  };

  const submit = async (values: AuthValues) => {
    if (busy) return;
    setErrors({});
    setFailure(null);
    setBusy(true);
    try {
      await settle(await send(values));
    } finally {
      setBusy(false);
    }
  };

  const clear = (name: string) => {
    setErrors((before) => {
      if (!(name in before)) return before;
      const { [name]: _, ...others } = before;
      return others;
    });
  };

  return { errors, failure, busy, clear, submit };
}

/** Also checks the length of the password, which the server does not for a sign-in. */
const signInForm = z.omit(registerSchema, { name: true });

interface AuthValues {
  name: string;
  email: string;
  password: string;
  recoveryCode: string;
}

type AuthOutcome =
  | { kind: 'registered'; email: string; mustVerify: boolean }
  | { kind: 'signed-in'; user: CurrentUser; isNew?: boolean }
  | { kind: 'unverified'; email: string }
  /** `message` is null if there are only field errors. A new device needs more than the password. */
  | { kind: 'refused'; errors: FieldErrors; message: string | null; isNewDevice?: boolean };

/** Accepts an invitation, and signs in. Never throws. */
async function sendClaim(values: AuthValues, invitation: string): Promise<AuthOutcome> {
  const outcome = await sendRegistration({ ...values, invitation });
  if (outcome.kind !== 'registered' || outcome.mustVerify) return outcome;
  const signIn = await sendSignIn(values);
  // The account is made all the same, and the next page offers to sign in.
  return signIn.kind === 'signed-in' ? { ...signIn, isNew: true } : outcome;
}

/** Checks the registration and sends it. Never throws. */
async function sendRegistration(
  values: AuthValues & { invitation?: string },
): Promise<AuthOutcome> {
  const checked = checkForm(registerSchema, values);
  if (!checked.ok) return { kind: 'refused', errors: checked.errors, message: null };
  try {
    const { emailVerificationRequired } = await call(register, { body: checked.data });
    const { email } = checked.data;
    return { kind: 'registered', email, mustVerify: emailVerificationRequired };
  } catch (error) {
    return refusal(error, 'Failed to create account');
  }
}

/** Checks the sign-in and sends it. Never throws. */
async function sendSignIn(values: AuthValues): Promise<AuthOutcome> {
  const checked = checkForm(signInForm, values);
  if (!checked.ok) return { kind: 'refused', errors: checked.errors, message: null };
  try {
    const { email, password } = checked.data;
    const recoveryCode = values.recoveryCode || undefined;
    const { user } = await call(login, { body: { email, password, recoveryCode } });
    return { kind: 'signed-in', user };
  } catch (error) {
    return refusal(error, 'Invalid email or password');
  }
}

function refusal(error: unknown, otherwise: string): AuthOutcome {
  if (!(error instanceof CallError)) return { kind: 'refused', errors: {}, message: otherwise };
  if (error.code === 'EMAIL_NOT_VERIFIED' && error.email) {
    return { kind: 'unverified', email: error.email };
  }
  return {
    kind: 'refused',
    errors: error.errors,
    message: failureText(error, otherwise),
    isNewDevice: error.code === 'PASSKEY_REQUIRED',
  };
}
