import { useEffect, useState } from 'react';
import type { OwnPassword } from '../../../shared/api/own-password.ts';
import { listPasskeys } from '../../../shared/api/passkeys.ts';
import { call } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { answerByPasskey } from '../../hooks/passkeys.ts';

export interface PasskeyButtonProps {
  disabled: boolean;
  /** @param prove asks for the passkey @throws {CallError} */
  onPress: (prove: () => Promise<OwnPassword>) => void;
}

/** For who has a passkey that can answer in place of the password. */
export function PasskeyButton({ disabled, onPress }: PasskeyButtonProps) {
  const [hasPasskey, setHasPasskey] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    call(listPasskeys, { signal: controller.signal })
      .then((passkeys) => setHasPasskey(passkeys.length > 0))
      // The password does it all the same.
      .catch(() => undefined);
    return () => controller.abort();
  }, []);
  if (!hasPasskey) return null;
  return (
    <Button disabled={disabled} onClick={() => onPress(answerByPasskey)}>
      Use a passkey instead
    </Button>
  );
}
