import { useState } from 'react';
import { enterRecoveryCode, enterRecoveryCodeSchema } from '../../../shared/api/recovery-codes.ts';
import { call } from '../../api/client.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { PasswordField, TextField } from '../../components/field.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { checkSession } from '../../hooks/check-session.ts';
import styles from '../auth/auth-frame.module.css';
import { AuthFrame } from '../auth/auth-frame.tsx';
import { checkForm, failureText } from '../check-form.ts';
import { useForm } from '../use-form.ts';

/** Where a code on paper lets a new password take effect that has to wait. */
export function RecoveryCodePage() {
  const [isDone, setDone] = useState(false);
  if (!isDone) return <CodeForm onDone={() => setDone(true)} />;
  return (
    <AuthFrame title="Your new password works now">
      <p role="status">
        You can sign in with it. The code is used up, and so are others that you made in the last
        seven days.
      </p>
      <ButtonLink to="/auth" variant="primary" wide>
        Go to Login
      </ButtonLink>
    </AuthFrame>
  );
}

function CodeForm({ onDone }: { onDone: () => void }) {
  const { props, failure, busy, field } = useForm(useState({ password: '', code: '' }), {
    check: (typed) => checkForm(enterRecoveryCodeSchema, typed),
    send: async (body) => {
      await call(enterRecoveryCode, { body });
      await checkSession();
      onDone();
    },
    explain: (error) => failureText(error, "That didn't work. Please try again."),
  });

  return (
    <AuthFrame title="Use a recovery code">
      <p className="quiet">
        You've chosen a new password with a link from your email, and it has to wait. With a
        recovery code it works right away.
      </p>
      <form {...props} className={`stack gap-16 silent ${styles.form}`}>
        <FormFailure message={failure} />
        <PasswordField
          label="Your new password"
          autoComplete="current-password"
          enterKeyHint="next"
          required
          {...field('password')}
        />
        <TextField
          label="Recovery code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          required
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
