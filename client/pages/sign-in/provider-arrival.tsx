import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ButtonLink } from '../../components/button.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { toasts } from '../../components/toast.tsx';
import { arriveFromProvider } from '../../hooks/provider.ts';
import { wantedPage } from '../../hooks/use-session.ts';
import { AuthFrame } from '../auth/auth-frame.tsx';
import { failureText } from '../check-form.ts';

/** Where the server leads whom it has signed in by the identity provider: the app learns who it is. */
export function ProviderArrivalPage() {
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    arriveFromProvider().then(
      () => {
        toasts.success('Welcome!');
        navigate(wantedPage(), { replace: true });
      },
      (error) => setFailure(failureText(error, "You aren't signed in. Please try again.")),
    );
  }, [navigate]);
  return (
    <AuthFrame title="Sign in">
      {failure === null ? (
        <Spinner label="Signing you in…" />
      ) : (
        <>
          <FormFailure message={failure} />
          <ButtonLink to="/auth" variant="primary" wide>
            Go to Login
          </ButtonLink>
        </>
      )}
    </AuthFrame>
  );
}
