import { Button } from '../../components/button.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { acceptAtProvider } from '../../hooks/provider.ts';
import { failureText } from '../check-form.ts';
import { useAction } from '../use-action.ts';

/** Accepts an invitation by the identity provider. */
export function ProviderClaim({ provider, invitation }: { provider: string; invitation: string }) {
  const { busy, failure, run } = useAction(
    () => acceptAtProvider(invitation),
    (error) => failureText(error, "That didn't work. Please try again."),
  );
  return (
    <>
      <FormFailure message={failure} />
      <Button wide busy={busy} busyLabel={`Going to ${provider}…`} onClick={() => run()}>
        Continue with {provider}
      </Button>
    </>
  );
}
