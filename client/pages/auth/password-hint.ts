import { useEffect, useState } from 'react';
import { PASSWORD_STRICT_MIN } from '../../../shared/limits.ts';

type IsCommon = (password: string) => boolean;

/**
 * A friendly warning about a password that is easy to guess; nothing is demanded.
 * The list of common ones is loaded with the first character, and works offline.
 */
export function usePasswordHint(password: string): string | undefined {
  const [isCommon, setIsCommon] = useState<IsCommon | null>(null);
  const wanted = password !== '';

  useEffect(() => {
    if (!wanted) return;
    let wantedStill = true;
    import('../../../shared/common-passwords.ts')
      .then(({ isCommonPassword }) => wantedStill && setIsCommon(() => isCommonPassword))
      .catch(reportError);
    return () => {
      wantedStill = false;
    };
  }, [wanted]);

  if (!wanted) return undefined;
  if (isCommon?.(password)) {
    return 'This is one of the passwords people guess first. Three or four unrelated words are far safer.';
  }
  if (password.length < PASSWORD_STRICT_MIN) {
    return `A short password is easy to guess: ${PASSWORD_STRICT_MIN} characters or more are better.`;
  }
  return undefined;
}
