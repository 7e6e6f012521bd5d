import { type RefObject, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { login, loginSchema, register, registerSchema } from '../../../shared/api/auth.ts';
import { call } from '../../http/call.ts';
import { CallError } from '../../http/call-error.ts';
import { signedIn } from '../../state/auth.ts';
import { useToasts } from '../../ui/toast.tsx';
import { checkForm, type FieldErrors, focusFirstError } from '../check-form.ts';

interface Values {
  name: string;
  email: string;
  password: string;
}

/** What happens when the sign-in or registration form is sent. */
export function useAuthForm(
  registering: boolean,
  form: RefObject<HTMLFormElement | null>,
  onUnverified: (email: string) => void,
) {
  const navigate = useNavigate();
  const toasts = useToasts();
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const refuse = (found: FieldErrors) => {
    setErrors(found);
    focusFirstError(form.current);
  };

  const send = async (values: Values): Promise<void> => {
    if (registering) {
      const checked = checkForm(registerSchema, values);
      if (!checked.ok) return refuse(checked.errors);
      const { emailVerificationRequired } = await call(register, { body: checked.data });
      toasts.success('Account created successfully!');
      if (emailVerificationRequired) {
        toasts.success(`We sent a link to ${checked.data.email}. Open it before you sign in.`);
      }
      navigate('/');
    } else {
      const checked = checkForm(loginSchema, values);
      if (!checked.ok) return refuse(checked.errors);
      const { user } = await call(login, { body: checked.data });
      signedIn(user);
      toasts.success('Welcome back!');
      navigate('/dashboard');
    }
  };

  const explain = (error: unknown) => {
    const otherwise = registering ? 'Failed to create account' : 'Invalid email or password';
    if (!(error instanceof CallError)) return setFailure(otherwise);
    if (error.code === 'EMAIL_NOT_VERIFIED' && error.email) return onUnverified(error.email);
    if (Object.keys(error.errors).length > 0) refuse(error.errors);
    setFailure(error.message || otherwise);
  };

  const submit = async (values: Values) => {
    if (busy) return;
    setErrors({});
    setFailure(null);
    setBusy(true);
    try {
      await send(values);
    } catch (error) {
      explain(error);
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
