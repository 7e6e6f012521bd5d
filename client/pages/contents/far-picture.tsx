import { useEffect, useRef, useState } from 'react';
import { fetchDraftFile } from '../../api/download.ts';
import { isConnectionError } from '../../api/errors.ts';
import { Button } from '../../components/button.tsx';
import { useAddress } from '../../hooks/use-address.ts';
import type { ShownFile } from '../../hooks/use-attachments.ts';
import { useAction } from '../use-action.ts';
import styles from './file-picker.module.css';

interface FarPictureProps {
  draftId: string;
  file: Pick<ShownFile, 'id' | 'name'>;
}

/** An image that was added on another device. It may be large, so it is fetched when it is asked for. */
export function FarPicture({ draftId, file: { id, name } }: FarPictureProps) {
  const [picture, setPicture] = useState<Blob>();
  const [isUnknown, setUnknown] = useState(false);
  const address = useAddress(picture);
  const fetching = useRef<AbortController>(null);
  useEffect(() => () => fetching.current?.abort(), []);
  const { busy, failure, run } = useAction(
    async () => {
      setUnknown(false);
      fetching.current = new AbortController();
      setPicture(await fetchDraftFile(draftId, id, fetching.current.signal));
    },
    (error) => (isConnectionError(error) ? UNREACHABLE : FAILED),
  );
  return (
    <>
      {picture ? (
        <img
          className={`sunken ${styles.far}`}
          src={address}
          alt={name}
          onError={() => {
            setUnknown(true);
            setPicture(undefined);
          }}
        />
      ) : (
        <Button
          className={styles.show}
          busy={busy}
          aria-label={`Show ${name}`}
          onClick={() => run()}
        >
          Show
        </Button>
      )}
      <span role="status" className="quiet small">
        {isUnknown ? UNKNOWN : failure}
      </span>
    </>
  );
}

const UNREACHABLE = 'You need a connection to see it.';
const FAILED = "We couldn't fetch it. Please try again.";
const UNKNOWN = "Your browser can't show it. It's in the draft all the same.";
