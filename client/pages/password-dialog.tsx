import { type ReactNode, useState } from 'react';
import { changeEmailSchema } from '../../shared/api/addresses.ts';
import { type OwnPassword, ownPasswordSchema } from '../../shared/api/own-password.ts';
import { ask } from '../components/ask.tsx';
import type { ButtonVariant } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { toasts } from '../components/toast.tsx';
import { changeFailure } from './change-failure.ts';
import { type Checked, checkForm } from './check-form.ts';
import { FormDialog, FormText } from './form-dialog.tsx';
import { OwnPasswordField } from './own-password.tsx';
import { useForm } from './use-form.ts';

interface Change {
  title: string;
  /** What pressing the button does, in paragraphs. */
  text: ReactNode;
  submit: string;
  variant?: ButtonVariant;
  /** Asks for a new address as well, and first shows this one. */
  email?: string;
  /** @throws {CallError} with `errors` by field */
  send: (password: OwnPassword, email: string) => Promise<unknown>;
  /** Said once it is done. */
  done?: string;
}

/** Says what a change means, asks for the password, and makes it. @returns whether it is made */
export async function withPassword({ done, ...change }: Change): Promise<boolean> {
  const isDone = await ask((answer) => <PasswordDialog {...change} answer={answer} />);
  if (isDone && done) toasts.success(done);
  return isDone;
}

interface PasswordDialogProps extends Omit<Change, 'done'> {
  answer: (isDone: boolean) => void;
}

function PasswordDialog({ text, email, send, answer, ...dialog }: PasswordDialogProps) {
  const form = useForm(useState({ email: email ?? '', password: '' }), {
    check: (typed): Checked<{ email?: string; password: OwnPassword }> =>
      checkForm(email === undefined ? ownPasswordSchema : changeEmailSchema, typed),
    send: async ({ email = '', password }) => {
      await send(password, email);
      answer(true);
    },
    explain: (error) => changeFailure(error, "That didn't work. Please try again."),
  });

  return (
    <FormDialog {...dialog} form={form} onClose={() => answer(false)}>
      <FormText>{text}</FormText>
      {email !== undefined && (
        <TextField
          label="New address"
          type="email"
          required
          autoComplete="email"
          enterKeyHint="next"
          {...form.field('email')}
        />
      )}
      <OwnPasswordField form={form} />
    </FormDialog>
  );
}
