import { type FormEvent, useRef, useState } from 'react';
import { resetPassword, resetPasswordSchema } from '../../../shared/api/auth.ts';
import { call } from '../../api/client.ts';
import { CallError, messageFrom } from '../../api/errors.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { signedOut } from '../../hooks/auth.ts';
import { checkForm, type FieldErrors } from '../check-form.ts';
import { focusFirstError } from '../focus.ts';
import styles from './auth-frame.module.css';
import { FormFailure } from './auth-frame.tsx';
import { passwordHint } from './password-hint.ts';

interface NewPasswordFormProps {
  token: string;
  onSuccess: () => void;
}

function check(password: string, confirmation: string): FieldErrors {
  const checked = checkForm(resetPasswordSchema, { password });
  if (!checked.ok) return checked.errors;
  return password === confirmation ? {} : { confirmation: 'Passwords do not match' };
}

export function NewPasswordForm({ token, onSuccess }: NewPasswordFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [isExpired, setExpired] = useState(false);
  const hint = passwordHint(password);

  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const found = check(password, confirmation);
    setErrors(found);
    setFailure(null);
    if (Object.keys(found).length > 0) return focusFirstError(form.current);
    setBusy(true);
    try {
      await call(resetPassword, { query: { token }, body: { password } });
      // The server has ended all sessions of the account, including this one.
      signedOut();
      onSuccess();
    } catch (error) {
      if (error instanceof CallError) {
        setErrors(error.errors);
        setExpired(error.code === 'INVALID_RESET_TOKEN');
      }
      setFailure(messageFrom(error, 'Failed to reset password. Please try again.'));
      setBusy(false);
    }
  };

  return (
    <form className={styles.form} ref={form} noValidate onSubmit={onSubmit}>
      <FormFailure message={failure} />
      {isExpired && failure && (
        <ButtonLink to="/auth/forgot-password">Request New Reset Link</ButtonLink>
      )}
      <PasswordField
        label="New Password"
        required
        name="password"
        autoComplete="new-password"
        enterKeyHint="next"
        value={password}
        error={errors.password}
        hint={hint}
        onChange={({ target }) => {
          setPassword(target.value);
          setErrors({});
        }}
      />
      <PasswordField
        label="Confirm New Password"
        required
        name="confirmation"
        autoComplete="new-password"
        enterKeyHint="go"
        value={confirmation}
        error={errors.confirmation}
        onChange={({ target }) => {
          setConfirmation(target.value);
          setErrors({});
        }}
      />
      <Button type="submit" variant="primary" wide busy={busy} busyLabel="Updating…">
        Update Password
      </Button>
    </form>
  );
}
