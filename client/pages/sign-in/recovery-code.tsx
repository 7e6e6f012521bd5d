import { type FormEvent, useRef, useState } from 'react';
import { enterRecoveryCode, enterRecoveryCodeSchema } from '../../../shared/api/recovery-codes.ts';
import { getMe } from '../../../shared/api/user.ts';
import { call } from '../../api/client.ts';
import { CallError } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { PasswordField, TextField } from '../../components/field.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { authState } from '../../hooks/use-session.ts';
import styles from '../auth/auth-frame.module.css';
import { AuthFrame } from '../auth/auth-frame.tsx';
import { checkForm, type FieldErrors, failureText, valuesOf } from '../check-form.ts';
import { focusFirstError } from '../focus.ts';

/** Where a code on paper lets a new password take effect that waits for another address. */
export function RecoveryCodePage() {
  const [isDone, setDone] = useState(false);
  if (!isDone) return <CodeForm onDone={() => setDone(true)} />;
  return (
    <AuthFrame title="Your new password works now" follows>
      <p role="status">You can sign in with it. The code is used up.</p>
      <ButtonLink to="/auth" variant="primary" wide>
        Go to Login
      </ButtonLink>
    </AuthFrame>
  );
}

function CodeForm({ onDone }: { onDone: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState({ password: '', code: '' });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const refuse = (fields: FieldErrors, message: string | null) => {
    setErrors(fields);
    setFailure(message);
    focusFirstError(form.current);
  };

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const values = valuesOf(form.current, typed);
    setTyped(values);
    const checked = checkForm(enterRecoveryCodeSchema, values);
    if (!checked.ok) return refuse(checked.errors, null);
    setBusy(true);
    refuse({}, null);
    try {
      await call(enterRecoveryCode, { body: checked.data });
      // Every session of the account has ended. If this device has one of them, a 401 says so to the page.
      if (authState().isLoggedIn) await call(getMe).catch(() => undefined);
      onDone();
    } catch (error) {
      setBusy(false);
      refuse(
        error instanceof CallError ? error.errors : {},
        failureText(error, "That didn't work. Please try again."),
      );
    }
  };

  const field = (name: keyof typeof typed) => ({
    name,
    required: true,
    value: typed[name],
    error: errors[name],
    onChange: ({ target }: { target: HTMLInputElement }) => {
      setTyped((before) => ({ ...before, [name]: target.value }));
      setErrors(({ [name]: _, ...others }) => others);
    },
  });

  return (
    <AuthFrame title="Use a recovery code">
      <p className={styles.quiet}>
        You've chosen a new password with a link from your email, and it waits for your other
        address. With a recovery code it works right away.
      </p>
      <form className={styles.form} ref={form} noValidate onSubmit={onSubmit}>
        <FormFailure message={failure} />
        <PasswordField
          label="Your new password"
          autoComplete="current-password"
          enterKeyHint="next"
          {...field('password')}
        />
        <TextField
          label="Recovery code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          {...field('code')}
        />
        <Button type="submit" variant="primary" wide busy={busy} busyLabel="Checking…">
          Use this code
        </Button>
      </form>
      <ButtonLink to="/auth/forgot-password">Choose a new password first</ButtonLink>
    </AuthFrame>
  );
}
