import { useState } from 'react';
import type { OwnPassword } from '../../../shared/api/own-password.ts';
import { Button } from '../../components/button.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { confirmAtProvider, useIdentity } from '../../hooks/provider.ts';
import { failureText } from '../check-form.ts';

interface ProviderButtonProps {
  /** What people call the identity provider. */
  provider: string;
  disabled: boolean;
  /** @param prove says that the provider has confirmed who it is */
  onPress: (prove: () => Promise<OwnPassword>) => void;
}

/** For who has no password: the identity provider answers in its place. */
export function ProviderButton({ provider, disabled, onPress }: ProviderButtonProps) {
  // Where it isn't known, a passkey does it all the same.
  const { data: identity } = useIdentity();
  const [failure, setFailure] = useState<string | null>(null);
  if (!identity?.linkedAt || identity.hasPassword) return null;

  const leave = () =>
    void confirmAtProvider().catch((error) => setFailure(failureText(error, "That didn't work.")));

  if (identity.confirmedUntil) {
    return (
      <Button disabled={disabled} onClick={() => onPress(async () => ({ type: 'confirmed' }))}>
        Go on, as {provider} has confirmed
      </Button>
    );
  }
  return (
    <>
      <p>Confirm with {provider} that it's you, and then come back to this question.</p>
      {failure !== null && <FormFailure message={failure} />}
      <Button disabled={disabled} onClick={leave}>
        Confirm with {provider}
      </Button>
    </>
  );
}
