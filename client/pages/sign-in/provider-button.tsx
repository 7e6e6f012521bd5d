import type { OwnPassword } from '../../../shared/api/own-password.ts';
import { Button } from '../../components/button.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { confirmAtProvider, useIdentity } from '../../hooks/provider.ts';
import { failureText } from '../check-form.ts';
import { useAction } from '../use-action.ts';

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
  const { failure, run } = useAction(confirmAtProvider, (error) =>
    failureText(error, "That didn't work."),
  );
  if (!identity?.linkedAt || identity.hasPassword) return null;

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
      <Button disabled={disabled} onClick={() => run()}>
        Confirm with {provider}
      </Button>
    </>
  );
}
