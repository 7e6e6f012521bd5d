import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { acceptAtProvider } from '../../hooks/provider.ts';
import { failureText } from '../check-form.ts';

/** Accepts an invitation by the identity provider. */
export function ProviderClaim({ provider, invitation }: { provider: string; invitation: string }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const press = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await acceptAtProvider(invitation);
    } catch (error) {
      setFailure(failureText(error, "That didn't work. Please try again."));
      setBusy(false);
    }
  };

  return (
    <>
      <FormFailure message={failure} />
      <Button wide busy={busy} busyLabel={`Going to ${provider}…`} onClick={() => void press()}>
        Continue with {provider}
      </Button>
    </>
  );
}
