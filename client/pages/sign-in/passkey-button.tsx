import type { OwnPassword } from '../../../shared/api/own-password.ts';
import { Button } from '../../components/button.tsx';
import { answerByPasskey } from '../../hooks/passkeys.ts';
import { usePasskeys } from '../../hooks/use-passkeys.ts';

export interface PasskeyButtonProps {
  disabled: boolean;
  /** @param prove asks for the passkey @throws {CallError} */
  onPress: (prove: () => Promise<OwnPassword>) => void;
}

/** For who has a passkey that can answer in place of the password. */
export function PasskeyButton({ disabled, onPress }: PasskeyButtonProps) {
  const { data } = usePasskeys();
  // Where it isn't known, the password does it all the same.
  if (!data?.passkeys.length) return null;
  return (
    <Button disabled={disabled} onClick={() => onPress(answerByPasskey)}>
      Use a passkey instead
    </Button>
  );
}
