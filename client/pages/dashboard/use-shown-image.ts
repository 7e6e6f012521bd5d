import { type SyntheticEvent, useEffect, useState } from 'react';
import type { CapsuleFile } from '../../../shared/api/capsules.ts';
import { fileAddress, isWithinReach } from '../../http/download.ts';

/** Nobody says when a server that starts anew, or a network without a way out, is back. */
export const AGAIN_MS = 10_000;

/** `null` while it is shown or on its way. */
type ImageFailure = { isCutOff: boolean } | null;

/**
 * An image of an opened capsule, and why it cannot be seen. One that was cut off is asked for again,
 * by itself; until it is there the failure stands.
 */
export function useShownImage({ fileId }: Pick<CapsuleFile, 'fileId'>) {
  const [{ of, failure }, setState] = useState<{ of: string; failure: ImageFailure }>({
    of: fileId,
    failure: null,
  });
  const [tries, setTries] = useState(0);
  const tell = (next: ImageFailure) => setState({ of: fileId, failure: next });
  useEffect(() => {
    if (!failure?.isCutOff) return;
    const again = () => setTries((count) => count + 1);
    window.addEventListener('online', again);
    const timer = setTimeout(again, AGAIN_MS);
    return () => {
      window.removeEventListener('online', again);
      clearTimeout(timer);
    };
  }, [failure]);
  return {
    failure: of === fileId ? failure : null,
    /** Of the `img`, with a key of their own: each try is another element. */
    key: `${fileId} ${tries}`,
    image: {
      src: fileAddress({ fileId }),
      onLoad: () => tell(null),
      onError: ({ currentTarget }: SyntheticEvent) =>
        void isWithinReach({ fileId }).then((isThere) => {
          // Another try may have taken its place meanwhile.
          if (currentTarget.isConnected) tell({ isCutOff: !isThere });
        }),
    },
  };
}
