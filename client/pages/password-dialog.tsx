import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { changeEmailSchema, ownPasswordSchema } from '../../shared/api/addresses.ts';
import type { OwnPassword } from '../../shared/api/own-password.ts';
import { CallError } from '../api/errors.ts';
import { Button, type ButtonVariant } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { PasswordField, TextField } from '../components/field.tsx';
import { FormFailure } from '../components/form-failure.tsx';
import { useAuth } from '../hooks/use-session.ts';
import { changeFailure } from './change-failure.ts';
import { checkForm, type FieldErrors, valuesOf } from './check-form.ts';
import { focusFirstError } from './focus.ts';
import { PasskeyInstead } from './passkey-instead.tsx';
import styles from './password-dialog.module.css';

interface PasswordDialogProps {
  title: string;
  /** What pressing the button does. */
  children: ReactNode;
  submit: string;
  variant?: ButtonVariant;
  /** Asks for a new address as well, and first shows this one. */
  email?: string;
  /** @throws {CallError} with `errors` by field */
  send: (typed: { email: string; password: OwnPassword }) => Promise<void>;
  onClose: () => void;
}

/** Says what a change means, and asks for the password, so that a borrowed device is not enough. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, children, submit, variant = 'primary', send, onClose } = props;
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const username = useAuth().user?.email ?? '';
  const [typed, setTyped] = useState({ email: props.email ?? '', password: '' });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const refuse = (fields: FieldErrors, message: string | null) => {
    setErrors(fields);
    setFailure(message);
    focusFirstError(form.current);
  };

  /** @param prove what answers in place of the typed password */
  const proceed = async (prove?: () => Promise<OwnPassword>) => {
    // Enter in a field submits the form even while the button is busy.
    if (busy) return;
    const values = valuesOf(form.current, typed);
    setTyped(values);
    const asked = prove ? { ...values, password: 'in its place' } : values;
    const checked =
      props.email === undefined
        ? checkForm(ownPasswordSchema, asked)
        : checkForm(changeEmailSchema, asked);
    if (!checked.ok) return refuse(checked.errors, null);
    setBusy(true);
    refuse({}, null);
    try {
      await send({ ...values, ...checked.data, ...(prove && { password: await prove() }) });
    } catch (error) {
      setBusy(false);
      const fields = error instanceof CallError ? error.errors : {};
      const isPlaced = Boolean(fields.email || fields.password);
      refuse(fields, isPlaced ? null : changeFailure(error, "That didn't work. Please try again."));
    }
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void proceed();
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
    <Dialog
      title={title}
      onClose={busy ? () => undefined : onClose}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant={variant} busy={busy}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} className={styles.form} noValidate onSubmit={onSubmit}>
        <div className={styles.text}>{children}</div>
        {/* Hidden: tells a password manager which account is meant. */}
        <input type="email" autoComplete="username" value={username} readOnly hidden />
        {props.email !== undefined && (
          <TextField
            label="New address"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="next"
            {...field('email')}
          />
        )}
        <PasswordField
          label="Password"
          autoComplete="current-password"
          enterKeyHint="done"
          hint="To confirm it's you."
          {...field('password')}
        />
        <PasskeyInstead disabled={busy} onPress={(prove) => void proceed(prove)} />
        <FormFailure message={failure} />
      </form>
    </Dialog>
  );
}
