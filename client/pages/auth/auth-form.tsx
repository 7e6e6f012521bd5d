import { type FormEvent, useRef, useState } from 'react';
import { NAME_MAX } from '../../../shared/limits.ts';
import { Button } from '../../components/button.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useSavedForm } from '../../hooks/use-saved-form.ts';
import styles from './auth-frame.module.css';
import { FormFailure } from './auth-frame.tsx';
import { passwordHint } from './password-hint.ts';
import { useAuthForm } from './use-auth-form.ts';

const NOTHING_TYPED = { name: '', email: '' };

interface AuthFormProps {
  registering: boolean;
  /** Called if the password is right but the address is not confirmed. */
  onUnverified: (email: string) => void;
}

export function AuthForm({ registering, onUnverified }: AuthFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useSavedForm('auth', NOTHING_TYPED);
  // Kept in memory only, not in sessionStorage.
  const [password, setPassword] = useState('');
  const values = { ...typed, password };
  const { errors, failure, busy, clear, submit } = useAuthForm(registering, form, onUnverified);
  const hint = passwordHint(registering ? values.password : '');

  const field = (name: keyof typeof values) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: ({ target }: { target: HTMLInputElement }) => {
      if (name === 'password') setPassword(target.value);
      else setTyped((before) => ({ ...before, [name]: target.value }));
      clear(name);
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit(values);
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
          lateCounter
          {...field('name')}
        />
      )}
      <TextField
        label="Email"
        type="email"
        required
        autoComplete={registering ? 'email' : 'username'}
        enterKeyHint="next"
        autoCapitalize="none"
        spellCheck={false}
        {...field('email')}
      />
      <PasswordField
        label="Password"
        required
        autoComplete={registering ? 'new-password' : 'current-password'}
        enterKeyHint="go"
        hint={hint}
        {...field('password')}
      />
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
