import { type RefObject, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { toasts } from '../../components/toast.tsx';
import { signedIn } from '../../hooks/auth.ts';
import type { FieldErrors } from '../check-form.ts';
import { focusFirstError } from '../focus.ts';
import { type AuthOutcome, type AuthValues, sendRegistration, sendSignIn } from './send-auth.ts';

/** What happens when the sign-in or registration form is sent. */
export function useAuthForm(
  registering: boolean,
  form: RefObject<HTMLFormElement | null>,
  onUnverified: (email: string) => void,
) {
  const navigate = useNavigate();
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const settle = async (outcome: AuthOutcome) => {
    if (outcome.kind === 'registered') {
      toasts.success('Account created successfully!');
      if (outcome.mustVerify) {
        toasts.success(`We sent a link to ${outcome.email}. Open it before you sign in.`);
      }
      navigate('/');
    } else if (outcome.kind === 'signed-in') {
      await signedIn(outcome.user);
      // The route of this page leads on, as it does whenever somebody signed in comes here.
      toasts.success('Welcome back!');
    } else if (outcome.kind === 'unverified') {
      onUnverified(outcome.email);
    } else {
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
      await settle(await (registering ? sendRegistration(values) : sendSignIn(values)));
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
