import type { ReactNode } from 'react';
import { changeEmailSchema } from '../../shared/api/addresses.ts';
import { type OwnPassword, ownPasswordSchema } from '../../shared/api/own-password.ts';
import type { ButtonVariant } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { changeFailure } from './change-failure.ts';
import { checkForm } from './check-form.ts';
import { FormDialog, FormText } from './form-dialog.tsx';
import { OwnPasswordField, PROVED_LATER, type Prove } from './own-password.tsx';
import { useForm } from './use-form.ts';

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

/** Says what a change means, and asks for the password. */
export function PasswordDialog({ children, email, send, ...dialog }: PasswordDialogProps) {
  const form = useForm({ email: email ?? '', password: '' });

  const proceed = (prove?: Prove) =>
    void form.submit<{ email?: string; password: OwnPassword }>(
      (typed) =>
        checkForm(email === undefined ? ownPasswordSchema : changeEmailSchema, {
          ...typed,
          ...(prove && PROVED_LATER),
        }),
      async (data) => send({ email: '', ...data, ...(prove && { password: await prove() }) }),
      (error) => changeFailure(error, "That didn't work. Please try again."),
    );

  return (
    <FormDialog {...dialog} form={form} onSubmit={proceed}>
      <FormText>{children}</FormText>
      {email !== undefined && (
        <TextField
          label="New address"
          type="email"
          required
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="next"
          {...form.field('email')}
        />
      )}
      <OwnPasswordField field={form.field('password')} busy={form.busy} onPasskey={proceed} />
    </FormDialog>
  );
}
